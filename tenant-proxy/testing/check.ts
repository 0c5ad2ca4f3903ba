import { randomUUID } from 'node:crypto'
import { IDEMPOTENCY_KEY_HEADER } from '../../contract/idempotency.ts'
import { TEST_MODE_CODE } from '../../contract/limits.ts'
import { PROXY_PATH, START_HEADER, TAB_HEADER } from '../../contract/proxy-path.ts'
import { sampleRequest } from '../../contract/samples.ts'
import type { ProxyContext } from '../options.ts'

type Handle = (request: Request, context?: ProxyContext) => Promise<Response>

export type CheckOptions = {
  /** Fields that the consumer types, beside a sample person: `lastName`, `mobileNumber`, `email`, … */
  details?: object
  /** The code the consumer types; null leaves the check open. @default '123456' */
  code?: string | null
  /** The value of the element's attribute `start`, from `proxy.begin()`. */
  start?: string
  /** Sent with each request, for example the cookie of your session. */
  headers?: { [name: string]: string }
  /** The page's origin, if the mount has the option `origins`. @default 'https://shop.test' */
  origin?: string
  /** @default '/credit-reports' */
  path?: string
}

export type PlayedCheck = {
  /** As the browser reads it: `complete`, `blocked`, `failed`, `retry`, `authentication-required`, or `refused`. */
  status: string
  /** Of a refusal: its code, for example `insufficient-funds`. */
  code?: string
  creditReportId?: string
  /** The body of the last answer. */
  body: unknown
  /** The cookies the browser has now. */
  cookie: string
  /** A request of your own page by the same browser, for `proxy.decide(check.request, …)`. */
  request: Request
}

let browsers = 0

/** Plays a check through your proxy as a browser with the widget does: the details, then the code. */
export async function playCheck(proxy: Handle, options: CheckOptions = {}): Promise<PlayedCheck> {
  const { details = {}, code = TEST_MODE_CODE, origin = 'https://shop.test', path = PROXY_PATH } = options
  const cookies = new Map<string, string>()
  const tab = randomUUID()
  browsers += 1
  // Each check comes from another network, so that no limit of the mount counts them together.
  const address = `2001:db8:${(browsers % 0xffff).toString(16)}::1`

  async function send(below: string, body?: unknown) {
    const request = new Request(`${origin}${path}${below}`, {
      headers: {
        ...options.headers,
        Cookie: cookieOf(),
        [TAB_HEADER]: tab,
        'X-Forwarded-For': address,
        ...(options.start && { [START_HEADER]: options.start }),
        ...(body !== undefined && {
          'Content-Type': 'application/json',
          Origin: origin,
          'Sec-Fetch-Site': 'same-origin',
          [IDEMPOTENCY_KEY_HEADER]: randomUUID(),
        }),
      },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })
    const response = await proxy(request, { remoteAddress: address })
    for (const header of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? []
      cookies.set(name, value)
    }
    return { isRefused: !response.ok, body: await response.json() }
  }

  function cookieOf(): string {
    const own = [...cookies].map(([name, value]) => `${name}=${value}`)
    return [options.headers?.Cookie, ...own].filter(Boolean).join('; ')
  }

  // The widget asks how things stand before it lets anyone begin.
  let last = await send('/current')
  let creditReportId: string | undefined
  if (!last.isRefused) {
    last = await send('', { ...sampleDetails, ...details })
    creditReportId = last.body.data?.creditReportId
    const challengeId = last.body.data?.challenge?.challengeId
    if (challengeId && code !== null) last = await send(`/${creditReportId}/otp-challenge`, { challengeId, code })
  }
  const { isRefused, body } = last
  const cookie = cookieOf()
  return {
    status: isRefused ? 'refused' : body.data.status,
    ...(isRefused && { code: body.code }),
    ...(creditReportId && { creditReportId }),
    body,
    cookie,
    request: new Request(`${origin}/`, { headers: { ...options.headers, Cookie: cookie } }),
  }
}

const {
  bureaus: _b,
  ipAddress: _i,
  searchType: _s,
  externalReference: _e,
  test: _t,
  challengeOptions: _c,
  ...typed
} = sampleRequest
/** As the widget sends them. */
const sampleDetails = { ...typed, consent: { version: '2026-10', locale: 'en-GB' } }
