// Ninety days of invented checks for a new demo database: reports, texts, credits, counters, events and the audit
// trail, as the service would have written them. The same each time, but for the day it ends on. Only the checks of the
// last day have a report, about people who do not exist.
import { calendarDateOf } from '../../contract/calendar-date.ts'
import { type Ending, statusOfEnding } from '../../contract/report-list.ts'
import { shortReference } from '../../contract/short-reference.ts'
import { FORM_STEPS } from '../../contract/stats.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kit/clock.ts'
import { londonDate } from '../../kit/london.ts'
import { firstIdAt, newId } from '../../kit/new-id.ts'
import { setCaps } from '../../plugins/limits/spend-caps.ts'
import { addStats, type Counted, type StatName, WAIT_CLASSES_MS } from '../../plugins/stats/stats.ts'
import { addEndpoint } from '../../plugins/webhooks/endpoints.ts'
import type { Keys } from '../../service/keys.ts'
import type { Prices } from '../../service/ledger/tenants.ts'
import type { Queries, SqlValue } from '../../service/store/database.ts'
import { writeKeptHistory } from './kept-history.ts'

export const HISTORY_DAYS = 90
/** Nothing of it is younger: the sweeper has nothing to finish, and the newest check is the one just made. */
const QUIET_MS = 30 * MINUTE_MS
/** Retention of test checks and delivered events at the service. */
const TEST_DAYS = 28
const EVENT_DAYS = 6
/** Parameters of one statement, below what SQLite takes. */
const PARAMETERS_MAX = 20_000
/** Above what the balance could buy in a day: shown, never met. */
const DAY_CAPS = { report: 1_000_000, text: 250_000 }

export type History = {
  tenantId: string
  prices: Prices
  bureaus: readonly string[]
  /** The people who sign in. */
  person: { id: string; name: string; email: string }
  /** Takes the lender's events. */
  webhookUrl: string
  keys: Pick<Keys, 'webhooks' | 'reports' | 'indexes'>
  nowMs: number
}

/** Comes after the first top-up. What the checks cost is topped up as well: the balance ends as it began. */
export async function writeHistory(queries: Queries, history: History): Promise<void> {
  const { tenantId, nowMs, webhookUrl: url, keys } = history
  const written = inventChecks(history)
  await insert(queries, 'credit_report', written.reports)
  await insert(queries, 'text_message', written.texts)
  await insert(queries, 'wallet_line', withTopUps(history, written.lines))
  const startMs = nowMs - HISTORY_DAYS * DAY_MS
  // Part of the transaction that the queries belong to.
  const here = { transaction: <T>(work: (inside: Queries) => Promise<T>) => work(queries) }
  const endpoint = await addEndpoint(here, keys.webhooks, { tenantId, url, nowMs: startMs })
  if (endpoint) await insert(queries, 'webhook_delivery', eventsOf(written.reports, endpoint.id, nowMs))
  await insert(queries, 'audit_event', inventAudit(history))
  const refused = inventRefusals(history)
  await insert(queries, 'refusal', refused.calls)
  await insert(queries, 'refusal_hour', refused.hours)
  await addStats(queries, [...written.counts.values()])
  await writeKeptHistory(queries, history, written.reports)
  for (const purpose of ['report', 'text'] as const) {
    await setCaps(queries, { tenantId, purpose, caps: { hour: null, day: DAY_CAPS[purpose] } })
    await countToday(queries, { tenantId, purpose, lines: written.lines, nowMs })
  }
}

