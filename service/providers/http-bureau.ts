// Credit bureaus over HTTP, one address for all: POST {baseUrl}/bureaus/{bureau}/searches.
import type { GenerateRequest } from '../../contract/generate.ts'
import { read } from '../../contract/problems.ts'
import type { Log } from '../log.ts'
import { BureauFile, isAbout, toBureauAnswer } from './bureau-file.ts'
import { createProviderClient, type ProviderClient } from './provider-client.ts'
import { type BureauAnswer, type BureauProvider, ProviderUnavailable } from './providers.ts'

/** What one bureau may take, its retry included. */
export const BUREAU_TIMEOUT_MS = 8_000

export type HttpBureauOptions = {
  baseUrl: string
  token: string
  bureaus: readonly string[]
  log: Log
  /** @default BUREAU_TIMEOUT_MS */
  timeoutMs?: number
}

export function createHttpBureau({
  baseUrl,
  token,
  bureaus,
  log,
  timeoutMs = BUREAU_TIMEOUT_MS,
}: HttpBureauOptions): BureauProvider {
  // A client each, because a circuit each: one bureau's bad day must not close the others.
  const clients = new Map(bureaus.map((bureau): [string, ProviderClient] => [bureau, clientOf(bureau)]))

  function clientOf(bureau: string): ProviderClient {
    const headers = { Authorization: `Bearer ${token}` }
    return createProviderClient({ provider: bureau, baseUrl, headers, timeoutMs, log })
  }

  return {
    async query(bureau, consumer, creditReportId, signal): Promise<BureauAnswer> {
      const client = clients.get(bureau)
      if (!client) throw new ProviderUnavailable(bureau, 'rejected')
      const answer = await client.post({
        path: `/bureaus/${encodeURIComponent(bureau)}/searches`,
        // A repeated search leaves one mark on the consumer's file, not two.
        headers: { 'Idempotency-Key': `${creditReportId}-${bureau}` },
        repeatable: true,
        body: JSON.stringify(question(consumer, creditReportId)),
        signal,
      })
      if (answer.status >= 400) throw refuse(log, bureau, 'rejected', creditReportId)
      const file = read(BureauFile, answer.body)
      if (!file.ok) throw refuse(log, bureau, 'garbage', creditReportId)
      if (!isAbout(file.value, consumer, creditReportId)) throw refuse(log, bureau, 'wrong-person', creditReportId)
      return toBureauAnswer(bureau, file.value)
    },
  }
}

/** What a bureau needs to find somebody, and nothing more: no telephone, no e-mail, no device. */
function question(consumer: GenerateRequest, creditReportId: string) {
  const { title, firstName, middleName, lastName, dateOfBirth, gender, addresses, searchType } = consumer
  return {
    reference: creditReportId,
    searchType,
    person: { title, firstName, middleName, lastName, dateOfBirth, gender },
    addresses,
  }
}

function refuse(log: Log, bureau: string, reason: 'rejected' | 'garbage' | 'wrong-person', creditReportId: string) {
  log.warn('bureau answer refused', { provider: bureau, code: reason, creditReportId })
  return new ProviderUnavailable(bureau, reason)
}
