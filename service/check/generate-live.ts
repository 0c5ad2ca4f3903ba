// One generate request, live. Credits are held before anyone is asked anything, and no database call is open while a
// provider is:
//
//   P1 transaction   the lender · idempotency key · hold · report pending, leased · plugins
//   P2 providers     device, risk; the bureaus only if no code is needed
//   P3 transaction   content · the key's answer · capture, release or challenge with its text
//   then             the text leaves
//
// A crash after P1 leaves a leased report. A retry with the same key takes it over and goes on; without one the
// sweeper gives the hold back. A worker that lost its lease writes nothing.
import type { ErrorCode } from '../../contract/error.ts'
import type { ReportReason } from '../../contract/report-list.ts'
import { newId } from '../../kit/new-id.ts'
import { describeError } from '../describe-error.ts'
import { ApiError } from '../http/api-error.ts'
import { inProgress } from '../http/idempotency-key.ts'
import { holdIdOf, holdReport, readHeld, release } from '../ledger/ledger.ts'
import { readTenant, type TenantAccount } from '../ledger/tenants.ts'
import type { KnownCheck } from '../plugin.ts'
import { blameOf, wasNeverAsked } from '../providers/providers.ts'
import { allThen, DatabaseUnavailable } from '../store/database.ts'
import { askProviders } from './ask-providers.ts'
import { type CheckOptions, requireAccount, requireActive, requireTenant } from './check-options.ts'
import { checkOf, finishReport, type Work } from './finish-report.ts'
import {
  type FinishedUse,
  type GenerateAnswer,
  type GenerateInput,
  isFinished,
  replayAnswer,
} from './generate-answer.ts'
import { dropUnfinishedKey, findUse, takeKey } from './idempotency.ts'
import { keepLease, WORK_LEASE_MS } from './keep-lease.ts'
import { insertReport, LostRace, settlePending, takeOver } from './store.ts'

const RETRY_AFTER_SECONDS = 5

export async function generateLive(options: CheckOptions, input: GenerateInput): Promise<GenerateAnswer> {
  const whose = { tenantId: input.tenantId, test: false }
  const work = await begin(options, input).catch(async (error: unknown) => {
    const explained = await options.plugins.explain(options.database, error)
    if (explained instanceof ApiError) options.plugins.heard(whose, { type: 'refused', code: explained.code })
    throw explained
  })
  if ('scope' in work) return replayAnswer(options, whose, work)
  try {
    const findings = await keepLease(options, work, () => askProviders(options, work))
    return await finishReport(options, work, findings)
  } catch (error) {
    // P3 has not happened, so no hold may stay for a report that is not delivered.
    const isSearched = work.isSearched && !wasNeverAsked(error)
    await abandon(options, work, { isSearched, reason: reasonOf(error) })
    if (error instanceof LostRace) {
      throw new ApiError('unavailable', 'this took too long and was given up; nothing was charged, try again')
    }
    if (error instanceof ApiError || error instanceof DatabaseUnavailable) {
      throw await options.plugins.explain(options.database, error)
    }
    const names = { tenantId: input.tenantId, creditReportId: work.creditReportId, ...blameOf(error) }
    options.log.warn('report abandoned', { ...names, ...describeError(error) })
    throw new ApiError('unavailable', 'a provider did not answer; nothing was charged, try again', {
      'Retry-After': `${RETRY_AFTER_SECONDS}`,
    })
  }
}

