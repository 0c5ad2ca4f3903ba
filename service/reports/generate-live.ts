// One generate request, live. Credits are held before anyone is asked anything, and no database call is open while a
// provider is:
//
//   P1 transaction   idempotency key · report pending, leased · hold
//   P2 providers     device, risk; the bureaus only if no code is needed
//   P3 transaction   content · the key's answer · capture, release or challenge with its text
//   then             the text leaves
//
// A crash after P1 leaves a leased report. A retry with the same key takes it over and goes on; without one the
// sweeper gives the hold back. Whoever lost its lease writes nothing.
import { describeError } from '../describe-error.ts'
import { ApiError } from '../http/api-error.ts'
import { inProgress } from '../idempotency/key.ts'
import { dropUnfinishedKey, type KeyUse } from '../idempotency/store.ts'
import { takeKey } from '../idempotency/take-key.ts'
import { ProviderUnavailable } from '../providers/providers.ts'
import { DatabaseUnavailable, type Queries } from '../store/database.ts'
import { newId } from '../store/new-id.ts'
import type { TenantAccount } from '../tenants/store.ts'
import { hold, readHeld, release } from '../wallet/store.ts'
import { askProviders } from './ask-providers.ts'
import { type Asked, finishReport, type Work } from './finish-report.ts'
import { type FinishedUse, type GenerateAnswer, isFinished, replayAnswer } from './generate-answer.ts'
import { type ReportOptions, requireAccount, WORK_LEASE_MS } from './report-options.ts'
import { insertReport, settlePending, takeOver } from './store.ts'

const RETRY_AFTER_SECONDS = 5

export type GenerateInput = Asked & { tenantId: string }

export async function generateLive(parts: ReportOptions, input: GenerateInput): Promise<GenerateAnswer> {
  const begun = await begin(parts, input)
  if ('scope' in begun) return replayAnswer(parts, input.tenantId, begun)
  try {
    const findings = await askProviders(parts, { ...begun, request: input.request })
    return await finishReport(parts, input, begun, findings)
  } catch (error) {
    // Whatever went wrong, P3 has not happened: nothing may stay held for a report nobody gets.
    await abandon(parts, begun)
    if (error instanceof ApiError || error instanceof DatabaseUnavailable) throw error
    const who = error instanceof ProviderUnavailable ? { provider: error.provider, code: error.reason } : {}
    const names = { tenantId: input.tenantId, creditReportId: begun.creditReportId, ...who }
    parts.log.warn('report abandoned', { ...names, ...describeError(error) })
    throw new ApiError('unavailable', 'a provider did not answer; nothing was charged, try again', {
      'Retry-After': `${RETRY_AFTER_SECONDS}`,
    })
  }
}

/** P1. */
function begin(
  { database, clock, settings }: ReportOptions,
  { tenantId, key, request }: GenerateInput,
): Promise<Work | FinishedUse> {
  const nowMs = clock()
  const lease = { nowMs, leaseUntilMs: nowMs + WORK_LEASE_MS }
  const creditReportId = newId(nowMs)
  return database.transaction(async (queries) => {
    const tenant = await requireAccount(queries, tenantId, settings)
    const use = await takeKey(queries, key, { creditReportId, answer: null, nowMs })
    if (use !== null) return isFinished(use) ? use : resume(queries, tenant, use, lease)

    const heldCredits = tenant.reportPriceCredits
    const externalReference = request.externalReference || null
    const report = { id: creditReportId, tenantId, test: false, externalReference }
    await insertReport(queries, { ...report, status: 'pending', ...lease })
    await hold(queries, {
      tenantId,
      purpose: 'report',
      subjectId: creditReportId,
      credits: heldCredits,
      creditReportId,
      nowMs,
    })
    return { tenant, creditReportId, leaseUntilMs: lease.leaseUntilMs, heldCredits }
  })
}

/** The first request with this key died: its report and hold are still there, and ours from now on. */
async function resume(
  queries: Queries,
  tenant: TenantAccount,
  { creditReportId }: KeyUse,
  lease: { nowMs: number; leaseUntilMs: number },
): Promise<Work> {
  if (!(await takeOver(queries, { creditReportId, ...lease }))) throw inProgress()
  const heldCredits = await readHeld(queries, { purpose: 'report', subjectId: creditReportId })
  return { tenant, creditReportId, leaseUntilMs: lease.leaseUntilMs, heldCredits }
}

/** Gives the hold back, unless the report has gone its way meanwhile. If even that fails, the sweeper does it later. */
async function abandon({ database, clock, log }: ReportOptions, work: Work): Promise<void> {
  try {
    await database.transaction(async (queries) => {
      if (!(await settlePending(queries, { ...work, status: 'failed', nowMs: clock() }))) return
      await dropUnfinishedKey(queries, work.creditReportId)
      await release(queries, { purpose: 'report', subjectId: work.creditReportId }, clock())
    })
  } catch (error) {
    log.warn('report left to the sweeper', { creditReportId: work.creditReportId, ...describeError(error) })
  }
}
