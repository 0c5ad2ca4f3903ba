import { DAY_MS } from '../../kit/clock.ts'
import { type Prices, readTenant } from '../ledger/tenants.ts'
import type { Database } from '../store/database.ts'
import { countEach, SWEEP_ROWS_MAX } from '../store/sweep-rows.ts'
import { heard, SEND_LEASE_MS, sendText, settleText, type TextOptions } from './outbox.ts'
import type { TextMessageRow } from './tables.ts'

/** A text without a receipt for so long was not delivered, as far as anyone's money is concerned. */
const RECEIPT_WAIT_MS = DAY_MS

/** Calls to the gateway that one sweep has open at once: each waits for the gateway, not for the database. */
const CALLS_AT_ONCE_MAX = 50

type TextSweepOptions = TextOptions & {
  database: Database
  settings: Prices & { challengeLifetimeMs: number }
  /** The number a report's texts go to; null once the report was erased. */
  mobileNumberOf(report: { tenantId: string; creditReportId: string }): Promise<string | null>
}

/**
 * Sends texts again whose sender died or got no answer, as long as their code is still good. Their id keeps a gateway
 * from sending one twice.
 */
export async function sendQueued(options: TextSweepOptions): Promise<number> {
  const { database, clock, settings, mobileNumberOf } = options
  const nowMs = clock()
  const rows = await database.all<TextMessageRow & { challenge_id: string }>(
    // The first condition on status only makes the planner use the partial index text_message_open.
    `SELECT text_message.id, text_message.tenant_id, report_id, send_number, text_message.lease_until_ms, challenge_id,
       text_message.created_at_ms
     FROM text_message JOIN credit_report ON credit_report.id = report_id
     WHERE text_message.status IN ('queued', 'accepted') AND text_message.status = 'queued'
       AND text_message.lease_until_ms < ? AND text_message.created_at_ms >= ? AND credit_report.status = 'challenged'
     ORDER BY text_message.id LIMIT ?`,
    nowMs,
    nowMs - settings.challengeLifetimeMs,
    SWEEP_ROWS_MAX,
  )
  return countEach(
    rows,
    async (row) => {
      const { id: messageId, tenant_id: tenantId, report_id: creditReportId } = row
      const taken = await database.run(
        `UPDATE text_message SET lease_until_ms = ? WHERE id = ? AND status = 'queued' AND lease_until_ms = ?`,
        nowMs + SEND_LEASE_MS,
        messageId,
        row.lease_until_ms,
      )
      const tenant = await readTenant(database, tenantId, settings)
      if (taken === 0 || tenant === null) return false
      const mobileNumber = await mobileNumberOf({ tenantId, creditReportId })
      if (mobileNumber === null) return false
      const queuedAtMs = row.created_at_ms
      const text = {
        messageId,
        tenantId,
        creditReportId,
        challengeId: row.challenge_id,
        send: row.send_number,
      }
      const { name: tenantName, checkoutHost, smsSender } = tenant
      await sendText(options, { ...text, mobileNumber, tenantName, checkoutHost, smsSender, queuedAtMs })
      return true
    },
    { parallelMax: CALLS_AT_ONCE_MAX },
  )
}

/**
 * Gives the price of a text back that has no receipt a day after it was handed over, or that the gateway never took:
 * once its code has expired it is not sent again.
 */
export async function releaseUnacknowledged(options: TextSweepOptions): Promise<number> {
  const { database, clock, settings, plugins } = options
  const nowMs = clock()
  const rows = await database.all<Pick<TextMessageRow, 'id' | 'tenant_id'>>(
    `SELECT id, tenant_id FROM text_message WHERE status IN ('queued', 'accepted')
       AND (created_at_ms < ? OR (status = 'queued' AND created_at_ms < ? AND lease_until_ms < ?)) ORDER BY id LIMIT ?`,
    nowMs - RECEIPT_WAIT_MS,
    nowMs - settings.challengeLifetimeMs,
    nowMs,
    SWEEP_ROWS_MAX,
  )
  return countEach(rows, async (row) => {
    const settled = await settleText(database, {
      messageId: row.id,
      tenantId: row.tenant_id,
      delivered: false,
      nowMs,
    })
    if (settled) heard({ plugins }, row.tenant_id, 'undelivered')
    return settled
  })
}
