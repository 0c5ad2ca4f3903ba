// The counters of some days as figures.
import { type DayEnds, ENDS, type Stats, TEXT_REFUSALS, WAITS, type Wait } from '../../contract/stats.ts'
import type { Queries } from '../../service/store/database.ts'
import { type StatName, WAIT_CLASSES_MS, type Whose } from './stats.ts'
import type { StatRow } from './tables.ts'

/** Days (UTC) as `2026-11-17`, both included. */
export type Days = { from: string; to: string }

type Sum = { count: number; sumMs: number }
type Sums = (name: StatName) => Sum

export type Figures = Pick<Stats, 'funnel' | 'withoutCode' | 'ends' | 'texts' | 'waiting'>

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

/** How checks ended on each day on which one did, oldest first. */
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
    const kind = kindOf(name)
    if (kind === null) continue
    const ends = days.get(day) ?? { day, complete: 0, blocked: 0, failed: 0, expired: 0 }
    ends[kind] += count
    days.set(day, ends)
  }
  return [...days.values()]
}

/** Null for what was refused before it was a check. */
function kindOf(name: string): (typeof KINDS)[number] | null {
  return KINDS.find((kind) => name === `end-${kind}` || name.startsWith(`end-${kind}-`)) ?? null
}

const KINDS = ['complete', 'blocked', 'failed', 'expired'] as const

function figuresOf(sums: Sums): Figures {
  const count = (name: StatName) => sums(name).count
  const mean = (name: StatName) => {
    const { count, sumMs } = sums(name)
    return count === 0 ? {} : { seconds: Math.round(sumMs / count / 100) / 10 }
  }
  return {
    funnel: [
      { step: 'form', count: count('step-details') },
      { step: 'details', count: count('step-address'), ...mean('step-address') },
      { step: 'address', count: count('step-answers'), ...mean('step-answers') },
      { step: 'answers', count: count('asked'), ...mean('step-sending') },
      { step: 'code-sent', count: count('code-sent') },
      { step: 'code-right', count: count('code-right'), ...mean('code-right') },
      { step: 'report', count: count('end-complete') },
    ],
    withoutCode: count('without-code'),
    ends: ENDS.flatMap((end) => (count(`end-${end}`) === 0 ? [] : [{ end, count: count(`end-${end}`) }])),
    texts: {
      accepted: count('text-accepted'),
      delivered: count('text-delivered'),
      undelivered: count('text-undelivered'),
      refused: TEXT_REFUSALS.map((reason) => ({ reason, count: count(`text-refused-${reason}`) })).filter(
        (each) => each.count > 0,
      ),
    },
    waiting: WAITS.map((what) => waitingOf(what, count)),
  }
}

function waitingOf(what: Wait, count: (name: StatName) => number): Stats['waiting'][number] {
  const limits = [...WAIT_CLASSES_MS, 'over'] as const
  const classes = limits.map((limit) => count(`${what}-${limit}`))
  const total = classes.reduce((sum, each) => sum + each, 0)
  if (total === 0) return { what, count: 0 }
  return { what, count: total, p50Ms: quantileOf(classes, 0.5), p95Ms: quantileOf(classes, 0.95) }
}

/** From how many there are in each class of `WAIT_CLASSES_MS`, as if they lay evenly inside it. The last class has no end: its beginning is meant. */
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

/** Whether anything was ever counted. */
export async function hasStats(queries: Queries, { tenantId, test }: Whose): Promise<boolean> {
  const sql = 'SELECT 1 AS one FROM stat WHERE tenant_id = ? AND test = ? LIMIT 1'
  return (await queries.first(sql, tenantId, test ? 1 : 0)) !== null
}
