// The providers that say one word about a person over HTTP. Risk (POST {url}/assessments): may this check go on? Match
// (POST {url}/matches): is this number known for this person, and was its SIM changed lately?
import * as z from 'zod/mini'
import { MATCHES } from '../../../contract/credit-report.ts'
import { Branch } from '../../../contract/generate.ts'
import type { Log } from '../../../service/log.ts'
import { describeConsumer } from '../../../service/providers/consumer.ts'
import type { MatchProvider, RiskProvider } from '../../../service/providers/providers.ts'
import { ExchangeFailed, expectBody } from '../exchange.ts'
import { createProviderClient } from '../provider-client.ts'

const RISK_TIMEOUT_MS = 5_000
/** Short, because the consumer waits for a text meanwhile and no answer counts as `unknown`. */
const MATCH_TIMEOUT_MS = 3_000

// Fail closed: a word that is not listed is no answer.
const Assessment = z.object({ reference: z.string(), decision: Branch })
const Match = z.object({ reference: z.string(), result: z.enum(MATCHES) })

type Options = {
  url: string
  token: string
  log: Log
  /** @default RISK_TIMEOUT_MS or MATCH_TIMEOUT_MS */
  timeoutMs?: number
}

export function createHttpRisk({ timeoutMs = RISK_TIMEOUT_MS, ...options }: Options): RiskProvider {
  const ask = asking({ ...options, timeoutMs, provider: 'risk', path: '/assessments', answers: Assessment })
  return {
    async assess({ creditReportId: reference, tenantId, consumer, device }, signal) {
      const body = { reference, tenantId, ...describeConsumer('risk', consumer), device }
      return (await ask(body, signal)).decision
    },
  }
}

export function createHttpMatch({ timeoutMs = MATCH_TIMEOUT_MS, ...options }: Options): MatchProvider {
  const ask = asking({ ...options, timeoutMs, provider: 'match', path: '/matches', answers: Match })
  return {
    async match({ creditReportId: reference, tenantId, consumer, mobileNumber }, signal) {
      const body = { reference, tenantId, ...describeConsumer('match', { ...consumer, mobileNumber }) }
      return (await ask(body, signal)).result
    },
  }
}

type Asking<Answer> = Required<Options> & { provider: string; path: string; answers: z.ZodMiniType<Answer> }

function asking<Answer extends { reference: string }>({ token, path, answers, ...options }: Asking<Answer>) {
  const client = createProviderClient({ ...options, headers: { Authorization: `Bearer ${token}` } })
  return (body: { reference: string }, signal: AbortSignal): Promise<Answer> =>
    client.post({
      path,
      headers: { 'Idempotency-Key': body.reference },
      repeatable: true,
      body: JSON.stringify(body),
      signal,
      read(received) {
        const answer = expectBody(answers, received)
        if (answer.reference !== body.reference) throw new ExchangeFailed('wrong-person')
        return answer
      },
    })
}