/** P1. */
async function begin(
  { database, clock, settings, plugins }: CheckOptions,
  input: GenerateInput,
): Promise<Work | FinishedUse> {
  const { tenantId, key, request } = input
  const nowMs = clock()
  const lease = { nowMs, leaseUntilMs: nowMs + WORK_LEASE_MS }
  const creditReportId = newId(nowMs)
  const externalReference = request.externalReference || null
  const check = { tenantId, test: false, externalReference, requestId: input.requestId }
  const report = { creditReportId, status: 'pending', history: { asked: request.bureaus }, ...check, ...lease } as const
  const { reportPriceCredits } = settings
  const holdId = holdIdOf({ purpose: 'report', subjectId: creditReportId })
  try {
    const [tenant, heldCredits, , , { needsCode }] = await database.batch(tenantId, (queries) =>
      // The key comes first: a repeated request is answered even if the lender may begin nothing now.
      allThen(
        [takeKey(queries, key, { creditReportId, answer: null, nowMs })],
        Promise.all([
          readTenant(queries, tenantId, settings),
          holdReport(queries, { tenantId, creditReportId, reportPriceCredits, nowMs }),
          insertReport(queries, report),
          plugins.hold(queries, { tenantId, purpose: 'report', holdId, nowMs }),
          plugins.begin(queries, { creditReportId, consumer: request, ...check }),
        ]),
      ),
    )
    const { leaseUntilMs } = lease
    const work = { tenant: requireTenant(tenant), creditReportId, leaseUntilMs, heldCredits, needsCode }
    return { ...input, ...work, isSearched: false }
  } catch (error) {
    const tenant = await requireAccount(database, tenantId, settings)
    if (error instanceof ApiError && error.code === 'insufficient-funds') requireActive(tenant)
    const use = await findUse(database, key, { error, nowMs })
    if (isFinished(use)) return use
    const known = { creditReportId: use.creditReportId, consumer: request, ...check }
    return { ...input, ...(await resume({ database, plugins }, tenant, known, lease)) }
  }
}

/** The first request with this key died: its report and hold are still there, and ours from now on. */
async function resume(
  { database, plugins }: Pick<CheckOptions, 'database' | 'plugins'>,
  tenant: TenantAccount,
  check: KnownCheck,
  lease: { nowMs: number; leaseUntilMs: number },
) {
  const { creditReportId } = check
  const taken = await takeOver(database, { creditReportId, ...lease })
  if (taken === null) throw inProgress()
  const [heldCredits, { needsCode }] = await database.batch(tenant.id, (queries) =>
    Promise.all([
      readHeld(queries, { purpose: 'report', subjectId: creditReportId }),
      // The first process had asked whether a code is needed, and its answer was lost with it.
      plugins.begin(queries, { ...check, ...taken }),
    ]),
  )
  return {
    tenant,
    creditReportId,
    ...taken,
    leaseUntilMs: lease.leaseUntilMs,
    heldCredits,
    needsCode,
    isSearched: false,
  }
}

function reasonOf(error: unknown): ReportReason {
  if (error instanceof DatabaseUnavailable) return 'interrupted'
  return (error instanceof ApiError && REASON_OF[error.code]) || 'provider'
}

const REASON_OF: { readonly [code in ErrorCode]?: ReportReason } = {
  'validation-error': 'mobile-number',
  'insufficient-funds': 'funds',
  'spend-cap-reached': 'spend-cap',
  'rate-limited': 'text-limit',
}

/** Gives the hold back, unless the report has gone its way meanwhile. If even that fails, the sweeper does it later. */
async function abandon(
  { database, clock, log, plugins }: CheckOptions,
  work: Work,
  { isSearched, reason }: { isSearched: boolean; reason: ReportReason },
): Promise<void> {
  try {
    await database.batch(work.tenant.id, (queries) =>
      Promise.all([
        settlePending(queries, { ...work, status: 'failed', reason, nowMs: clock() }),
        plugins.abandon(queries, checkOf(work), isSearched),
        dropUnfinishedKey(queries, work.creditReportId),
        release(queries, { purpose: 'report', subjectId: work.creditReportId }, clock()),
      ]),
    )
    plugins.heard(checkOf(work), { type: 'abandoned', ending: reason })
  } catch (error) {
    if (error instanceof LostRace) return
    log.warn('report left to the sweeper', { creditReportId: work.creditReportId, ...describeError(error) })
  }
}
