// One check, step by step, with nothing about the person: written from the report's row, its texts, ledger, webhooks
// and audit lines.

import { agencyOf } from '../../contract/agencies.ts'
import type { AgencyAnswer } from '../../contract/credit-report.ts'
import { isDelivered } from '../../contract/credit-report.ts'
import { ENDING_WORDS } from '../../contract/ending-words.ts'
import { ATTEMPTS_MAX } from '../../contract/limits.ts'
import type { ReportReason } from '../../contract/report-list.ts'
import type { ReportTimeline, TimelineEvent } from '../../contract/report-timeline.ts'
import { REFUSAL_WORDS } from '../../contract/stats.ts'
import { type CheckOptions, momentOf, requireAccount } from '../../service/check/check-options.ts'
import { reportNotFound } from '../../service/check/content.ts'
import { describe } from '../../service/check/read-report.ts'
import { findReport, hasSealed, type StoredReport } from '../../service/check/store.ts'
import { listLines, type StoredLine } from '../../service/ledger/ledger.ts'
import type { Core, TimelineStep } from '../../service/plugin.ts'
import type { Refusal } from '../../service/providers/providers.ts'
import { listTexts, type StoredText } from '../../service/texts/outbox.ts'

/** More than any check can have: a report, a match and three texts, each held and settled. */
const LINES_MAX = 20

export type TimelineOptions = Pick<CheckOptions, 'database' | 'clock'> & { config: CheckOptions['settings'] } & Pick<
    Core,
    'timeline'
  >

export async function readTimeline(
  options: TimelineOptions,
  wanted: { tenantId: string; creditReportId: string },
): Promise<{ timeline: ReportTimeline; lines: StoredLine[] }> {
  const { database, clock, config: settings } = options
  const report = await findReport(database, wanted)
  if (report === null) throw reportNotFound()
  const { tenantId, creditReportId } = wanted
  const tenant = await requireAccount(database, tenantId, settings)
  const completedAtMs = report.status === 'complete' ? report.endedAtMs : null
  const [texts, lines, known, isKept] = await Promise.all([
    listTexts(database, creditReportId),
    listLines(database, { tenantId, creditReportId, before: null, limit: LINES_MAX }),
    options.timeline({ tenantId, creditReportId, completedAtMs }),
    hasSealed(database, creditReportId),
  ])
  const moment = momentOf({ clock, settings }, tenant, report)
  const { agencies: _agencies, challengeType: _type, ...item } = describe(report, moment, clock())
  const parts = { report, item, texts, lines: lines ?? [], known, isKept }
  const timeline = {
    ...item,
    ...(report.requestId !== null && { requestId: report.requestId }),
    why: whyOf({ status: item.status, reason: item.reason, texts, isTest: report.test }),
    events: inOrder(writeEvents(parts)),
  }
  return { timeline, lines: lines ?? [] }
}

type Item = Omit<ReturnType<typeof describe>, 'agencies' | 'challengeType'>

type Parts = {
  report: StoredReport
  item: Item
  texts: readonly StoredText[]
  /** Newest first. */
  lines: readonly StoredLine[]
  /** By plugins. */
  known: readonly TimelineStep[]
  isKept: boolean
}

function writeEvents(parts: Parts): TimelineStep[] {
  return [
    ...beginningOf(parts),
    ...textsOf(parts),
    ...codesOf(parts),
    ...agencySteps(parts),
    ...endOf(parts),
    ...parts.known.filter(({ type }) => type !== 'erased'),
    ...forgottenOf(parts),
  ]
}

const RISK_WORDS = { allow: 'no code is needed', challenge: 'a code is needed', block: 'the check must not go on' }
const MATCH_WORDS = {
  matched: 'The phone number is known for this person.',
  'not-matched': 'The phone number is not known for this person.',
  unknown: 'It is not known if the phone number belongs to this person.',
}

function beginningOf({ report, item }: Parts): TimelineStep[] {
  const { history, challenge, challengeId, match, test, createdAtMs } = report
  const asked = history.asked ?? report.agencies?.map(({ id }) => id) ?? []
  const from = asked.length === 0 ? '' : ` from ${listOf(asked.map((id) => agencyOf(id).name))}`
  const device = history.deviceVerified ?? (challengeId === null ? undefined : challenge.deviceVerified)
  const decision = challengeId !== null ? 'challenge' : item.status === 'blocked' ? 'block' : 'allow'
  const isDecided = challengeId !== null || item.status === 'blocked' || item.status === 'complete'
  const took = history.riskMs === undefined ? '' : `, answered in ${history.riskMs} ms`
  const steps: TimelineStep[] = [
    { type: 'created', atMs: createdAtMs, says: `${test ? 'Test check' : 'Check'} requested${from}.` },
  ]
  if (device !== undefined && !test) {
    const says = device
      ? 'The device was verified.'
      : 'The device could not be verified, so no code can complete this check.'
    steps.push({ type: 'device', outcome: device ? 'verified' : 'not-verified', says })
  }
  if (isDecided) {
    const says = test
      ? `Chosen for this test: ${RISK_WORDS[decision]}.`
      : `Risk assessment${took}: ${RISK_WORDS[decision]}.`
    steps.push({ type: 'risk', outcome: decision, says })
  }
  if (match !== null) steps.push({ type: 'match', outcome: match, says: MATCH_WORDS[match] })
  return steps
}

const SENT_WORDS = {
  queued: 'waits to be sent',
  accepted: 'was handed to the network; there is no receipt yet',
  delivered: 'was sent',
  undelivered: 'was sent',
}

