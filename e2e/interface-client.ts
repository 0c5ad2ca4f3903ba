// A client that knows nothing but the wire, for a service in its own process.
import { type ServiceProcess, startServiceProcess } from './service-process.ts'
import { expect, test } from './worker.ts'

export const CONSUMER = {
  sessionId: 'a-device-session',
  bureaus: ['equifax', 'experian', 'transunion'],
  ipAddress: '203.0.113.9',
  searchType: 'pcp',
  firstName: 'Sam',
  lastName: 'Example',
  dateOfBirth: '1985-03-27',
  addresses: [
    {
      type: 'current',
      ukAddress: { buildingNumber: '10', thoroughfare: 'Orchard Lane', townOrCity: 'Ambleford', postcode: 'SW1A 1AA' },
    },
  ],
  mobileNumber: '+447700900123',
}
export const RIGHT = '123456'
export const WRONG = '654321'

export type Json = { [key: string]: unknown }
// biome-ignore lint/suspicious/noExplicitAny: an outside client reads answers as they come
export type Answer = { status: number; headers: Headers; body: any }

/** Starts a service for the tests of a file, and speaks to it. */
export function useInterface() {
  let started: ServiceProcess | null = null
  const service = (): ServiceProcess => {
    if (started === null) throw new Error('the service starts before the first test')
    return started
  }
  test.describe.configure({ mode: 'default' })
  test.beforeAll(async () => {
    started = await startServiceProcess({ RATE_LIMIT_PER_MINUTE: '100000' })
  })
  test.afterAll(() => started?.stop())

  async function token(client = 'demo-lender', secret = 'demo-secret'): Promise<string> {
    const response = await fetch(`${service().url}/v1/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${client}:${secret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    })
    const { access_token, token_type, expires_in } = await response.json()
    expect({ token_type, expires_in }).toEqual({ token_type: 'Bearer', expires_in: 900 })
    return access_token
  }

  async function call(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const authorization = headers.authorization ?? `Bearer ${await token()}`
    const response = await fetch(service().url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...headers, authorization },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
    }
  }

  const generate = (fields: Json = {}, headers: Record<string, string> = {}, tenant = 'demo-lender') =>
    call(`/${tenant}/v1/credit-reports`, { ...CONSUMER, ...fields }, headers)
  const inTest = (branch: string, fields: Json = {}) =>
    generate({ test: true, challengeOptions: { status: branch }, ...fields })

  async function challenged(fields: Json = {}) {
    const { body } = await inTest('challenge', fields)
    const { creditReportId, challenge } = body.data
    const path = `/demo-lender/v1/credit-reports/${creditReportId}`
    return {
      creditReportId,
      challengeId: challenge.challengeId,
      submit: (code: unknown, challengeId = challenge.challengeId) =>
        call(`${path}/otp-challenge`, { challengeId, code }),
      resend: (headers: Record<string, string> = {}) =>
        call(`${path}/resend-sms`, { challengeId: challenge.challengeId }, headers),
    }
  }

  const balance = async (tenant = 'demo-lender') => (await call(`/${tenant}/v1/wallet`)).body.data.balanceCredits
  const advance = (seconds: number) => call('/demo/clock', { advanceSeconds: seconds })

  return { service, token, call, generate, inTest, challenged, balance, advance }
}
