// One generate request, live. Credits are held before anyone is asked anything, and no database call is open while a
// provider is:
//
//   P1 transaction   the lender · idempotency key · report pending, leased · the person's search of the day · hold
//   P2 providers     device, risk; the bureaus only if no code is needed
//   P3 transaction   content · the key's answer · capture, release or challenge with its text
//   then             the text leaves
//
// A crash after P1 leaves a leased report. A retry with the same key takes it over and goes on; without one the
// sweeper gives the hold back. A worker that lost its lease writes nothing.
import type { ErrorCode } from '../../contract/error.ts'
import type { ReportReason } from '../../contract/report-list.ts'
import { type BoundedMap, createBoundedMap } from '../../kit/bounded-map.ts'
import { newId } from '../../kit/new-id.ts'
import { describeError } from '../describe-error.ts'
import { ApiError } from '../http/api-error.ts'
import { inProgress, requireSameBody } from '../idempotency/key.ts'
import { dropUnfinishedKey, findKey, findUse, type KeyUse, takeKey } from '../idempotency/store.ts'
import { blameOf } from '../providers/providers.ts'
import { DatabaseUnavailable, type Queries } from '../store/database.ts'
import { readTenantAtPrice, type TenantAccount } from '../tenants/store.ts'
import { hold, readHeld, release } from '../wallet/store.ts'
import { askProviders } from './ask-providers.ts'
import { finishReport, type Work } from './finish-report.ts'
import {
  type FinishedUse,
  type GenerateAnswer,
  type GenerateInput,
  isFinished,
  replayAnswer,
} from './generate-answer.ts'
import { keepLease, WORK_LEASE_MS } from './keep-lease.ts'
import { indexPerson } from './people.ts'
import { type ReportOptions, requireAccount, requireActive } from './report-options.ts'
import { wasNeverAsked } from './search-limit.ts'
import { CameTooLate, insertReport, settlePending, takeOver } from './store.ts'

const RETRY_AFTER_SECONDS = 5
/** So many lenders' prices are remembered by a process. */
const PRICES_MAX = 10_000

export function createGenerateLive(options: ReportOptions): (input: GenerateInput) => Promise<GenerateAnswer> {
  // What a report cost each lender last, which saves a question: P1 holds it only if it still is the price.
  const prices = createBoundedMap<number>(PRICES_MAX)
  return (input) => generate(options, prices, input)
}

async function generate(
  options: ReportOptions,
  prices: BoundedMap<number>,
  input: GenerateInput,
): Promise<GenerateAnswer> {
  const work = await begin(options, prices, input).catch(async (error: unknown) => {
    throw await options.searchLimit.explain(options.database, error)
  })
  if ('scope' in work) return replayAnswer(options, { tenantId: input.tenantId, test: false }, work)
  try {
    const findings = await keepLease(options, work, () => askProviders(options, work))
    return await finishReport(options, work, findings)
  } catch (error) {
    // Whatever went wrong, P3 has not happened: no hold may stay for a report that is not delivered.
    const isSearched = work.isSearched && !wasNeverAsked(error)
    await abandon(options, work, { isSearched, reason: reasonOf(error) })
    if (error instanceof CameTooLate) {
      throw new ApiError('unavailable', 'this took too long and was given up; nothing was charged, try again')
    }
    if (error instanceof ApiError || error instanceof DatabaseUnavailable) throw error
    const names = { tenantId: input.tenantId, creditReportId: work.creditReportId, ...blameOf(error) }
    options.log.warn('report abandoned', { ...names, ...describeError(error) })
    throw new ApiError('unavailable', 'a provider did not answer; nothing was charged, try again', {
      'Retry-After': `${RETRY_AFTER_SECONDS}`,
    })
  }
}

