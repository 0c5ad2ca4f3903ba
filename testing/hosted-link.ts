// Test support: a lender that sends links, and the devices they are opened on.
import type { HostedLink, NewLink } from '../contract/link.ts'
import { ORIGIN, startTestService } from './portal-service.ts'
import { createTestBrowser, type TestBrowser } from './proxy-browser.ts'
import { sampleDetails } from './proxy-service.ts'

/** One pixel, in base64. */
export const SMALL_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export type Device = TestBrowser & {
  /** The words and the status of the page. */
  open(query?: string): Promise<{ status: number; text: string }>
  state(): Promise<{ status: string; isOthers?: boolean; isOwn?: boolean; isElsewhere?: boolean }>
  giveBirth(dateOfBirth: string): Promise<{ status: number; text: string }>
  /** Begins a check of the sample person; in live mode on a device that the service knows. */
  check(change?: object, headers?: Record<string, string>): Promise<{ status: number; body: Answer }>
  code(answer: Answer, code: string): Promise<{ status: number; body: Answer }>
}

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
type Answer = any

export type HostedService = Awaited<ReturnType<typeof startHosted>>

export async function startHosted(environment: { [name: string]: string } = {}) {
  const service = await startTestService(environment)
  const tokens = {
    'demo-lender': await service.tokenOf('demo-lender', 'demo-secret'),
    'other-lender': await service.tokenOf('other-lender', 'other-secret'),
  }
  let devices = 0

  async function call(
    route: string,
    body?: object | Uint8Array<ArrayBuffer>,
    { lender = 'demo-lender', by = lender, ...headers }: Lender & { [header: string]: string } = {},
  ): Promise<{ status: number; headers: Headers; body: Answer }> {
    const [method = '', path = ''] = route.split(' ')
    const isBytes = body instanceof Uint8Array
    const sent = body === undefined ? null : isBytes ? body : JSON.stringify(body)
    const response = await service.fetch(
      new Request(`${ORIGIN}/${lender}/v1${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${tokens[by as keyof typeof tokens]}`,
          'Content-Type': isBytes ? 'image/png' : 'application/json',
          ...headers,
        },
        ...(sent !== null && { body: sent }),
      }),
    )
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text && JSON.parse(text) }
  }

  /** A browser on a network of its own, in front of one link. */
  function device(url: string): Device {
    devices += 1
    const path = new URL(url).pathname
    const mount = `${path}/check`
    const browser = createTestBrowser(
      async (request, { remoteAddress } = {}) => service.fetch(request, { incoming: { socket: { remoteAddress } } }),
      { mount, origin: ORIGIN },
    )
    browser.address = `203.0.113.${devices}`
    browser.tab = `tab-${devices}`
    const read = async (response: Response) => ({ status: response.status, text: await response.text() })
    const answer = async (response: Response) => ({ status: response.status, body: await response.json() })
    return Object.assign(browser, {
      open: async (query = '') => read(await browser.get(path + query)),
      state: async () => (await browser.get(`${path}/state`)).json(),
      async giveBirth(dateOfBirth: string) {
        const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
        const [year, month, day] = dateOfBirth.split('-')
        const response = await browser.post(`${path}/open`, `day=${day}&month=${month}&year=${year}`, form)
        return read(response.status === 303 ? await browser.get(path) : response)
      },
      async check(change: object = {}, headers: Record<string, string> = {}) {
        const minted = await service.fetch(
          new Request(`${ORIGIN}/v1/fingerprints/device/sessions`, {
            method: 'POST',
            body: '{}',
            headers: { 'Content-Type': 'text/plain' },
          }),
        )
        const sessionId = await minted.text()
        return answer(await browser.post(mount, { ...sampleDetails, sessionId, ...change }, headers))
      },
      async code({ data }: Answer, code: string) {
        const { challengeId } = data.challenge
        return answer(await browser.post(`${mount}/${data.creditReportId}/otp-challenge`, { challengeId, code }))
      },
    })
  }

  return {
    ...service,
    call,
    device,
    async link(wanted: NewLink = { test: true }): Promise<{ linkId: string; url: string }> {
      const { status, body } = await call('POST /links', wanted)
      if (status !== 201) throw new Error(`${status} ${body.message}`)
      return body.data
    },
    read: async (linkId: string): Promise<HostedLink> => (await call(`GET /links/${linkId}`)).body.data,
    /** The newest code that was texted. */
    async texted(): Promise<string> {
      const texts = await (await service.fetch(new Request(`${ORIGIN}/demo/sms`))).json()
      return /^\d{6}/.exec(texts[0].body)?.[0] ?? ''
    },
    /** The charges for reports of the lender. */
    async captures(): Promise<number> {
      const sql = `SELECT COUNT(*) AS many FROM wallet_line WHERE tenant_id = 'demo-lender' AND kind = 'capture' AND purpose = 'report'`
      return (await service.database.first<{ many: number }>(sql))?.many ?? 0
    },
  }
}

type Lender = { lender?: string; by?: string }
