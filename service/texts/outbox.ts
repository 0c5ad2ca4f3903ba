// Texts leave through an outbox: the row is committed with the challenge, and only then is the gateway called.
//
//   queued ──▶ accepted ──▶ delivered     its hold is captured
//      └───────────┴──────▶ undelivered   its hold is released; it still counts as a send

import { TEXT_REFUSALS, type TextRefusal } from '../../contract/stats.ts'
import type { Clock } from '../../kit/clock.ts'
import { newId } from '../../kit/new-id.ts'
import { describeError } from '../describe-error.ts'
import type { Keys } from '../keys.ts'
import { capture, hold, holdIdOf, release } from '../ledger/ledger.ts'
import type { Log } from '../log.ts'
import type { JoinedPlugins, NextText } from '../plugin.ts'
import type { Refusal, SmsProvider, TextMessage } from '../providers/providers.ts'
import type { Database, Queries } from '../store/database.ts'
import { codeOf } from './code.ts'
import { writeCodeText } from './code-text.ts'
import type { TextMessageRow } from './tables.ts'

/** Outer limit; the gateway's adapter has a shorter timeout. */
const SMS_DEADLINE_MS = 4_000
/** Time for which a queued text belongs to the request that queued it; afterwards the sweeper may send it. */
export const SEND_LEASE_MS = 10_000

/** `accepted`: the gateway took it. */
type TextFate = 'accepted' | 'delivered' | 'undelivered'

export type TextOptions = {
  database: Database
  clock: Clock
  keys: Keys
  providers: { sms: SmsProvider }
  log: Log
  settings: { challengeLifetimeMs: number }
  plugins: Pick<JoinedPlugins, 'heard'>
}

export type QueuedText = {
  messageId: string
  tenantId: string
  creditReportId: string
  challengeId: string
  send: number
  mobileNumber: string
  tenantName: string
  checkoutHost: string | null
  smsSender: string | null
  queuedAtMs: number
}

type QueueOptions = {
  plugins: Pick<JoinedPlugins, 'hold' | 'text'>
  /** The request that began the check. */
  origin: Pick<NextText, 'ipAddress' | 'sessionId' | 'consumer' | 'match'>
  priceCredits: number
  nowMs: number
}

/** Writes the text and reserves its price, or throws `insufficient-funds`. Comes last in its transaction. */
export async function queueText(
  queries: Queries,
  text: Omit<QueuedText, 'messageId' | 'queuedAtMs'>,
  { plugins, origin, priceCredits, nowMs }: QueueOptions,
): Promise<QueuedText> {
  const messageId = newId(nowMs)
  const { tenantId, creditReportId, send, mobileNumber } = text
  const subject = { purpose: 'text', subjectId: messageId } as const
  await Promise.all([
    plugins.text(queries, { ...origin, tenantId, creditReportId, send, mobileNumber, nowMs }),
    queries.run(
      `INSERT INTO text_message (id, report_id, tenant_id, send_number, status, lease_until_ms, created_at_ms)
       VALUES (?, ?, ?, ?, 'queued', ?, ?)`,
      messageId,
      creditReportId,
      tenantId,
      send,
      nowMs + SEND_LEASE_MS,
      nowMs,
    ),
    hold(queries, { tenantId, ...subject, credits: priceCredits, creditReportId, nowMs }),
    plugins.hold(queries, { tenantId, purpose: 'text', holdId: holdIdOf(subject), nowMs }),
  ])
  return { ...text, messageId, queuedAtMs: nowMs }
}

