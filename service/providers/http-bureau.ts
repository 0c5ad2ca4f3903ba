// Credit bureaus over HTTP, one address for all: POST {baseUrl}/bureaus/{bureau}/searches.
import type { Log } from '../log.ts'
import { BureauFile, isAbout, toBureauAnswer } from './bureau-file.ts'
import { ExchangeFailed, expectBody } from './exchange.ts'
import { createProviderClient, type ProviderClient } from './provider-client.ts'
import { type BureauAnswer, type BureauConsumer, type BureauProvider, ProviderUnavailable } from './providers.ts'

/** What one bureau may take, its retry included. */
const BUREAU_TIMEOUT_MS = 8_000

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
      return client.post({
        path: `/bureaus/${encodeURIComponent(bureau)}/searches`,
        // A repeated search leaves one mark on the consumer's file, not two.
        headers: { 'Idempotency-Key': `${creditReportId}-${bureau}` },
        repeatable: true,
        body: JSON.stringify(question(consumer, creditReportId)),
        signal,
        read(answer) {
          const file = expectBody(BureauFile, answer)
          if (!isAbout(file, consumer, creditReportId)) throw new ExchangeFailed('wrong-person')
          return toBureauAnswer(bureau, file)
        },
      })
    },
  }
}

/** What a bureau needs to find somebody, and nothing more: no telephone, no e-mail, no device. */
function question(consumer: BureauConsumer, creditReportId: string) {
  const { title, firstName, middleName, lastName, dateOfBirth, gender, addresses, searchType } = consumer
  return {
    reference: creditReportId,
    searchType,
    person: { title, firstName, middleName, lastName, dateOfBirth, gender },
    addresses,
  }
}
