// Finishes what crashes and time leave behind. Every task is safe to run twice, at once, from any process: each change
// says in its WHERE what it expects to find.
import { setTimeout } from 'node:timers/promises'
import { CLOCK_SKEW_MAX_MS } from '../kit/clock.ts'
import { describeError } from './describe-error.ts'
import type { DeviceSessions } from './devices/sessions.ts'
import { ApiError } from './http/api-error.ts'
import { dropUnfinishedKey } from './idempotency/store.ts'
import { isExpired } from './reports/challenge.ts'
import { openMobileNumber } from './reports/content.ts'
import type { ReportParts } from './reports/parts.ts'
import { moveChallenge, settlePending, toReport } from './reports/store.ts'
import { createRetention } from './retention.ts'
import type { Row } from './store/database.ts'
import { readTenant } from './tenants/store.ts'
import { forgetOldClaims } from './texts/claims.ts'
import { SEND_LEASE_MS, sendText, settleText } from './texts/outbox.ts'
import { release } from './wallet/store.ts'

/** How long a report whose worker died waits for its caller to ask again, before its hold goes back. */
const ABANDONED_AFTER_MS = 60_000
/** A text without a receipt for so long was not delivered, as far as anyone's money is concerned. */
const RECEIPT_WAIT_MS = 86_400_000
/** Rows per task and round; the rest waits for the next round. */
const BATCH_MAX = 200
const SWEEP_EVERY_MS = 5_000
/** While there is more than a round can do. */
const SWEEP_AGAIN_MS = 100

export type SweeperParts = ReportParts & {
  sessions: DeviceSessions
  reportRetentionMs: number
  /** Hears how many challenges nobody answered in time. */
  onExpired?: (count: number) => void
}

export type Sweeper = {
  /** One round of everything; resolves to how many each task dealt with. One that fails does not stop the rest. */
  sweep(): Promise<{ [task: string]: number }>
  /** A round every few seconds until the returned function is called, which resolves when the last round is over. */
  start(): () => Promise<void>
}

export function createSweeper(parts: SweeperParts): Sweeper {
  const retention = createRetention(parts)
  const tasks: { [task: string]: () => Promise<number> } = {
    async expiredChallenges() {
      const count = await expireChallenges(parts)
      parts.onExpired?.(count)
      return count
    },
    abandonedReports: () => failAbandoned(parts),
    queuedTexts: () => sendQueued(parts),
    unacknowledgedTexts: () => releaseUnacknowledged(parts),
    oldReports: retention.eraseOldReports,
    oldTrials: retention.forgetOldTrials,
    oldKeys: retention.forgetOldKeys,
    oldTextClaims: () => forgetOldClaims(parts.database, parts.clock()),
    oldSessions: async () => (await parts.sessions.sweep()).forgotten,
  }

  async function sweep(): Promise<{ [task: string]: number }> {
    const done: { [task: string]: number } = {}
    for (const [task, run] of Object.entries(tasks)) {
      try {
        done[task] = await run()
      } catch (error) {
        parts.log.warn('sweep failed', { jobId: task, ...describeError(error) })
      }
    }
    return done
  }

  function start(): () => Promise<void> {
    const stopped = new AbortController()
    const running = (async () => {
      while (!stopped.signal.aborted) {
        const done = await sweep()
        const isBehind = Object.values(done).some((count) => count >= BATCH_MAX)
        await pause(isBehind ? SWEEP_AGAIN_MS : SWEEP_EVERY_MS, stopped.signal)
      }
    })()
    return async () => {
      stopped.abort()
      await running
    }
  }

  return { sweep, start }
}

/** Gives the holds of challenges back that nobody answered in time, or that a clock texted which has been put right since. */
async function expireChallenges({ database, clock, settings }: SweeperParts): Promise<number> {
  const nowMs = clock()
  const lifetimeMs = settings.challengeLifetimeMs
  const rows = await database.all(
    `SELECT * FROM credit_report WHERE test = 0 AND status IN ('pending', 'challenged') AND status = 'challenged'
       AND COALESCE(sent_3_at_ms, sent_2_at_ms, sent_1_at_ms) NOT BETWEEN ? AND ? ORDER BY id LIMIT ?`,
    nowMs - lifetimeMs,
    nowMs + CLOCK_SKEW_MAX_MS,
    BATCH_MAX,
  )
  return countEach(rows, (row) =>
    database.transaction(async (queries) => {
      const { id: reportId, challenge: was } = toReport(row)
      if (!isExpired(was, { nowMs, lifetimeMs })) return false
      if (!(await moveChallenge(queries, { reportId, was, next: { ...was, status: 'expired' } }))) return false
      await release(queries, { purpose: 'report', subjectId: reportId }, nowMs)
      return true
    }),
  )
}

