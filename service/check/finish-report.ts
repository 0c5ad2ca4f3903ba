// The last transaction of a live generate: the findings, the charge and the answer that a retry replays, all or
// nothing.
import { randomUUID } from 'node:crypto'
import type { AgencyAnswer } from '../../contract/credit-report.ts'
import { isDelivered } from '../../contract/credit-report.ts'
import { type AgencyCount, captureReport, chargeMatch, readBalance, refundOf } from '../ledger/ledger.ts'
import type { TenantAccount } from '../ledger/tenants.ts'
import type { Check } from '../plugin.ts'
import { allThen, type Queries } from '../store/database.ts'
import { queueText, sendText } from '../texts/outbox.ts'
import type { Findings } from './ask-providers.ts'
import { expiresInSeconds, openChallenge } from './challenge.ts'
import type { CheckOptions, CheckSettings } from './check-options.ts'
import { sealConsumer, sealReport } from './content.ts'
import { endWithout, endWithReport } from './end-report.ts'
import {
  blockedResult,
  challengedResult,
  completeResult,
  type GenerateAnswer,
  type GenerateInput,
} from './generate-answer.ts'
import type { History } from './history.ts'
import { keepAnswer } from './idempotency.ts'
import { challengePending, insertSealed, settlePending } from './store.ts'

/** A report in progress: it is ours until the lease ends. */
export type Work = GenerateInput & {
  tenant: TenantAccount
  creditReportId: string
  leaseUntilMs: number
  heldCredits: number
  /** The risk decision alone may not let it complete: a code is needed. */
  needsCode: boolean
  /** A bureau may have been called. */
  isSearched: boolean
}

/** Rejects with `LostRace` when another worker took the lease over. */
export function finishReport(options: CheckOptions, work: Work, findings: Findings): Promise<GenerateAnswer> {
  switch (findings.decision) {
    case 'block':
      return finishBlocked(options, work, findings)
    case 'allow':
      return finishComplete(options, work, findings)
    case 'challenge':
      return finishChallenged(options, work, findings)
  }
}

async function finishBlocked(options: CheckOptions, work: Work, findings: Findings): Promise<GenerateAnswer> {
  const { database, clock, plugins } = options
  const history = historyOf(work, findings)
  const answer = await database.batch(work.tenant.id, (queries) =>
    allThen(
      [
        settlePending(queries, { ...work, status: 'blocked', history, nowMs: clock() }),
        endWithout(options, queries, checkOf(work), { status: 'blocked', ending: 'risk' }),
      ],
      keepAnswerOf(queries, work, blockedResult(work.creditReportId), 0),
    ),
  )
  plugins.heard(checkOf(work), { type: 'ended', ending: 'risk' })
  return answer
}

async function finishComplete(
  options: CheckOptions,
  work: Work,
  findings: Findings & { decision: 'allow' },
): Promise<GenerateAnswer> {
  const { database, clock, keys, settings, plugins } = options
  const { reportJson, agencies, agencyMs, match, isMatchPaid } = findings
  const history = { ...historyOf(work, findings), agencyMs }
  const { tenant, creditReportId, heldCredits } = work
  const delivery = { creditReportId, agencies: countAgencies(agencies) }
  const sealed = sealReport(keys.reports, { tenantId: tenant.id, creditReportId, test: false }, reportJson)
  const result = completeResult(creditReportId, { reportJson, agencies, ...(match && { match }) })
  const answer = await database.batch(tenant.id, (queries) =>
    allThen(
      [
        settlePending(queries, { ...work, status: 'complete', agencies, match, history, nowMs: clock() }),
        insertSealed(queries, { creditReportId, ...sealed }),
        work.onFile(queries, creditReportId),
        captureReport(queries, delivery, clock()),
        endWithReport(options, queries, checkOf(work), agencies),
        ...(isMatchPaid ? [chargeMatch(queries, matchCharge(work, settings, clock()))] : []),
      ],
      keepAnswerOf(queries, work, result, heldCredits - refundOf(heldCredits, delivery.agencies)),
    ),
  )
  plugins.heard(checkOf(work), { type: 'ended', ending: 'complete' })
  return answer
}

async function finishChallenged(
  options: CheckOptions,
  work: Work,
  findings: Findings & { decision: 'challenge' },
): Promise<GenerateAnswer> {
  const { mobileNumber, deviceVerified, match, isMatchPaid } = findings
  const { database, clock, keys, settings, plugins } = options
  const { tenant, creditReportId, heldCredits } = work
  const place = { tenantId: tenant.id, creditReportId, test: false }
  const { ipAddress, sessionId } = work.request
  const origin = { ipAddress, sessionId, consumer: work.request }
  const sealed = sealConsumer(keys.reports, place, { mobileNumber, ...origin })
  const challengeId = randomUUID()
  const nowMs = clock()
  const challenge = openChallenge({ nowMs, deviceVerified })
  const { name: tenantName, checkoutHost, smsSender } = tenant
  const draft = {
    tenantId: tenant.id,
    creditReportId,
    challengeId,
    send: 1,
    mobileNumber,
    tenantName,
    checkoutHost,
    smsSender,
  }
  const result = challengedResult(creditReportId, challengeId)
  const [text, answer] = await database.batch(tenant.id, (queries) =>
    allThen(
      [
        challengePending(queries, { ...work, challengeId, challenge, match, history: historyOf(work, findings) }),
        plugins.challenge(queries, checkOf(work)),
        insertSealed(queries, { creditReportId, ...sealed }),
        ...(isMatchPaid ? [chargeMatch(queries, matchCharge(work, settings, nowMs))] : []),
      ],
      Promise.all([
        queueText(queries, draft, {
          plugins,
          origin: { ...origin, match },
          priceCredits: tenant.textPriceCredits,
          nowMs,
        }),
        keepAnswerOf(queries, work, result, heldCredits),
      ]),
    ),
  )
  await sendText(options, text)
  const moment = { nowMs: clock(), lifetimeMs: settings.challengeLifetimeMs }
  return { ...answer, expiresInSeconds: expiresInSeconds(challenge, moment) }
}

function historyOf({ request }: Work, { deviceVerified, riskMs }: Findings): History {
  return { asked: request.bureaus, deviceVerified, riskMs }
}

function matchCharge({ tenant, creditReportId }: Work, { matchPriceCredits }: CheckSettings, nowMs: number) {
  return { tenantId: tenant.id, creditReportId, credits: matchPriceCredits, nowMs }
}

export function countAgencies(agencies: readonly AgencyAnswer[]): AgencyCount {
  return { asked: agencies.length, delivered: agencies.filter(isDelivered).length }
}

export function checkOf({ request, requestId, tenant, creditReportId }: Work): Check {
  const externalReference = request.externalReference || null
  return { tenantId: tenant.id, creditReportId, test: false, externalReference, requestId }
}

/** Comes last: the balance it says is the one this transaction commits. */
async function keepAnswerOf(
  queries: Queries,
  { key, tenant, creditReportId }: Work,
  result: Pick<GenerateAnswer, 'data' | 'reportJson'>,
  costCredits: number,
): Promise<GenerateAnswer> {
  const kept = { outcome: result.data.status, costCredits, sends: 1 }
  const balance =
    key === null
      ? await readBalance(queries, tenant.id)
      : await keepAnswer(queries, { ...kept, creditReportId, tenantId: tenant.id })
  return { ...result, wallet: { balance, cost: costCredits }, replayed: false, expiresInSeconds: null }
}