/** A release of yesterday that left a field out, until it was taken back; and a report that was asked for too late. */
function inventRefusals({ tenantId, nowMs }: History): { calls: Row[]; hours: Row[] } {
  const generate = { method: 'POST', route: '/:tenantId/v1/credit-reports', status: 400, code: 'validation-error' }
  const read = { method: 'GET', route: '/:tenantId/v1/credit-reports/:creditReportId', status: 404 }
  const releasedMs = nowMs - DAY_MS - ((nowMs - DAY_MS) % HOUR_MS)
  const callAt = (minute: number, what: Row): Row => {
    const atMs = releasedMs + minute * MINUTE_MS
    const id = newId(atMs)
    return { id, tenant_id: tenantId, created_at_ms: atMs, client_id: tenantId, ...what, request_id: `${id}-r` }
  }
  const calls = [
    ...Array.from({ length: 9 }, (_, number) => callAt(12 + 3 * number, generate)),
    callAt(75, { ...read, code: 'credit-report-not-found' }),
  ]
  const hourOf = (startMs: number, code: string, count: number): Row => {
    return { tenant_id: tenantId, hour_started_at_ms: startMs, code, count }
  }
  return {
    calls,
    hours: [hourOf(releasedMs, 'validation-error', 9), hourOf(releasedMs + HOUR_MS, 'credit-report-not-found', 1)],
  }
}

type Row = { [column: string]: SqlValue }
type Line = Row & { created_at_ms: number; kind: string; purpose: string; credits: number }
type Whose = Pick<Counted, 'tenantId' | 'test'>

