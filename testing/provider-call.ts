// Test support: a text to send, and the reason of a call to a provider that failed.
import { expect } from 'vitest'
import type { ProviderUnavailable, TextMessage, Unavailability } from '../service/providers/providers.ts'

export const sampleText: TextMessage = {
  messageId: 'message-1',
  tenantId: 'demo-lender',
  creditReportId: 'report-1',
  from: null,
  to: '+447700900123',
  body: '123456 is your code\n\n@shop.example #123456',
  validSeconds: 300,
}

export async function reasonOf(promise: Promise<unknown>): Promise<Unavailability> {
  const error: ProviderUnavailable = await promise.then(
    () => Promise.reject(new Error('it answered')),
    (reason) => reason,
  )
  expect(error.name).toBe('ProviderUnavailable')
  return error.reason
}
