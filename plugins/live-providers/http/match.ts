// The match provider over HTTP: POST {url}/matches. Is this number known for this person, and was its SIM changed
// lately?
import * as z from 'zod/mini'
import { MATCHES } from '../../../contract/credit-report.ts'
import type { Log } from '../../../service/log.ts'
import { describeConsumer } from '../../../service/providers/consumer.ts'
import type { MatchProvider } from '../../../service/providers/providers.ts'
import { ExchangeFailed, expectBody } from '../exchange.ts'
import { createProviderClient } from '../provider-client.ts'

/** Short, because the consumer waits for a text meanwhile and no answer counts as `unknown`. */
const MATCH_TIMEOUT_MS = 3_000

const Match = z.object({ reference: z.string(), result: z.enum(MATCHES) })

type HttpMatchOptions = {
  url: string
  token: string
  log: Log
  /** @default MATCH_TIMEOUT_MS */
  timeoutMs?: number
}

export function createHttpMatch({ url, token, log, timeoutMs = MATCH_TIMEOUT_MS }: HttpMatchOptions): MatchProvider {
  const headers = { Authorization: `Bearer ${token}` }
  const client = createProviderClient({ provider: 'match', url, headers, timeoutMs, log })
  return {
    async match({ creditReportId, tenantId, consumer, mobileNumber }, signal) {
      const about = describeConsumer('match', { ...consumer, mobileNumber })
      return client.post({
        path: '/matches',
        headers: { 'Idempotency-Key': creditReportId },
        repeatable: true,
        body: JSON.stringify({ reference: creditReportId, tenantId, ...about }),
        signal,
        read(answer) {
          const { reference, result } = expectBody(Match, answer)
          if (reference !== creditReportId) throw new ExchangeFailed('wrong-person')
          return result
        },
      })
    },
  }
}