/** Hands a queued text to the gateway. Never throws: a text that cannot leave now stays queued for the sweeper. */
export async function sendText(options: TextOptions, text: QueuedText): Promise<void> {
  const { database, clock, providers, log } = options
  const names = { messageId: text.messageId, tenantId: text.tenantId, creditReportId: text.creditReportId }
  try {
    const outcome = await providers.sms.send(writeText(options, text), AbortSignal.timeout(SMS_DEADLINE_MS))
    const { messageId, tenantId } = text
    const refusal = typeof outcome === 'object' ? outcome : null
    if (outcome !== 'refused' && refusal === null) heard(options, tenantId, 'accepted')
    if (outcome === 'accepted') {
      await database.batch(tenantId, (queries) => acceptText(queries, messageId))
    } else {
      const delivered = outcome === 'delivered'
      const settled = await settleText(database, { messageId, tenantId, delivered, refusal, nowMs: clock() })
      if (settled) heard(options, tenantId, delivered ? 'delivered' : 'undelivered', refusal?.refused)
    }
    log.info('text handed over', { ...names, outcome: refusal === null ? String(outcome) : refusalWords(refusal) })
  } catch (error) {
    log.warn('text not handed over', { ...names, ...describeError(error) })
  }
}

/** Test mode sends no text. */
export function heard(
  { plugins }: Pick<TextOptions, 'plugins'>,
  tenantId: string,
  fate: TextFate,
  reason?: TextRefusal,
): void {
  plugins.heard({ tenantId, test: false }, { type: 'text', fate, ...(reason && { reason }) })
}

export type StoredText = {
  send: number
  status: 'queued' | 'accepted' | TextFate
  /** The gateway's reason, where it gave one. */
  refusal: Refusal | null
}

/** The texts of a live report, first to last. */
export async function listTexts(queries: Queries, creditReportId: string): Promise<StoredText[]> {
  const rows = await queries.all<TextMessageRow>(
    'SELECT * FROM text_message WHERE report_id = ? ORDER BY send_number',
    creditReportId,
  )
  return rows.map(({ send_number: send, status, refused_because, gateway_code: code }) => {
    const refused = TEXT_REFUSALS.find((reason) => reason === refused_because)
    return { send, status: status as StoredText['status'], refusal: refused ? { refused, code } : null }
  })
}

type SettledText = {
  messageId: string
  tenantId: string
  delivered: boolean
  /** @default null: the gateway does not say why */
  refusal?: Refusal | null
  nowMs: number
}

/**
 * Charges a delivered text or gives an undelivered one's price back. False when it is settled already: receipts repeat.
 */
export async function settleText(
  database: Database,
  { messageId, tenantId, delivered, refusal = null, nowMs }: SettledText,
): Promise<boolean> {
  const settle = delivered ? capture : release
  try {
    await database.batch(tenantId, (queries) =>
      Promise.all([
        queries.must(
          { error: () => new SettledBefore() },
          `UPDATE text_message SET status = ?, refused_because = ?, gateway_code = ?
           WHERE id = ? AND status IN ('queued', 'accepted')`,
          delivered ? 'delivered' : 'undelivered',
          refusal?.refused ?? null,
          refusal?.code ?? null,
          messageId,
        ),
        settle(queries, { purpose: 'text', subjectId: messageId }, nowMs),
      ]),
    )
    return true
  } catch (error) {
    if (error instanceof SettledBefore) return false
    throw error
  }
}

/** For the log: the reason, and the gateway's own code. */
function refusalWords({ refused, code }: Refusal): string {
  return code === null ? refused : `${refused} ${code}`
}

class SettledBefore extends Error {}

async function acceptText(queries: Queries, messageId: string): Promise<void> {
  // A receipt may have been faster than the answer it belongs to: only what is still queued moves.
  await queries.run(`UPDATE text_message SET status = 'accepted' WHERE id = ? AND status = 'queued'`, messageId)
}

function writeText({ keys, clock, settings }: TextOptions, text: QueuedText): TextMessage {
  const validMs = text.queuedAtMs + settings.challengeLifetimeMs - clock()
  const code = codeOf(keys.codes[0], text.challengeId, text.send)
  return {
    messageId: text.messageId,
    tenantId: text.tenantId,
    creditReportId: text.creditReportId,
    from: text.smsSender,
    to: text.mobileNumber,
    body: writeCodeText({ code, lender: text.tenantName, checkoutHost: text.checkoutHost }),
    // A text that arrived after its code had expired would only mislead.
    validSeconds: Math.max(1, Math.ceil(validMs / 1000)),
  }
}