function textsOf({ report, texts, lines }: Parts): TimelineStep[] {
  const holds = lines.toReversed().filter(({ kind, purpose }) => kind === 'hold' && purpose === 'text')
  return report.challenge.sentAtMs.flatMap((atMs, index): TimelineStep[] => {
    const number = index + 1
    if (report.test) return [{ type: 'text', atMs, outcome: 'simulated', says: `Text ${number} was simulated.` }]
    const text = texts.find(({ send }) => send === number)
    const outcome = text?.status ?? 'queued'
    const sent: TimelineStep = { type: 'text', atMs, outcome, says: `Text ${number} ${SENT_WORDS[outcome]}.` }
    if (outcome !== 'delivered' && outcome !== 'undelivered') return [sent]
    // The text's hold was settled by its receipt.
    const settled = lines.find(({ holdId }) => holdId !== null && holdId === holds[index]?.id)
    const why = text?.refusal ? `: ${refusalWords(text.refusal)}` : ''
    const says = `Text ${number} was ${outcome === 'delivered' ? 'delivered' : `not delivered${why}`}.`
    return [
      { ...sent, outcome: 'sent' },
      { type: 'text', atMs: settled?.createdAtMs ?? atMs, outcome, says },
    ]
  })
}

function refusalWords({ refused, code }: Refusal): string {
  return code === null ? REFUSAL_WORDS[refused] : `${REFUSAL_WORDS[refused]} (${code})`
}

function codesOf({ report }: Parts): TimelineStep[] {
  const { challenge, history } = report
  const wrong = Array.from({ length: challenge.attempts }, (_, index): TimelineStep => {
    const left = ATTEMPTS_MAX - index - 1
    const says = `Wrong code; ${left === 0 ? 'no attempt is left' : left === 1 ? '1 attempt is left' : `${left} attempts are left`}.`
    return { type: 'code', atMs: history.wrongCodesAtMs?.[index] ?? null, outcome: 'wrong', says }
  })
  if (challenge.verifiedSend === null) return wrong
  const right: TimelineStep = {
    type: 'code',
    atMs: history.verifiedAtMs ?? null,
    outcome: 'right',
    says: 'The code was right.',
  }
  const unanswered = (history.unansweredAtMs ?? []).map(
    (atMs): TimelineStep => ({
      type: 'agency',
      atMs,
      outcome: 'unavailable',
      says: 'The agencies gave no report; the same code could be sent again.',
    }),
  )
  return [...wrong, right, ...unanswered]
}

const AGENCY_WORDS: { readonly [status in AgencyAnswer['status']]: string } = {
  answered: 'answered',
  'no-file': 'answered that it has no file on this person',
  unavailable: 'did not answer',
  'not-asked': 'was not queried',
}

function agencySteps({ report, item }: Parts): TimelineStep[] {
  if (item.status !== 'complete') return []
  return (report.agencies ?? []).map(({ id, status }) => {
    const tookMs = report.history.agencyMs?.[id]
    const took = tookMs === undefined || !isDelivered({ id, status }) ? '' : `, in ${tookMs} ms`
    return { type: 'agency', outcome: status, who: id, says: `${agencyOf(id).name} ${AGENCY_WORDS[status]}${took}.` }
  })
}

function endOf({ item }: Parts): TimelineStep[] {
  const { status, reason, endedAt } = item
  if (endedAt === undefined || status === 'pending' || status === 'authentication-required') return []
  const { says } = ENDING_WORDS[reason ?? 'complete']
  return [{ type: status, atMs: Date.parse(endedAt), ...(reason && { outcome: reason }), says }]
}

function forgottenOf({ report, item, known, isKept }: Parts): TimelineStep[] {
  const { erasedAtMs } = report
  if (erasedAtMs !== null) {
    const by = known.find(({ type }) => type === 'erased')
    return [{ type: 'erased', says: 'Erased.', ...(by && { who: by.who, says: by.says }), atMs: erasedAtMs }]
  }
  if (item.status !== 'complete' || isKept) return []
  return [{ type: 'closed', says: 'The report is no longer kept.' }]
}

type Why = {
  status: ReportTimeline['status']
  reason: ReportReason | undefined
  texts: readonly StoredText[]
  isTest: boolean
}

const NO_TEXT =
  'The text with your code could not be delivered to your phone, so the check has ended. Your credit file was not searched. Check the number, then start again.'

function whyOf({ status, reason, texts, isTest }: Why): string {
  const test = isTest ? 'This was a test. ' : ''
  if (status === 'complete') return test + ENDING_WORDS.complete.toConsumer
  if (status === 'pending') return `${test}Your credit check is in progress. It takes a few seconds.`
  if (status === 'authentication-required') return `${test}We are waiting for the code that we sent to your phone.`
  const isUndelivered = texts.length > 0 && texts.every((text) => text.status === 'undelivered')
  if (reason === 'timeout' && isUndelivered) return NO_TEXT
  return test + ENDING_WORDS[reason ?? 'interrupted'].toConsumer
}

function inOrder(steps: readonly TimelineStep[]): TimelineEvent[] {
  let lastMs = Number.NEGATIVE_INFINITY
  const placed = steps.map((step) => {
    lastMs = step.atMs ?? lastMs
    return { step, sortMs: step.type === 'closed' ? Number.POSITIVE_INFINITY : lastMs }
  })
  // Stable: steps of one moment stay in the order they happen in.
  placed.sort((one, other) => one.sortMs - other.sortMs)
  return placed.map(({ step: { atMs, nextAtMs, ...rest } }) => ({
    ...rest,
    ...(atMs != null && { at: new Date(atMs).toISOString() }),
    ...(nextAtMs != null && { nextAt: new Date(nextAtMs).toISOString() }),
  }))
}

function listOf(names: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(names)
}
