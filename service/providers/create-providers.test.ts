import { expect, test } from 'vitest'
import { createSilentLog } from '../log.ts'
import { createProviders, observeProviders, simulatedProviders } from './create-providers.ts'
import { type Providers, ProviderUnavailable } from './providers.ts'
import type { ProviderSettings } from './settings.ts'

const none: ProviderSettings = { bureau: null, risk: null, match: null, sms: null }
const http = { url: 'https://providers.example', token: 'a token' }
const phone: Providers['sms'] = { send: () => Promise.reject(new Error('never sent')) }

function create(settings: Partial<ProviderSettings>): Providers {
  const publicUrl = 'https://reports.example'
  return createProviders({ settings: { ...none, ...settings }, bureaus: [], publicUrl, phone, log: createSilentLog() })
}

test('without settings the match is left out and the rest is simulated', () => {
  expect(create({})).toMatchObject({ match: null, sms: phone })
  expect(simulatedProviders(none)).toEqual(['bureau', 'risk', 'sms'])
})

test.each(['simulated', http] as const)('a match is there where it is set: %s', (match) => {
  expect(create({ match }).match).not.toBeNull()
})

test('what is simulated is named', () => {
  expect(simulatedProviders({ ...none, match: 'simulated' })).toEqual(['bureau', 'risk', 'sms', 'match'])
  expect(simulatedProviders({ ...none, match: http, bureau: http, risk: http })).toEqual(['sms'])
})

test('each call is counted once, with how it ended', async () => {
  const seen: string[] = []
  const failing = (error: Error) => () => Promise.reject(error)
  const { risk, sms, match } = observeProviders(
    {
      ...create({}),
      risk: { assess: failing(new ProviderUnavailable('risk', 'time-out')) },
      sms: { send: failing(new Error('the caller left')) },
      match: { match: async () => 'match' },
    } as unknown as Providers,
    ({ provider, outcome, seconds }) => {
      expect(seconds).toBeGreaterThanOrEqual(0)
      expect(seconds).toBeLessThan(60)
      seen.push(`${provider} ${outcome}`)
    },
  )
  const given = undefined as never
  await Promise.allSettled([risk.assess(given, given), sms.send(given, given), match?.match(given, given)])
  expect(seen.toSorted()).toEqual(['match ok', 'risk time-out', 'sms abandoned'])
})