async function insert(queries: Queries, table: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const many = Math.floor(PARAMETERS_MAX / Math.max(1, columns.length))
  for (let from = 0; from < rows.length; from += many) {
    const part = rows.slice(from, from + many)
    const marks = `(${columns.map(() => '?').join(', ')})`
    await queries.run(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${part.map(() => marks).join(', ')}`,
      ...part.flatMap((row) => columns.map((column) => row[column] ?? null)),
    )
  }
}

/** Numbers from 0 to 1 that look random and are the same each time (mulberry32). */
function createDice(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const hex = (digits: number) => Array.from({ length: digits }, () => Math.floor(next() * 16).toString(16)).join('')
  return {
    next,
    between: (from: number, to: number) => Math.round(from + next() * (to - from)),
    /** As `newId` makes them. */
    id: (timeMs: number) => `${firstIdAt(timeMs)}-7${hex(3)}-8${hex(3)}-${hex(12)}`,
  }
}

/** The course of a check, by its frequency out of 100. */
const STORIES: readonly { often: number; ending: Ending; hasCode: boolean }[] = [
  { often: 27, ending: 'complete', hasCode: false },
  { often: 51, ending: 'complete', hasCode: true },
  { often: 7, ending: 'timeout', hasCode: true },
  { often: 4, ending: 'attempts', hasCode: true },
  { often: 2, ending: 'device', hasCode: true },
  { often: 6, ending: 'risk', hasCode: false },
  { often: 3, ending: 'provider', hasCode: false },
]
const PLAIN = { ending: 'complete', hasCode: true } as const

function inventChecks({ tenantId, prices, bureaus, nowMs }: History) {
  const dice = createDice(90)
  const reports: Row[] = []
  const texts: Row[] = []
  const lines: Line[] = []
  const counts = new Map<string, Counted>()
  const agencies = JSON.stringify(bureaus.map((id) => ({ id, status: 'answered' })))
  const today = nowMs - (nowMs % DAY_MS)
  let order = 10_000

  for (let back = HISTORY_DAYS - 1; back >= 0; back -= 1) {
    const dayMs = today - back * DAY_MS
    const weekday = new Date(dayMs).getUTCDay()
    // Quieter at the weekend, busier towards today.
    const busy = (weekday === 0 || weekday === 6 ? 11 : 19) + (HISTORY_DAYS - back) / 9
    for (const test of [false, true]) {
      const whose = { tenantId, test }
      const many = test ? dice.between(1, 5) : dice.between(busy * 0.75, busy * 1.25)
      const times = Array.from({ length: many }, () => dayMs + dice.between(7 * HOUR_MS, 22 * HOUR_MS)).sort()
      for (const atMs of times.filter((time) => time < nowMs - QUIET_MS)) inventCheck(whose, atMs)
      if (!test) inventForms(whose, dayMs, times.filter((time) => time < nowMs - QUIET_MS).length)
    }
  }
  return { reports, texts, lines, counts }

  function count(whose: Whose, atMs: number, name: StatName, times = 1, sumMs = 0): void {
    const day = londonDate(atMs)
    const key = `${whose.test} ${day} ${name}`
    const known = counts.get(key) ?? { ...whose, day, name, count: 0, sumMs: 0 }
    counts.set(key, { ...known, count: known.count + times, sumMs: known.sumMs + sumMs })
  }

  function inventForms(whose: Whose, dayMs: number, asked: number): void {
    // Of those who saw the form, so many came so far; the rest of the funnel is in the checks themselves.
    const seen = { details: 1.75, address: 1.34, answers: 1.1, sending: 1 }
    const seconds = { details: 0, address: 62, answers: 41, sending: 17 }
    for (const step of FORM_STEPS) {
      const times = Math.round(asked * seen[step])
      if (times > 0) count(whose, dayMs, `step-${step}`, times, times * seconds[step] * dice.between(850, 1_150))
    }
  }

  function inventCheck(whose: Whose, atMs: number): void {
    const { test } = whose
    const id = dice.id(atMs)
    let chance = dice.next() * 100
    const story = STORIES.find(({ often }) => {
      chance -= often
      return chance < 0
    })
    // Test mode has no agencies that could be away.
    const { ending, hasCode } = story && !(test && story.ending === 'provider') ? story : PLAIN
    const isComplete = ending === 'complete'
    const sends = hasCode ? (dice.next() < 0.12 ? 2 : 1) : 0
    const generateMs = 250 + 3_000 * dice.next() ** 3
    const sentAtMs = Array.from({ length: sends }, (_, index) => atMs + Math.round(generateMs) + index * 75_000)
    const lastSentMs = sentAtMs.at(-1) ?? atMs
    const codeMs = dice.between(14_000, 70_000)
    const endedAtMs =
      ending === 'timeout' ? lastSentMs + 5 * MINUTE_MS : hasCode ? lastSentMs + codeMs : atMs + Math.round(generateMs)
    order += 1

    count(whose, atMs, 'asked')
    wait(whose, atMs, 'generate', generateMs)
    if (hasCode) count(whose, atMs, 'code-sent')
    if (hasCode && isComplete) count(whose, atMs, 'code-right', 1, codeMs)
    if (!hasCode && isComplete) count(whose, atMs, 'without-code')
    if (isComplete && !test) wait(whose, endedAtMs, 'agencies', 350 + 2_200 * dice.next() ** 2)
    count(whose, atMs, `end-${ending}`)

    if (test && atMs < nowMs - TEST_DAYS * DAY_MS) return
    reports.push({
      id,
      tenant_id: tenantId,
      test: test ? 1 : 0,
      status: statusOfEnding(ending),
      challenge_id: hasCode ? dice.id(atMs) : null,
      attempts: ending === 'attempts' ? 3 : hasCode && dice.next() < 0.1 ? 1 : 0,
      sends,
      sent_1_at_ms: sentAtMs[0] ?? null,
      sent_2_at_ms: sentAtMs[1] ?? null,
      completed_send: hasCode && isComplete ? sends : null,
      device_verified: ending === 'device' ? 0 : 1,
      created_at_ms: atMs,
      external_reference: `order-${order}`,
      short_reference: shortReference(id),
      ended_at_ms: endedAtMs,
      ending,
      history: JSON.stringify({ asked: bureaus }),
      agencies: isComplete ? agencies : null,
    })
    if (test) return
    const settles = isComplete ? 'capture' : 'release'
    move({
      purpose: 'report',
      id,
      reportId: id,
      credits: prices.reportPriceCredits,
      heldMs: atMs,
      settledMs: endedAtMs,
      settles,
    })
    for (const [index, sentMs] of sentAtMs.entries()) {
      const textId = dice.id(sentMs)
      const isDelivered = dice.next() > 0.03 || (isComplete && index === sentAtMs.length - 1)
      const status = isDelivered ? 'delivered' : 'undelivered'
      texts.push({
        id: textId,
        report_id: id,
        tenant_id: tenantId,
        send_number: index + 1,
        status,
        refused_because: isDelivered ? null : 'unreachable',
        lease_until_ms: sentMs,
        created_at_ms: sentMs,
      })
      const settlesText = isDelivered ? 'capture' : 'release'
      const settledMs = sentMs + dice.between(1_500, 6_000)
      move({
        purpose: 'text',
        id: textId,
        reportId: id,
        credits: prices.textPriceCredits,
        heldMs: sentMs,
        settledMs,
        settles: settlesText,
      })
      count(whose, sentMs, 'text-accepted')
      count(whose, sentMs, `text-${status}`)
      if (!isDelivered) count(whose, sentMs, 'text-refused-unreachable')
    }
  }

  function wait(whose: Whose, atMs: number, what: 'generate' | 'agencies', ms: number): void {
    count(whose, atMs, `${what}-${WAIT_CLASSES_MS.find((limit) => ms <= limit) ?? 'over'}`, 1, Math.round(ms))
  }

  function move(moved: Moved): void {
    const { purpose, id, reportId, credits, heldMs, settledMs, settles } = moved
    const line = { tenant_id: tenantId, purpose, credits, report_id: reportId }
    const asked = purpose === 'report' && settles === 'capture' ? bureaus.length : null
    const holdId = `hold_${purpose}_${id}`
    lines.push(
      {
        ...line,
        id: holdId,
        kind: 'hold',
        hold_id: null,
        created_at_ms: heldMs,
        agencies_asked: null,
        agencies_delivered: null,
      },
      {
        ...line,
        id: `${settles}_${purpose}_${id}`,
        kind: settles,
        hold_id: holdId,
        created_at_ms: settledMs,
        agencies_asked: asked,
        agencies_delivered: asked,
      },
    )
  }
}

type Moved = {
  purpose: 'report' | 'text'
  id: string
  reportId: string
  credits: number
  heldMs: number
  settledMs: number
  settles: 'capture' | 'release'
}

/**
 * In the order in which they happened, with a payment on the first day of each month and one at the end for what was
 * spent since.
 */
function withTopUps({ tenantId, nowMs }: History, lines: readonly Line[]): Line[] {
  const all: Line[] = []
  let spent = 0
  const pay = (atMs: number) => {
    const payment = {
      tenant_id: tenantId,
      kind: 'top-up',
      purpose: 'top-up',
      credits: spent,
      report_id: null,
      hold_id: null,
    }
    const id = `top-up_${tenantId}_invoice-${calendarDateOf(atMs)}`
    all.push({ ...payment, id, created_at_ms: atMs, agencies_asked: null, agencies_delivered: null })
    spent = 0
  }
  let month = ''
  for (const line of lines.toSorted((one, other) => one.created_at_ms - other.created_at_ms)) {
    const next = calendarDateOf(line.created_at_ms).slice(0, 'YYYY-MM'.length)
    if (month !== '' && next !== month && spent > 0) pay(line.created_at_ms)
    month = next
    all.push(line)
    if (line.kind === 'capture') spent += line.credits
  }
  if (spent > 0) pay(nowMs - QUIET_MS / 2)
  return all
}

const TYPES: { readonly [status: string]: string } = { complete: 'completed' }

function eventsOf(reports: readonly Row[], endpointId: string, nowMs: number): Row[] {
  const young = reports.filter(({ ended_at_ms: endedAtMs }) => Number(endedAtMs) > nowMs - EVENT_DAYS * DAY_MS)
  return young.map(({ id, tenant_id, status, external_reference, test, ended_at_ms }, index) => {
    const type = `credit-report.${TYPES[`${status}`] ?? status}`
    const atMs = Number(ended_at_ms)
    const about = {
      tenantId: tenant_id,
      creditReportId: id,
      externalReference: external_reference,
      test: test === 1,
      status,
    }
    const isLost = atMs < nowMs - STORM_TRIED_MS - DAY_MS && index % 9 === 0
    return {
      id: `${firstIdAt(atMs)}-7${`${id}`.slice(15)}_${endpointId}`,
      endpoint_id: endpointId,
      tenant_id: tenant_id ?? null,
      report_id: id ?? null,
      type,
      payload: JSON.stringify({ type, timestamp: new Date(atMs).toISOString(), data: about }),
      status: isLost ? 'parked' : 'delivered',
      // Now and then the shop was restarting. What was delivered keeps the time of the try that would have followed.
      attempts: isLost ? 17 : index % 17 === 0 ? 2 : 1,
      due_at_ms: atMs + (index % 17 === 0 ? 35_500 : 5_300),
      queued_at_ms: atMs,
      last_outcome: isLost ? 'status 503' : 'delivered',
      last_answer: isLost ? 'upstream connect error: no healthy upstream' : 'ok',
      attempt_log: isLost ? JSON.stringify(attemptsUntil(atMs + STORM_TRIED_MS)) : null,
      created_at_ms: atMs,
    }
  })
}

/** The shop was away for days: its events were tried until they were given up. */
const STORM_TRIED_MS = 3 * DAY_MS

function attemptsUntil(lastMs: number) {
  const pauseMs = 6 * HOUR_MS
  return Array.from({ length: 10 }, (_, index) => ({
    atMs: lastMs - (9 - index) * pauseMs,
    outcome: 'status 503',
    tookMs: 40 + index,
  }))
}

/** An operator's set-up, and a sign-in on most working days. */
function inventAudit({ tenantId, person, nowMs }: History): Row[] {
  const dice = createDice(17)
  const event = { tenant_id: tenantId, object: null, address: '203.0.113.20', outcome: 'done' }
  const startMs = nowMs - (nowMs % DAY_MS) - (HISTORY_DAYS - 1) * DAY_MS
  const operator = {
    ...event,
    actor_kind: 'operator',
    actor_id: 'demo',
    address: null,
    actor_name: null,
    actor_email: null,
  }
  const { id: actor_id, name: actor_name, email: actor_email } = person
  const signIn = { ...event, actor_kind: 'person', actor_id, actor_name, actor_email, action: 'sign-in' }
  const rows: Row[] = [
    { ...operator, action: 'tenant.create', object: tenantId, created_at_ms: startMs + 9 * HOUR_MS },
    { ...operator, action: 'client.create', object: tenantId, created_at_ms: startMs + 9 * HOUR_MS + MINUTE_MS },
  ]
  for (let day = 0; day < HISTORY_DAYS; day += 1) {
    const atMs = startMs + day * DAY_MS + dice.between(8 * HOUR_MS, 10 * HOUR_MS)
    const isWorkday = ![0, 6].includes(new Date(atMs).getUTCDay())
    if (isWorkday && dice.next() < 0.7 && atMs < nowMs - QUIET_MS) rows.push({ ...signIn, created_at_ms: atMs })
  }
  return rows
}

/** Today's holds that were not released, which caps count. */
async function countToday(
  queries: Queries,
  { tenantId, purpose, lines, nowMs }: { tenantId: string; purpose: string; lines: readonly Line[]; nowMs: number },
): Promise<void> {
  const spentSince = (startMs: number) =>
    lines
      .filter((line) => line.purpose === purpose && line.created_at_ms >= startMs)
      .reduce((sum, { kind, credits }) => sum + (kind === 'hold' ? credits : kind === 'release' ? -credits : 0), 0)
  const [hour, day] = [nowMs - (nowMs % HOUR_MS), nowMs - (nowMs % DAY_MS)]
  await queries.run(
    'UPDATE spend SET hour_started_at_ms = ?, hour_credits = ?, day_started_at_ms = ?, day_credits = ? WHERE tenant_id = ? AND purpose = ?',
    hour,
    Math.max(0, spentSince(hour)),
    day,
    Math.max(0, spentSince(day)),
    tenantId,
    purpose,
  )
}