/** Gives the holds of reports back whose worker died and whose caller did not come back. */
async function failAbandoned({ database, clock }: SweeperParts): Promise<number> {
  const nowMs = clock()
  const rows = await database.all(
    `SELECT * FROM credit_report WHERE test = 0 AND status IN ('pending', 'challenged') AND status = 'pending'
       AND lease_until_ms < ? ORDER BY id LIMIT ?`,
    nowMs - ABANDONED_AFTER_MS,
    BATCH_MAX,
  )
  return countEach(rows, (row) =>
    database.transaction(async (queries) => {
      const { id: reportId, leaseUntilMs } = toReport(row)
      if (leaseUntilMs === null) return false
      if (!(await settlePending(queries, { reportId, leaseUntilMs, status: 'failed' }))) return false
      await dropUnfinishedKey(queries, reportId)
      await release(queries, { purpose: 'report', subjectId: reportId }, nowMs)
      return true
    }),
  )
}

/** Sends texts again whose sender died or got no answer, as long as their code is still good. Their id keeps a gateway from sending one twice. */
async function sendQueued(parts: SweeperParts): Promise<number> {
  const { database, clock, keys, settings, providers } = parts
  const nowMs = clock()
  const rows = await database.all(
    `SELECT text_message.id, text_message.tenant_id, report_id, send_number, text_message.lease_until_ms, challenge_id,
       text_message.created_at_ms
     FROM text_message JOIN credit_report ON credit_report.id = report_id
     WHERE text_message.status IN ('queued', 'accepted') AND text_message.status = 'queued'
       AND text_message.lease_until_ms < ? AND text_message.created_at_ms >= ? AND credit_report.status = 'challenged'
     ORDER BY text_message.id LIMIT ?`,
    nowMs,
    nowMs - settings.challengeLifetimeMs,
    BATCH_MAX,
  )
  return countEach(rows, async (row) => {
    const [messageId, tenantId, reportId] = [String(row.id), String(row.tenant_id), String(row.report_id)]
    const taken = await database.run(
      `UPDATE text_message SET lease_until_ms = ? WHERE id = ? AND status = 'queued' AND lease_until_ms = ?`,
      nowMs + SEND_LEASE_MS,
      messageId,
      Number(row.lease_until_ms),
    )
    const tenant = await readTenant(database, tenantId, settings)
    if (taken === 0 || tenant === null) return false
    const mobileNumber = await openMobileNumber(database, keys.reports, { tenantId, reportId }).catch(nullIfErased)
    if (mobileNumber === null) return false
    const queuedAtMs = Number(row.created_at_ms)
    const text = { messageId, tenantId, reportId, challengeId: String(row.challenge_id), send: Number(row.send_number) }
    const { name: tenantName, checkoutHost } = tenant
    await sendText(
      { ...parts, sms: providers.sms, challengeLifetimeMs: settings.challengeLifetimeMs },
      { ...text, mobileNumber, tenantName, checkoutHost, queuedAtMs },
    )
    return true
  })
}

/** Erased since the row was read: then there is nobody to text. */
function nullIfErased(error: unknown): null {
  if (error instanceof ApiError && error.code === 'credit-report-not-found') return null
  throw error
}

async function releaseUnacknowledged({ database, clock, onTextSettled }: SweeperParts): Promise<number> {
  const nowMs = clock()
  const rows = await database.all(
    `SELECT id FROM text_message WHERE status IN ('queued', 'accepted') AND created_at_ms < ? ORDER BY id LIMIT ?`,
    nowMs - RECEIPT_WAIT_MS,
    BATCH_MAX,
  )
  return countEach(rows, async (row) => {
    const settled = await settleText(database, { messageId: String(row.id), delivered: false, nowMs })
    if (settled) onTextSettled?.('undelivered')
    return settled
  })
}

/** Works on all rows at once, so that they share a commit. One that fails is told once the others are done. */
async function countEach(rows: Row[], work: (row: Row) => Promise<boolean>): Promise<number> {
  const done = await Promise.allSettled(rows.map(work))
  for (const outcome of done) if (outcome.status === 'rejected') throw outcome.reason
  return done.filter((outcome) => outcome.status === 'fulfilled' && outcome.value).length
}

/** A process with nothing else to do may end meanwhile. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal, ref: false }).catch(() => {})
}