/** P1. */
async function begin(
  options: ReportOptions,
  prices: BoundedMap<number>,
  input: GenerateInput,
): Promise<Work | FinishedUse> {
  const { database, clock, settings } = options
  const { tenantId, key } = input
  try {
    return await beginAt(prices.get(tenantId) ?? settings.reportPriceCredits, options, input)
  } catch (error) {
    if (!(error instanceof OtherPrice)) throw error
    const tenant = await requireAccount(database, tenantId, settings)
    const use = tenant.isSuspended && key !== null ? await findKey(database, key, clock()) : null
    // The answer to a check that was begun before.
    if (key !== null && use !== null && isFinished(use)) {
      requireSameBody(use, key)
      return use
    }
    const { reportPriceCredits } = requireActive(tenant)
    prices.set(tenantId, reportPriceCredits)
    return beginAt(reportPriceCredits, options, input)
  }
}

/** The lender is not there, is suspended, or pays another price. */
class OtherPrice extends ApiError {
  constructor() {
    super('unavailable', 'the price of a report changed at this moment; nothing was charged, try again')
  }
}

async function beginAt(
  heldCredits: number,
  { database, clock, keys, settings, searchLimit }: ReportOptions,
  input: GenerateInput,
): Promise<Work | FinishedUse> {
  const { tenantId, key, request } = input
  const nowMs = clock()
  const lease = { nowMs, leaseUntilMs: nowMs + WORK_LEASE_MS }
  const creditReportId = newId(nowMs)
  const externalReference = request.externalReference || null
  const history = { asked: request.bureaus }
  const report = { creditReportId, tenantId, test: false, externalReference, requestId: input.requestId, history }
  const credits = { purpose: 'report', subjectId: creditReportId, credits: heldCredits } as const
  const atPrice = { id: tenantId, defaults: settings, reportPriceCredits: heldCredits, error: () => new OtherPrice() }
  try {
    const [tenant] = await database.batch(tenantId, (queries) =>
      Promise.all([
        readTenantAtPrice(queries, atPrice),
        takeKey(queries, key, { creditReportId, answer: null, nowMs }),
        insertReport(queries, { ...report, status: 'pending', ...lease }),
        hold(queries, { tenantId, creditReportId, ...credits, nowMs }),
        searchLimit.claim(queries, { tenantId, creditReportId, consumer: request }),
        indexPerson(queries, keys.indexes, { tenantId, creditReportId, person: request }),
      ]),
    )
    return { ...input, tenant, creditReportId, leaseUntilMs: lease.leaseUntilMs, heldCredits, isSearched: false }
  } catch (error) {
    const use = await findUse(database, key, { error, nowMs })
    if (isFinished(use)) return use
    const tenant = await requireAccount(database, tenantId, settings)
    return { ...input, ...(await resume(database, tenant, use, lease)) }
  }
}

/** The first request with this key died: its report and hold are still there, and ours from now on. */
async function resume(
  queries: Queries,
  tenant: TenantAccount,
  { creditReportId }: KeyUse,
  lease: { nowMs: number; leaseUntilMs: number },
): Promise<Omit<Work, keyof GenerateInput>> {
  if (!(await takeOver(queries, { creditReportId, ...lease }))) throw inProgress()
  const heldCredits = await readHeld(queries, { purpose: 'report', subjectId: creditReportId })
  return { tenant, creditReportId, leaseUntilMs: lease.leaseUntilMs, heldCredits, isSearched: false }
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
  { database, clock, log, searchLimit }: ReportOptions,
  work: Work,
  { isSearched, reason }: { isSearched: boolean; reason: ReportReason },
): Promise<void> {
  try {
    await database.batch(work.tenant.id, (queries) =>
      Promise.all([
        settlePending(queries, { ...work, status: 'failed', reason, nowMs: clock() }),
        ...(isSearched ? [] : [searchLimit.giveBack(queries, work.creditReportId)]),
        dropUnfinishedKey(queries, work.creditReportId),
        release(queries, { purpose: 'report', subjectId: work.creditReportId }, clock()),
      ]),
    )
  } catch (error) {
    if (error instanceof CameTooLate) return
    log.warn('report left to the sweeper', { creditReportId: work.creditReportId, ...describeError(error) })
  }
}
