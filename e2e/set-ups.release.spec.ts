// Forty-seven set-ups of a lender, each wrong in one way or unusual: what works, and otherwise what the log (the events
// and warnings of the built proxy), `proxy.doctor({ url })`, `diagnose()` and the browser's console say before a
// consumer has filled in anything. What a row does not name says nothing: a wrong cause fails it too.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import express from 'express'
import { browserLaunchOptions } from '../scripts/ensure-browser.mjs'
import type { PageOptions } from './widget-pages/host-page.ts'
import { answerPage } from './widget-pages/host-page.ts'
import { createConsumer } from './widget-pages/stage.ts'
import { expect, test } from './worker.ts'

const shell = browserLaunchOptions()
// Browsers take no name of this machine for one that needs https.
const args = [...(shell.args ?? []), '--host-resolver-rules=MAP shop.test 127.0.0.1']
test.use({ launchOptions: { ...shell, args } })
test.describe.configure({ mode: 'default' })

type Front = express.RequestHandler
type Finding = { ok: boolean; check: string; message: string; fix?: string }
type TenantProxy = ((request: Request) => Promise<Response>) & {
  doctor(where: { url: string }): Promise<Finding[]>
  drain(): Promise<void>
}
type BuiltProxy = {
  createTenantProxy(options: object): TenantProxy
  toExpress(proxy: TenantProxy): Front
}

/** The lender's package as it is built, which types are checked before. */
const BUILT: string = 'credit-report-widget/tenant-proxy'
type Parts = { service: string; device: string; other: string }
type SetUp = {
  name: string
  options?: (parts: Parts) => object
  environment?: 'production'
  /** The lender's server before the mount, or instead of it. */
  arrange?: (app: express.Express, mount: Front, proxy: TenantProxy) => unknown
  page?: (parts: Parts) => PageOptions
  host?: string
  /** The steps of the page before the doctor looks at it. */
  visit?: (page: Page) => Promise<unknown>
  /** The page says at once that there is no check, instead of showing a form that leads nowhere. */
  isEnded?: true
  /** The places that report it, with their words; none where it works. */
  reported: Partial<Record<Place, readonly RegExp[]>>
}
const PLACES = ['start', 'log', 'doctor', 'diagnose', 'console'] as const
type Place = (typeof PLACES)[number]
const SETTLED_MS = 1_500

const before =
  (front: Front): NonNullable<SetUp['arrange']> =>
  (app, mount) =>
    app.use(front, mount)
const isScript = (path: string) => path.endsWith('.js')
const refuse = (status: number, body: object | string, isMeant = ({ method }: express.Request) => method !== 'GET') =>
  before((request, response, next) => (isMeant(request) ? void response.status(status).send(body) : next()))
const redirect = (to: (url: string) => string, isMeant: (path: string) => boolean, status = 302) =>
  before((request, response, next) => (isMeant(request.path) ? response.redirect(status, to(request.url)) : next()))
const policy = (words: string) => ({ headers: { 'Content-Security-Policy': words } })

/** Answers are kept by their path. */
function cache(): NonNullable<SetUp['arrange']> {
  const kept = new Map<string, { type: string; body: Buffer }>()
  return before(({ method, path }, response, next) => {
    const known = kept.get(path)
    if (method !== 'GET' || isScript(path)) return next()
    if (known) return void response.type(known.type).send(known.body)
    const { end } = response
    response.end = ((body: Buffer) => {
      kept.set(path, { type: String(response.getHeader('Content-Type')), body: Buffer.from(body) })
      return end.call(response, body as never, 'utf8')
    }) as never
    next()
  })
}

const WORKER = `self.onactivate = (event) => event.waitUntil(clients.claim())
  self.onfetch = (event) => event.respondWith((async () => {
    const cache = await caches.open('shop')
    const isRead = event.request.method === 'GET'
    const known = isRead && await cache.match(event.request, { ignoreSearch: true })
    if (known) return known
    const answer = await fetch(event.request)
    if (isRead) cache.put(event.request, answer.clone())
    return answer
  })())`

