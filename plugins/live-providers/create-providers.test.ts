import { expect, test } from 'vitest'
import { sampleRequest } from '../../contract/samples.ts'
import { createSilentLog } from '../../service/log.ts'
import { observeProviders, type Providers, ProviderUnavailable } from '../../service/providers/providers.ts'
import { createProviders, simulatedProviders } from './create-providers.ts'
import type { ProviderSettings } from './settings.ts'

const none: ProviderSettings = { bureau: null, risk: null, match: null, sms: null }
const http = { url: 'https://providers.example', token: 'a token' }
const phone: Providers['sms'] = { send: () => Promise.reject(new Error('never sent')) }

function create(settings: Partial<ProviderSettings>): Providers {
  const publicUrl = 'https://reports.example'
  return createProviders({
    settings: { ...none, ...settings },
    bureaus: ['equifax'],
    publicUrl,
    phone,
    log: createSilentLog(),
  })
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

const gaveUp = AbortSignal.abort(new Error('gave up'))
const asked = { creditReportId: 'report-1', tenantId: 'demo-lender', consumer: sampleRequest }

test('what is not set answers at once, invented', async () => {
  const { risk, bureau, match } = create({ match: 'simulated' })
  expect(await risk.assess({ ...asked, device: null }, gaveUp)).toBe('challenge')
  expect(await match?.match({ ...asked, mobileNumber: '+447700900123' }, gaveUp)).toBe('matched')
  expect(bureau.simulated).toBe(true)
})

test('what is set is called over HTTP', async () => {
  const { risk, bureau, match } = create({ risk: http, match: http, bureau: http })
  await expect(risk.assess({ ...asked, device: null }, gaveUp)).rejects.toThrow('gave up')
  await expect(match?.match({ ...asked, mobileNumber: '+447700900123' }, gaveUp)).rejects.toThrow('gave up')
  await expect(bureau.query('equifax', sampleRequest, 'report-1', gaveUp)).rejects.toThrow('gave up')
  expect(bureau.simulated).toBeUndefined()
})

test('a gateway reports to its own path of the public address', () => {
  const receiptUrls: string[] = []
  const sms: ProviderSettings['sms'] = {
    kind: 'twilio',
    from: 'Harbour',
    numbers: [],
    url: http.url,
    createSms({ receiptUrl }) {
      receiptUrls.push(receiptUrl)
      return phone
    },
    readReceipt: () => 'unsigned',
  }
  expect(create({ sms }).sms).toBe(phone)
  expect(receiptUrls).toEqual(['https://reports.example/v1/sms/receipts/twilio'])
})

test('measured providers answer and fail as they did, in the seconds that it took', async () => {
  const error = new ProviderUnavailable('risk', 'time-out')
  const seen: { provider: string; outcome: string; seconds: number }[] = []
  const given = create({ match: 'simulated' })
  const observed = observeProviders({ ...given, risk: { assess: () => Promise.reject(error) } }, (call) => {
    seen.push(call)
  })
  const beganMs = performance.now()
  const answer = await observed.bureau.query('equifax', sampleRequest, 'report-1', gaveUp)
  await expect(observed.risk.assess({ ...asked, device: null }, gaveUp)).rejects.toBe(error)
  const tookSeconds = (performance.now() - beganMs) / 1000
  expect(answer).toEqual(await given.bureau.query('equifax', sampleRequest, 'report-1', gaveUp))
  expect(await observed.match?.match({ ...asked, mobileNumber: '+447700900123' }, gaveUp)).toBe('matched')
  expect(observed.bureau.simulated).toBe(true)
  expect(seen.map(({ provider, outcome }) => `${provider} ${outcome}`)).toEqual([
    'equifax ok',
    'risk time-out',
    'match ok',
  ])
  for (const { seconds } of seen.slice(0, 2)) expect(seconds).toBeLessThanOrEqual(tookSeconds)
  expect(observeProviders(create({}), () => {}).match).toBeNull()
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
