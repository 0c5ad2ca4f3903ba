// The counters of some days as figures.
import { ENDINGS, statusOfEnding } from '../../contract/report-list.ts'
import {
  type DayEnds,
  FORM_STEPS,
  type FormStep,
  type Stats,
  TEXT_REFUSALS,
  TURNED_AWAY,
  WAITS,
  type Wait,
} from '../../contract/stats.ts'
import type { Days } from '../../kit/london.ts'
import type { Whose } from '../../service/plugin.ts'
import type { Queries } from '../../service/store/database.ts'
import { type StatName, WAIT_CLASSES_MS } from './stats.ts'
import type { StatRow } from './tables.ts'

type Sum = { count: number; sumMs: number }
type Sums = (name: StatName) => Sum

export type Figures = Pick<Stats, 'form' | 'funnel' | 'withoutCode' | 'ends' | 'turnedAway' | 'texts' | 'waiting'>

/** Nothing is read but the rows of these days: a few dozen for each. */
export async function readFigures(queries: Queries, { tenantId, test, from, to }: Whose & Days): Promise<Figures> {
  const rows = await queries.all<Pick<StatRow, 'name' | 'count' | 'sum_ms'>>(
    `SELECT name, CAST(SUM(count) AS BIGINT) AS count, CAST(SUM(sum_ms) AS BIGINT) AS sum_ms
     FROM stat WHERE tenant_id = ? AND test = ? AND day BETWEEN ? AND ? GROUP BY name`,
    tenantId,
    test ? 1 : 0,
    from,
    to,
  )
  const found = new Map(rows.map(({ name, count, sum_ms }) => [name, { count, sumMs: sum_ms }]))
  return figuresOf((name) => found.get(name) ?? { count: 0, sumMs: 0 })
}

/** The endings of each day's checks, oldest first. */
export async function readDayEnds(queries: Queries, { tenantId, test, from, to }: Whose & Days): Promise<DayEnds[]> {
  const rows = await queries.all<Pick<StatRow, 'day' | 'name' | 'count'>>(
    `SELECT day, name, count FROM stat
     WHERE tenant_id = ? AND test = ? AND day BETWEEN ? AND ? AND name LIKE 'end-%' ORDER BY day`,
    tenantId,
    test ? 1 : 0,
    from,
    to,
  )
  const days = new Map<string, DayEnds>()
  for (const { day, name, count } of rows) {
    const ending = ENDINGS.find((each) => name === `end-${each}`)
    if (ending === undefined) continue
    const ends = days.get(day) ?? { day, complete: 0, blocked: 0, failed: 0, expired: 0 }
    ends[statusOfEnding(ending)] += count
    days.set(day, ends)
  }
  return [...days.values()]
}

function figuresOf(sums: Sums): Figures {
  const count = (name: StatName) => sums(name).count
  const mean = (name: StatName) => {
    const { count, sumMs } = sums(name)
    return count === 0 ? {} : { seconds: Math.round(sumMs / count / 100) / 10 }
  }
  const many = <Name extends string>(names: readonly Name[], prefix: string) =>
    names.map((name) => ({ name, count: count(`${prefix}${name}` as StatName) })).filter((each) => each.count > 0)
  const withoutCode = count('without-code')
  return {
    form: formOf(count, mean),
    funnel: [
      { step: 'asked', count: count('asked'), ...mean('step-sending') },
      { step: 'code-sent', count: count('code-sent') + withoutCode },
      { step: 'code-right', count: count('code-right') + withoutCode, ...mean('code-right') },
      { step: 'complete', count: count('end-complete') },
    ],
    withoutCode,
    ends: many(ENDINGS, 'end-').map(({ name: end, count }) => ({ end, count })),
    turnedAway: many(TURNED_AWAY, 'turned-away-').map(({ name: reason, count }) => ({ reason, count })),
    texts: {
      accepted: count('text-accepted'),
      delivered: count('text-delivered'),
      undelivered: count('text-undelivered'),
      refused: many(TEXT_REFUSALS, 'text-refused-').map(({ name: reason, count }) => ({ reason, count })),
    },
    waiting: WAITS.map((what) => waitingOf(what, count)),
  }
}

/** A consumer who saw a screen counts for those before it, even where a page with known details begins further on. */
function formOf(count: (name: StatName) => number, mean: (name: StatName) => { seconds?: number }): Figures['form'] {
  const seen = (step: FormStep) => count(`step-${step}`)
  if (FORM_STEPS.every((step) => seen(step) === 0)) return []
  return FORM_STEPS.map((step, index) => ({
    step,
    count: Math.max(...FORM_STEPS.slice(index).map(seen)),
    ...(index > 0 && mean(`step-${step}`)),
  }))
}

function waitingOf(what: Wait, count: (name: StatName) => number): Stats['waiting'][number] {
  const limits = [...WAIT_CLASSES_MS, 'over'] as const
  const classes = limits.map((limit) => count(`${what}-${limit}`))
  const total = classes.reduce((sum, each) => sum + each, 0)
  if (total === 0) return { what, count: 0 }
  return { what, count: total, p50Ms: quantileOf(classes, 0.5), p95Ms: quantileOf(classes, 0.95) }
}

/**
 * From how many there are in each class of `WAIT_CLASSES_MS`, as if they lay evenly inside it. The last class has no
 * end: its beginning is meant.
 */
export function quantileOf(classes: readonly number[], share: number): number {
  const wanted = share * classes.reduce((sum, each) => sum + each, 0)
  let before = 0
  for (const [index, inClass] of classes.entries()) {
    const from = WAIT_CLASSES_MS[index - 1] ?? 0
    const to = WAIT_CLASSES_MS[index] ?? from
    if (inClass > 0 && before + inClass >= wanted) return Math.round(from + ((to - from) * (wanted - before)) / inClass)
    before += inClass
  }
  return 0
}

/** True once anything was counted. */
export async function hasStats(queries: Queries, { tenantId, test }: Whose): Promise<boolean> {
  const sql = 'SELECT 1 AS one FROM stat WHERE tenant_id = ? AND test = ? LIMIT 1'
  return (await queries.first(sql, tenantId, test ? 1 : 0)) !== null
}
