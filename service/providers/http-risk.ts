// The risk provider over HTTP: POST {baseUrl}/assessments.
import * as z from 'zod/mini'
import { Branch } from '../../contract/generate.ts'
import { read } from '../../contract/problems.ts'
import type { Log } from '../log.ts'
import { createProviderClient } from './provider-client.ts'
import { ProviderUnavailable, type RiskProvider, type RiskQuestion } from './providers.ts'

export const RISK_TIMEOUT_MS = 5_000

const PROVIDER = 'risk'

const Assessment = z.object({ reference: z.string(), decision: Branch })

export type HttpRiskOptions = {
  baseUrl: string
  token: string
  log: Log
  /** @default RISK_TIMEOUT_MS */
  timeoutMs?: number
}

export function createHttpRisk({ baseUrl, token, log, timeoutMs = RISK_TIMEOUT_MS }: HttpRiskOptions): RiskProvider {
  const headers = { Authorization: `Bearer ${token}` }
  const client = createProviderClient({ provider: PROVIDER, baseUrl, headers, timeoutMs, log })
  return {
    async assess(asked, signal) {
      const answer = await client.post({
        path: '/assessments',
        headers: { 'Idempotency-Key': asked.creditReportId },
        repeatable: true,
        body: JSON.stringify(question(asked)),
        signal,
      })
      if (answer.status >= 400) throw new ProviderUnavailable(PROVIDER, 'rejected')
      const assessment = read(Assessment, answer.body)
      // A word we do not know is not a decision: anything but the three would let somebody through by accident.
      if (!assessment.ok || assessment.value.reference !== asked.creditReportId) {
        throw new ProviderUnavailable(PROVIDER, 'garbage')
      }
      return assessment.value.decision
    },
  }
}

function question({ creditReportId, tenantId, consumer, device }: RiskQuestion) {
  const { title, firstName, middleName, lastName, dateOfBirth, addresses, mobileNumber, email, ipAddress } = consumer
  return {
    reference: creditReportId,
    tenantId,
    person: { title, firstName, middleName, lastName, dateOfBirth },
    addresses,
    mobileNumber,
    email,
    ipAddress,
    device,
  }
}
