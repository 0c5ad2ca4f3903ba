// The risk provider over HTTP: POST {url}/assessments.
import * as z from 'zod/mini'
import { Branch } from '../../../contract/generate.ts'
import type { Log } from '../../../service/log.ts'
import { describeConsumer } from '../../../service/providers/consumer.ts'
import type { RiskProvider } from '../../../service/providers/providers.ts'
import { ExchangeFailed, expectBody } from '../exchange.ts'
import { createProviderClient } from '../provider-client.ts'

const RISK_TIMEOUT_MS = 5_000

const Assessment = z.object({ reference: z.string(), decision: Branch })

type HttpRiskOptions = {
  url: string
  token: string
  log: Log
  /** @default RISK_TIMEOUT_MS */
  timeoutMs?: number
}

export function createHttpRisk({ url, token, log, timeoutMs = RISK_TIMEOUT_MS }: HttpRiskOptions): RiskProvider {
  const headers = { Authorization: `Bearer ${token}` }
  const client = createProviderClient({ provider: 'risk', url, headers, timeoutMs, log })
  return {
    async assess({ creditReportId, tenantId, consumer, device }, signal) {
      return client.post({
        path: '/assessments',
        headers: { 'Idempotency-Key': creditReportId },
        repeatable: true,
        body: JSON.stringify({ reference: creditReportId, tenantId, ...describeConsumer('risk', consumer), device }),
        signal,
        read(answer) {
          // Fail closed: a decision that is not one of the three is no decision.
          const { reference, decision } = expectBody(Assessment, answer)
          if (reference !== creditReportId) throw new ExchangeFailed('wrong-person')
          return decision
        },
      })
    },
  }
}
