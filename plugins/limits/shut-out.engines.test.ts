// A stranger who knows a name, a birthday and a postcode begins checks until they are refused. The person they name is
// not.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Match } from '../../contract/credit-report.ts'
import type { GenerateRequest } from '../../contract/generate.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { createFaultyProviders } from '../../testing/faulty-providers.ts'
import { createTestApp, liveRequest, type TestApp } from '../../testing/test-app.ts'

const DAY_SECONDS = 86_400
const VICTIMS_NUMBER = '+447700900999'

onEachEngine('a stranger shuts no one out', (place) => {
  let app: TestApp
  let matches = 0
  beforeAll(async () => {
    const { databaseUrl, dataDir } = await place()
    // Neither simulated texts nor simulated bureaus are limited.
    const sms = { SMS_PROVIDER: 'http', SMS_URL: 'http://127.0.0.1:9', SMS_TOKEN: 'not used', SMS_FROM: 'Harbour' }
    const bureau = { BUREAU_URL: 'http://127.0.0.1:9', BUREAU_TOKEN: 'a token that is long enough' }
    app = await createTestApp({
      databaseUrl,
      dataDir,
      environment: { ...sms, SMS_RECEIPT_SECRET: 'a secret that is not used', ...bureau },
      providers: {
        bureau: createFaultyProviders().providers.bureau,
        sms: { send: async () => 'delivered' },
        match: {
          async match({ mobileNumber }): Promise<Match> {
            matches += 1
            return mobileNumber === VICTIMS_NUMBER ? 'matched' : 'not-matched'
          },
        },
      },
    })
  })
  afterAll(() => app.close())

  const person: GenerateRequest = { ...liveRequest(), firstName: 'Ann', dateOfBirth: '1970-02-03' }
  const strangers = { ipAddress: '203.0.113.7', firstName: 'Any' }
  const number = (serial: number) => `+44770${serial}900100`
  const session = (name: string) => ({ sessionId: name })
  const begin = (changes: Partial<GenerateRequest>) => app.generate({ ...person, ...changes })

  test('with texts: five begun checks refuse the stranger for a day, and the person nowhere', async () => {
    for (let serial = 1; serial <= 5; serial += 1) {
      const begun = await begin({ ...strangers, ...session(`stranger ${serial}`), mobileNumber: number(serial) })
      expect(begun.body.data.status).toBe('authentication-required')
      app.time.nowMs += 10 * 60_000
    }
    const sixth = await begin({ ...strangers, ...session('stranger 6'), mobileNumber: number(6) })
    expect(sixth).toMatchObject({ status: 429, body: { code: 'rate-limited' } })
    // The first of the five is fifty minutes old.
    expect(sixth.headers.get('Retry-After')).toBe(String(DAY_SECONDS - 50 * 60))
    // On a phone that is not known as theirs, on their own network; and with their own number on the stranger's.
    const own = { ipAddress: '198.51.100.20', ...session('own'), mobileNumber: '+447800900111' }
    expect((await begin(own)).status).toBe(200)
    const matched = { ipAddress: strangers.ipAddress, ...session('known'), mobileNumber: VICTIMS_NUMBER }
    expect((await begin(matched)).status).toBe(200)
    expect(matches).toBeGreaterThan(0)
    app.time.nowMs += (DAY_SECONDS - 50 * 60) * 1_000
    expect((await begin({ ...strangers, ...session('stranger 7'), mobileNumber: number(7) })).status).toBe(200)
  })

  test('with searches: five checks that risk allows ask the sixth for a code, and a namesake for nothing', async () => {
    const allowed = { lastName: 'Allow', ipAddress: '198.51.100.30', mobileNumber: '+447810900111' }
    const statusOf = async (changes: Partial<GenerateRequest>) => {
      const { body } = await begin({ ...allowed, ...changes })
      return body.data?.status ?? body.code
    }
    for (let serial = 1; serial <= 5; serial += 1)
      expect(await statusOf({ ...strangers, ...session(`allowed ${serial}`) })).toBe('complete')
    expect(await statusOf({ firstName: strangers.firstName })).toBe('authentication-required')
    expect(await statusOf({ firstName: 'Bea' })).toBe('complete')
  })
})
