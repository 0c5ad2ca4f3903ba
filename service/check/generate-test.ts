// One generate request in test mode: no bureau, no text, no credits, and therefore one transaction.
import { randomUUID } from 'node:crypto'
import { isDelivered } from '../../contract/credit-report.ts'
import type { Branch, GenerateRequest } from '../../contract/generate.ts'
import { playedAgency, playedChallenge, playedMatch, type Trigger, triggerOf } from '../../contract/test-triggers.ts'
import { newId } from '../../kit/new-id.ts'
import { PlayedError } from '../http/api-error.ts'
import { inProgress } from '../http/idempotency-key.ts'
import { scenarioOf, simulateBureaus } from '../providers/simulated/synthetic.ts'
import { agencyOf, type MadeReport } from './ask-providers.ts'
import { expiresInSeconds, openChallenge } from './challenge.ts'
import { type CheckOptions, momentOf, refuseWhatIsPlayed, requireAccount, requireActive } from './check-options.ts'
import { sealReport } from './content.ts'
import {
  blockedResult,
  challengedResult,
  completeResult,
  type GenerateAnswer,
  type GenerateInput,
  isFinished,
  replayAnswer,
} from './generate-answer.ts'
import { findUse, takeKey } from './idempotency.ts'
import { mergeReport } from './merge.ts'
import { insertReport, insertSealed } from './store.ts'

export async function generateTest(options: CheckOptions, input: GenerateInput): Promise<GenerateAnswer> {
  const { database, clock, keys, settings, plugins } = options
  const { request, tenantId, key, requestId } = input
  const nowMs = clock()
  const creditReportId = newId(nowMs)
  const challengeId = randomUUID()
  const branch = request.challengeOptions?.status ?? 'allow'
  const trigger = triggerOf(request)
  const place = { tenantId, creditReportId, test: true }
  const tenant = requireActive(await requireAccount(database, tenantId, settings))
  refuseWhatIsPlayed(trigger, 'generate')
  const made = branch === 'block' ? null : inventReport(request, trigger)
  const match = playedMatch(trigger)
  const sealed = made === null ? null : sealReport(keys.reports, place, made.reportJson)
  const result = resultOf(branch)

  const moment = momentOf(options, tenant, { test: true })
  const deviceVerified = playedChallenge(trigger) !== 'device'
  const challenge = openChallenge({ nowMs: moment.nowMs, deviceVerified })
  // Spread last, here and below: on Node 20 fields behind a spread cost fifty times as much.
  const answer: GenerateAnswer = {
    wallet: { balance: tenant.balanceCredits, cost: 0 },
    replayed: false,
    expiresInSeconds: branch === 'challenge' ? expiresInSeconds(challenge, moment) : null,
    ...result,
  }
  const { balanceCredits } = tenant
  const kept = {
    outcome: result.data.status,
    sends: 1,
    costCredits: 0,
    balanceCredits,
  }
  const externalReference = request.externalReference || null
  const history = { asked: request.bureaus, deviceVerified, ...(trigger && { plays: trigger.value }) }
  const check = { creditReportId, tenantId, test: true, externalReference, requestId }
  const end =
    made === null
      ? ({ status: 'blocked', ending: 'risk', agencies: null } as const)
      : ({ status: 'complete', ending: 'complete', agencies: made.agencies } as const)
  try {
    await database.batch(tenantId, (queries) =>
      Promise.all([
        takeKey(queries, key, { creditReportId, answer: kept, nowMs }),
        insertReport(queries, {
          creditReportId,
          tenantId,
          test: true,
          externalReference,
          match,
          requestId,
          history,
          nowMs,
          ...(made === null
            ? { status: 'blocked' }
            : branch === 'challenge'
              ? { status: 'challenged', challengeId, challenge, agencies: made.agencies }
              : { status: 'complete', agencies: made.agencies }),
        }),
        branch !== 'challenge' && plugins.end(queries, check, end),
        sealed !== null && insertSealed(queries, { creditReportId, ...sealed }),
        // Real people are typed into test mode too.
        plugins.begin(queries, { consumer: request, ...check }),
      ]),
    )
    if (branch !== 'challenge') plugins.heard(check, { type: 'ended', ending: end.ending })
    return answer
  } catch (error) {
    const use = await findUse(database, key, { error: await plugins.explain(database, error), nowMs })
    if (!isFinished(use)) throw inProgress()
    return replayAnswer(options, { tenantId, test: true }, use)
  }

  function resultOf(branch: Branch) {
    if (made === null) return blockedResult(creditReportId)
    return branch === 'allow'
      ? completeResult(creditReportId, { ...made, ...(match && { match }) })
      : challengedResult(creditReportId, challengeId)
  }
}

/** Deterministic: the same person gets the same report. */
function inventReport(request: GenerateRequest, trigger: Trigger | null): MadeReport {
  const played = playedAgency(trigger)
  const left = played === null ? [] : request.bureaus.slice(-1).map((id) => ({ id, status: played }))
  const bureaus = request.bureaus.slice(0, request.bureaus.length - left.length)
  const answers = simulateBureaus({ ...request, bureaus }, scenarioOf(request.email))
  const agencies = [...answers.map(agencyOf), ...left]
  if (!agencies.some(isDelivered)) throw new PlayedError('unavailable', 'in this test no agency answers')
  return { reportJson: JSON.stringify(mergeReport(request, answers)), agencies, agencyMs: {} }
}