const HINT = /^credit-report-widget: \S+\. For the cause and the fix, call diagnose\(\)/
const POLICY = /violates the following Content Security Policy directive/
const PLAIN = /the page at http:\/\/shop\.test:\d+ is on plain http/
const HOST = /this server gets the host internal: .* pass `Host` on/
const HOPS = /with the header x-forwarded-for, and `trustedHops` is 0: set `trustedHops`/
const OUTSIDE = /a request for \/\w+\/credit-reports\/\S+ .* mounted at \/credit-reports: set `path`/
const SCRIPT_BLOCKED = [/^fingerprint-not-run: /, /^policy-blocks: .*script-src/]

/** A page that asks for the mount below a path that the server puts before it. */
const below = (prefix: string) => () => ({
  attributes: `endpoint="${prefix}/credit-reports"`,
  script: `<script async src="${prefix}/credit-reports/widget.js"></script>`,
})

const setUps: SetUp[] = [
  // The proxy's options, and what it is given.
  {
    name: 'an environment variable that is missing',
    options: () => ({ tenantId: undefined }),
    reported: { start: [/`tenantId` must be a text \(is the environment variable set\?\), not undefined$/] },
  },
  {
    name: 'a misspelt option',
    options: () => ({ onreport: () => {} }),
    reported: { start: [/no option `onreport`: write `onReport`$/] },
  },
  {
    name: 'test mode in production',
    environment: 'production',
    options: () => ({ test: true }),
    reported: {
      log: [/^test mode in production: .* remove `test`$/],
      doctor: [/^configuration: test mode in production/],
    },
  },
  {
    name: 'a service with a path',
    options: ({ service }) => ({ service: `${service}/v1` }),
    reported: { start: [/`service` must be the address of the service without a path/] },
  },
  {
    name: 'a wrong secret',
    isEnded: true,
    options: () => ({ credentials: { clientId: 'demo-lender', clientSecret: 'wrong' } }),
    reported: {
      log: [/^credentials: .* check `credentials`/],
      doctor: [/^credentials: .* check `credentials`/, /^mount: The proxy at \/credit-reports refuses every check/],
      diagnose: [/^proxy-misconfigured: /],
    },
  },
  {
    name: 'the address of some other site',
    isEnded: true,
    options: ({ other }) => ({ service: other }),
    reported: {
      log: [/^service: answers 404 .* check `service`: this is not the service$/],
      doctor: [
        /^service: answers 404 .* check `service`: this is not the service$/,
        /^mount: The proxy at \/credit-reports refuses every check/,
      ],
      diagnose: [/^proxy-misconfigured: /],
    },
  },
  {
    name: 'a service that cannot be reached',
    options: () => ({ service: 'http://127.0.0.1:9' }),
    reported: {
      log: [/^unavailable$/, /^service: does not answer at /],
      doctor: [/^service: does not answer at /, /^mount: POST .* the service gives it no answer/],
      diagnose: [/^service-away: /],
    },
  },
  {
    name: 'the tenant of another lender',
    isEnded: true,
    options: () => ({ tenantId: 'other-lender' }),
    reported: {
      log: [/^tenant: .* may not act for other-lender: check `tenantId`$/],
      doctor: [
        /^tenant: .* may not act for other-lender: check `tenantId`$/,
        /^mount: The proxy at \/credit-reports refuses every check/,
      ],
      diagnose: [/^proxy-misconfigured: /],
    },
  },
  {
    name: 'an empty wallet',
    isEnded: true,
    options: () => ({
      test: false,
      tenantId: 'empty-lender',
      credentials: { clientId: 'empty-lender', clientSecret: 'empty-secret' },
    }),
    reported: {
      log: [/^insufficient-funds$/, /^wallet: holds 0 credits, and a report costs 500: top/],
      doctor: [/^wallet: holds 0 credits, and a report costs 500: top/, /^mount: GET .* the wallet .* does not pay/],
      diagnose: [/^wallet-empty: /],
    },
  },
  {
    name: 'a bureau that does not exist',
    isEnded: true,
    options: () => ({ bureaus: ['acme'] }),
    reported: {
      log: [/^agencies: the service knows no bureau acme/],
      doctor: [
        /^agencies: the service knows no bureau acme/,
        /^mount: The proxy at \/credit-reports refuses every check/,
      ],
      diagnose: [/^proxy-misconfigured: /],
    },
  },
  {
    name: 'a clock that is off',
    options: () => ({ clock: () => Date.now() + 600_000 }),
    reported: { log: [/^clock: is 60\d s ahead of the service/], doctor: [/^clock: is 60\d s ahead of the service/] },
  },
  {
    name: 'a secret that is not there at the first request',
    options: () => ({ credentials: () => ({ clientId: 'demo-lender', clientSecret: undefined }) }),
    reported: {
      log: [/`credentials.clientSecret` must be a text/],
      doctor: [/^configuration: .*`credentials.clientSecret` must be a text/],
      console: [/MIME type/],
    },
  },
  {
    name: 'texts that are simulated behind a live mount',
    isEnded: true,
    // The demo's service does not say it of itself.
    options: () => ({
      test: false,
      fetch: async (url: string, init: RequestInit) => {
        const answer = await fetch(url, init)
        if (!url.endsWith('/wallet')) return answer
        const { meta, data } = await answer.json()
        return Response.json({ meta, data: { ...data, simulated: ['sms'] } })
      },
    }),
    reported: {
      log: [/^providers: texts are simulated .* set `test: true`/],
      doctor: [
        /^providers: texts are simulated .* set `test: true`/,
        /^mount: The proxy at \/credit-reports refuses every check/,
      ],
      diagnose: [/^proxy-misconfigured: /],
    },
  },
  // The mount, and the requests that reach it.
  {
    name: 'a function that is given another path',
    options: () => ({ path: '/checks' }),
    arrange: (app, _mount, proxy) =>
      app.use(async (request, response) => {
        const answer = await proxy(new Request(`http://${request.headers.host}${request.originalUrl}`))
        response
          .status(answer.status)
          .type(answer.headers.get('Content-Type') ?? '')
          .send(await answer.text())
      }),
    reported: {
      log: [
        /^a request for \/credit-reports\/widget\.js .* mounted at \/checks: set `path`/,
        /^configuration: a request for \/credit-reports\/widget\.js .* mounted at \/checks: set `path`/,
      ],
      doctor: [
        /^configuration: a request for \/credit-reports\/widget\.js .* mounted at \/checks: set `path`/,
        /^mount: the script at .* is answered 404/,
      ],
    },
  },
  {
    name: 'a page on plain http',
    options: () => ({ secureCookies: true }),
    host: 'shop.test',
    reported: { log: [PLAIN], doctor: [PLAIN], diagnose: [/^not-secure: /] },
  },
  {
    name: 'a front that changes Host',
    arrange: before((request, _response, next) => {
      request.headers.host = 'internal:3000'
      Reflect.deleteProperty(request.headers, 'sec-fetch-site')
      next()
    }),
    reported: {
      log: [HOST],
      doctor: [HOST, /^mount: POST .* another host than the browser sees/],
      diagnose: [/^page-refused: /],
    },
  },
  {
    name: 'a front whose hops are not counted',
    arrange: before((request, _response, next) => {
      request.headers['x-forwarded-for'] = '203.0.113.7'
      next()
    }),
    reported: { log: [HOPS], doctor: [HOPS] },
  },
  {
    name: 'a front that drops cookies',
    arrange: before((request, _response, next) => {
      Reflect.deleteProperty(request.headers, 'cookie')
      next()
    }),
    visit: async (page) => {
      for (let time = 0; time < 5; time += 1) await page.reload({ waitUntil: 'networkidle' })
    },
    reported: {
      log: [/none came back: let what stands in front pass/],
      doctor: [/^configuration: .* none came back/, /^mount: a cookie does not come back/],
    },
  },
  {
    name: 'a body that is read and dropped',
    arrange: before((request, _response, next) => void request.once('end', () => next()).resume()),
    reported: {
      log: [/reads the body and leaves nothing of it: mount the proxy first$/],
      doctor: [/^mount: .* reads the body and leaves nothing of it/],
      diagnose: [/^proxy-misconfigured: .* reads the body/],
    },
  },
  // The page.
  {
    name: 'Trusted Types and no tag for the fingerprint script',
    page: () => ({ fingerprint: '', ...policy("require-trusted-types-for 'script'") }),
    reported: {
      diagnose: [/^fingerprint-no-tag: /, /^fingerprint-not-run: /, /^policy-blocks: .*require-trusted-types-for/],
      console: [/TrustedScriptURL/],
    },
  },
  {
    name: 'script-src without the service',
    page: () => policy("script-src 'self'"),
    reported: { diagnose: SCRIPT_BLOCKED, console: [POLICY] },
  },
  {
    name: 'connect-src without the service',
    page: () => policy("connect-src 'self'"),
    reported: { diagnose: [/^policy-blocks: .*connect-src/], console: [POLICY] },
  },
  {
    name: 'an endpoint on another origin',
    page: () => ({ attributes: 'endpoint="https://a.example/b"' }),
    reported: { diagnose: [/^endpoint-not-same-origin: /] },
  },
  {
    name: 'script-src without the page itself',
    page: ({ service }) => policy(`script-src ${service}`),
    reported: { console: [POLICY] },
  },
  {
    name: 'chunks that are not there',
    arrange: refuse(404, '', ({ path }) => /\.\S+\.js$/.test(path)),
    reported: { diagnose: [/^chunk-blocked: /] },
  },
  // Software in front.
  {
    name: 'a login that answers 401',
    arrange: refuse(401, '', ({ path }) => !isScript(path)),
    reported: {
      doctor: [/^mount: GET .* refused with 401, probably by a login/],
      diagnose: [/^proxy-guarded: .* 401/],
    },
  },
  {
    name: 'a login that redirects',
    arrange: redirect(
      () => '/login',
      (path) => !isScript(path),
    ),
    reported: {
      doctor: [/^mount: GET .* redirected to .*\/login, probably by a login/],
      diagnose: [/^proxy-guarded: .* redirected/],
    },
  },
  { name: 'express.raw() before the mount', arrange: before(express.raw({ type: () => true })), reported: {} },
  { name: 'express.text() before the mount', arrange: before(express.text({ type: () => true })), reported: {} },
  {
    name: 'compression before the mount',
    arrange: before(({ headers }, response, next) => {
      if (!headers['accept-encoding']) return next()
      const { writeHead, end } = response
      response.writeHead = ((status: number, headers: Record<string, string>) => {
        const { 'Content-Length': _length, ...others } = headers
        if (others['Content-Encoding']) return writeHead.call(response, status, headers as never)
        response.end = ((body: Buffer) => end.call(response, gzipSync(body ?? '') as never, 'utf8')) as never
        return writeHead.call(response, status, { ...others, 'Content-Encoding': 'gzip' } as never)
      }) as never
      next()
    }),
    reported: {},
  },
  {
    name: 'a session cookie before the mount',
    arrange: before((_request, response, next) => {
      response.cookie('session', '1')
      next()
    }),
    reported: {},
  },
  { name: 'a mount by its own path', arrange: (app, mount) => app.use('/credit-reports', mount), reported: {} },
  {
    name: 'an endpoint with a slash at its end',
    page: () => ({ attributes: 'endpoint="/credit-reports/"' }),
    reported: {},
  },
  {
    name: 'scripts that a loader puts in later',
    page: ({ device }) => ({
      fingerprint: '',
      script: '',
      after: `<script>setTimeout(() => { for (const src of ['${device}', '/credit-reports/widget.js'])
        document.head.append(Object.assign(document.createElement('script'), { src })) }, 50)</script>`,
    }),
    reported: {},
  },
  {
    name: 'Cross-Origin-Embedder-Policy: require-corp',
    page: () => ({ headers: { 'Cross-Origin-Embedder-Policy': 'require-corp' } }),
    reported: {},
  },
  { name: 'hops that are counted and none of them there', options: () => ({ trustedHops: 1 }), reported: {} },
  {
    name: 'the default policy of helmet',
    page: () =>
      policy("default-src 'self';script-src 'self';script-src-attr 'none';style-src 'self' https: 'unsafe-inline'"),
    reported: { diagnose: SCRIPT_BLOCKED, console: [POLICY] },
  },
  {
    name: 'a redirect that adds a slash',
    arrange: redirect(
      (url) => url.replace(/(?=\?|$)/, '/'),
      (path) => !isScript(path) && !path.endsWith('/'),
      308,
    ),
    reported: {},
  },
  {
    name: 'a mount below another path',
    arrange: (app, mount) => app.use('/shop', mount),
    page: below('/shop'),
    reported: {
      log: [OUTSIDE],
      doctor: [/^configuration: /, /^mount: the script at .* is answered 404/],
    },
  },
  {
    name: 'a redirect to a locale',
    arrange: redirect(
      (url) => `/en${url}`,
      (path) => !path.startsWith('/en/'),
    ),
    reported: {
      log: [OUTSIDE],
      doctor: [/^configuration: /, /^mount: the script at .* is redirected to \/en\//],
    },
  },
  {
    name: 'a locale before the mount',
    arrange: (app, mount) => app.use('/en', mount),
    page: below('/en'),
    reported: {
      log: [OUTSIDE],
      doctor: [/^configuration: /, /^mount: the script at .* is answered 404/],
    },
  },
  {
    name: 'a fallback for pages before the mount',
    arrange: before((_request, response) => void response.send('<!doctype html><h1>Shop</h1>')),
    reported: {
      doctor: [/^mount: the script at .* is answered 200 \(text\/html/],
      console: [/Unexpected token|MIME type/],
    },
  },
  {
    name: 'CSRF protection that answers JSON',
    arrange: refuse(403, { error: 'invalid csrf token' }),
    reported: {
      log: [/^a write of the page was refused with 403 .* exempt \/credit-reports from CSRF/],
      doctor: [/^configuration: /, /^mount: POST .* refused with 403 .*CSRF/],
      diagnose: [/^proxy-write-refused: .* 403 .*CSRF/],
    },
  },
  {
    name: 'CSRF protection that answers a page',
    arrange: refuse(403, '<h1>Forbidden</h1>'),
    reported: {
      log: [/^a write of the page was refused with 403 .* exempt \/credit-reports from CSRF/],
      doctor: [/^configuration: /, /^mount: POST .* refused with 403 .*CSRF/],
      diagnose: [/^proxy-write-refused: .* 403 .*CSRF/],
    },
  },
  {
    name: 'a cache that keeps what the mount answers',
    arrange: cache(),
    visit: (page) => page.reload(),
    reported: { doctor: [/^mount: .*: a cache or a service worker/], diagnose: [/^proxy-cached: /] },
  },
  {
    name: 'a service worker that does',
    arrange: (app, mount) => {
      app.get('/worker.js', (_request, response) => void response.type('text/javascript').send(WORKER))
      app.use(mount)
    },
    page: () => ({ after: "<script>navigator.serviceWorker.register('/worker.js')</script>" }),
    visit: async (page) => {
      await page.evaluate(() => navigator.serviceWorker.ready)
      for (let time = 0; time < 2; time += 1) await page.reload({ waitUntil: 'networkidle' })
    },
    reported: { diagnose: [/^proxy-cached: /] },
  },
  {
    name: 'a limit of the lender’s own, on codes alone',
    arrange: refuse(429, '', ({ path }) => path.endsWith('/otp-challenge')),
    reported: { doctor: [/^mount: POST .* answered 429 by a limit/], diagnose: [/^proxy-limited: .* 429 by a limit/] },
  },
]

/** The lender's server, with the mount where the row puts it. */
async function open(setUp: SetUp, parts: Parts) {
  const log: string[] = []
  const note = (words: string) => void (log.includes(words) || log.push(words))
  const { createTenantProxy, toExpress }: BuiltProxy = await import(BUILT)
  const proxy = createTenantProxy({
    service: parts.service,
    tenantId: 'demo-lender',
    credentials: { clientId: 'demo-lender', clientSecret: 'demo-secret' },
    test: true,
    limits: { generatesMax: 1_000, writesMax: 1_000 },
    onEvent: (event: { type: string; problem?: string }) => {
      if (event.type === 'misconfigured') note(event.problem ?? '')
      if (event.type === 'unavailable' || event.type === 'insufficient-funds') note(event.type)
    },
    ...setUp.options?.(parts),
  })
  const warned = ({ name, message }: Error) => name === 'CreditReportProxyWarning' && note(message)
  process.on('warning', warned)
  const app = express()
  const element = setUp.page?.(parts)
  const page: PageOptions = {
    fingerprint: `<script async src="${parts.device}"></script>`,
    ...element,
    attributes: `search="soft" privacy-url="/privacy" ${element?.attributes ?? ''}`,
  }
  app.get('/checkout', (_request, response) => answerPage(page, response))
  const { arrange = (given: express.Express, mount: Front) => given.use(mount) } = setUp
  arrange(app, toExpress(proxy), proxy)
  app.use((_request, response) => void response.status(404).send('<h1>Not found</h1>'))
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const endpoint = /endpoint="(\/[\w/-]+)"/.exec(element?.attributes ?? '')?.[1] ?? '/credit-reports'
  return {
    proxy,
    log,
    origin: `http://${setUp.host ?? 'localhost'}:${port}`,
    /** As `doctor({ url })` is given it. */
    mount: `http://localhost:${port}${endpoint}`,
    async close() {
      process.off('warning', warned)
      server.closeAllConnections()
      server.close()
      await proxy.drain()
    },
  }
}

/** The words of each place, until nothing more comes. */
async function listen(setUp: SetUp, lender: Awaited<ReturnType<typeof open>>, page: Page) {
  const inConsole: string[] = []
  page.on('console', (message) => {
    // The browser's line about each refused request gives no cause.
    if (['error', 'warning'].includes(message.type()) && !/^Failed to load/.test(message.text()))
      inConsole.push(message.text())
  })
  page.on('pageerror', ({ message }) => inConsole.push(message))
  await page.goto(`${lender.origin}/checkout`)
  await setUp.visit?.(page)
  await page.waitForTimeout(SETTLED_MS)
  const log = [...lender.log]
  const console = [...inConsole]
  const diagnose = await page.evaluate(async () => {
    const found = await document.querySelector('credit-report-widget')?.diagnose?.()
    return (found ?? []).map(({ code, problem }) => `${code}: ${problem}`)
  })
  const doctor = (await lender.proxy.doctor({ url: lender.mount })).filter(({ ok }) => !ok)
  return {
    start: [],
    log,
    doctor: doctor.map(({ check, message, fix }) => `${check}: ${message}: ${fix}`),
    diagnose,
    console,
  }
}

for (const setUp of setUps)
  test(setUp.name, async ({ page, lender: { service, front } }) => {
    const { NODE_ENV } = process.env
    process.env.NODE_ENV = setUp.environment ?? 'development'
    const parts = { service: service.url, device: `${service.url}/v1/fingerprints/device`, other: front.origin }
    const lender = await open(setUp, parts).catch((error: Error) => error)
    process.env.NODE_ENV = NODE_ENV
    const said: Record<Place, string[]> =
      lender instanceof Error
        ? { start: [lender.message], log: [], doctor: [], diagnose: [], console: [] }
        : await listen(setUp, lender, page)
    const works = Object.keys(setUp.reported).length === 0
    // The widget's hint is right where `diagnose()` has found something, and nowhere else.
    if (said.diagnose.length > 0) said.console = said.console.filter((words) => !HINT.test(words))
    for (const place of PLACES) {
      const patterns = setUp.reported[place] ?? []
      for (const pattern of patterns) expect(said[place], place).toContainEqual(expect.stringMatching(pattern))
      // Nothing else is said: no wrong cause.
      expect(
        said[place].filter((words) => !patterns.some((pattern) => pattern.test(words))),
        place,
      ).toEqual([])
    }
    const consumer = createConsumer(page, { page: () => '' })
    if (setUp.isEnded) {
      await consumer.seeHeading('This check is not available right now')
      await expect(consumer.widget.getByRole('textbox')).toHaveCount(0)
    }
    if (works) await consumer.toReport()
    if (!(lender instanceof Error)) await lender.close()
  })
