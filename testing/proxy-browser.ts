// A browser, for tests: what it sends along, and the cookies it keeps by their path.
import { TAB_HEADER } from '../contract/proxy-path.ts'
import type { ProxyContext } from '../tenant-proxy/options.ts'
import { sampleDetails } from './proxy-service.ts'

type Handle = (request: Request, context?: ProxyContext) => Promise<Response>

export const ORIGIN = 'https://shop.lender.example'

export type TestBrowser = {
  cookies: Map<string, { value: string; path: string; header: string }>
  address: string
  /** The id of its tab. */
  tab: string
  /** False in a browser whose owner has forbidden cookies. */
  keepsCookies: boolean
  get(path: string, headers?: Record<string, string>): Promise<Response>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>
  delete(path: string, headers?: Record<string, string>): Promise<Response>
  /** Sends the sample details, changed as asked. */
  generate(change?: object, headers?: Record<string, string>): Promise<Response>
}

export function createTestBrowser(handle: Handle, { mount = '/credit-reports', origin = ORIGIN } = {}): TestBrowser {
  async function send(path: string, init: RequestInit, headers: Record<string, string>) {
    const url = origin + path
    const cookie = [...browser.cookies]
      .filter(([, { path: cookiePath }]) => isBelow(cookiePath, path))
      .toSorted(([, a], [, b]) => b.path.length - a.path.length)
      .map(([key, { value }]) => `${key.split(' ')[0]}=${value}`)
      .join('; ')
    const request = new Request(url, {
      ...init,
      headers: { ...(cookie ? { Cookie: cookie } : {}), [TAB_HEADER]: browser.tab, ...headers },
    })
    const response = await handle(request, { remoteAddress: browser.address })
    if (browser.keepsCookies) for (const header of response.headers.getSetCookie()) keep(header)
    return response
  }

  function keep(header: string) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? []
    const path = /Path=([^;]+)/.exec(header)?.[1] ?? '/'
    if (header.includes('Max-Age=0')) browser.cookies.delete(`${name} ${path}`)
    else browser.cookies.set(`${name} ${path}`, { value, path, header })
  }

  const browser: TestBrowser = {
    cookies: new Map(),
    address: '203.0.113.7',
    tab: 'tab-1',
    keepsCookies: true,
    get: (path, headers = {}) => send(path, {}, headers),
    async post(path, body, headers = {}) {
      // The widget asks how things stand before it lets anyone begin.
      const hasAsked = [...browser.cookies].some(([key, cookie]) => /-probe /.test(key) && isBelow(cookie.path, path))
      if (!hasAsked && !/\/(?:otp-challenge|resend-sms)$/.test(path)) await browser.get(`${path.split('?')[0]}/current`)
      const from = { 'Content-Type': 'application/json', Origin: origin, 'Sec-Fetch-Site': 'same-origin' }
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      return send(path, { method: 'POST', body: text }, { ...from, ...headers })
    },
    delete: (path, headers = {}) =>
      send(path, { method: 'DELETE' }, { Origin: origin, 'Sec-Fetch-Site': 'same-origin', ...headers }),
    generate: (change = {}, headers = {}) => browser.post(mount, { ...sampleDetails, ...change }, headers),
  }
  return browser
}

function isBelow(cookiePath: string, path: string): boolean {
  return cookiePath === '/' || path === cookiePath || path.startsWith(`${cookiePath}/`)
}
