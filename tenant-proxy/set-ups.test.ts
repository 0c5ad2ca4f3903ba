// Set-ups that lenders put around the mount, in a real Express app: what works, and what is reported by `doctor({ url
// })` and on stderr before a form is filled in. Wrong options and services are in extras/self-check.test.ts and
// settings.test.ts; all of them in a browser in e2e/set-ups.release.spec.ts.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { VERSION, WIDGET_VERSION_HEADER } from '../contract/versions.ts'
import { createTestBrowser } from '../testing/proxy-browser.ts'
import { proxyOptions, startTestService, type TestService } from '../testing/proxy-service.ts'
import { toExpress } from './adapters.ts'
import { createTenantProxy, type TenantProxy } from './tenant-proxy.ts'

let service: TestService
const opened: (() => unknown)[] = []
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())
afterEach(() => {
  for (const close of opened.splice(0)) close()
})

type Arrange = (app: express.Express, mount: express.RequestHandler) => unknown

/** The lender's app, with the mount where `arrange` puts it. */
async function open(arrange: Arrange) {
  const problems: string[] = []
  const proxy = createTenantProxy({
    ...proxyOptions(service),
    limits: { generatesMax: 100, writesMax: 1_000 },
    onEvent: (event) => event.type === 'misconfigured' && problems.push(event.problem),
  })
  const app = express()
  arrange(app, toExpress(proxy) as express.RequestHandler)
  app.use((_request, response) => void response.status(404).send('<h1>Not found</h1>'))
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.push(
    () => server.close(),
    () => server.closeAllConnections(),
  )
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  return { proxy, problems, origin, browser: createTestBrowser((request) => fetch(request), { origin }) }
}

async function toldOf(proxy: TenantProxy, url: string): Promise<string | null> {
  const mount = (await proxy.doctor({ url })).find(({ check }) => check === 'mount')
  return mount?.ok ? null : `${mount?.message}: ${mount?.fix}`
}

const page: express.RequestHandler = (_request, response) => void response.send('<!doctype html><h1>Shop</h1>')
const slashes: express.RequestHandler = ({ path, url }, response, next) =>
  /[/.]/.test(path.slice(-1)) || path.endsWith('.js') ? next() : response.redirect(308, url.replace(path, `${path}/`))

const working: [string, Arrange][] = [
  ['a mount by its own path', (app, mount) => app.use('/credit-reports', mount)],
  ['a redirect that adds a slash', (app, mount) => app.use(slashes, mount)],
]
test.each(working)('%s works', async (_what, arrange) => {
  const { proxy, problems, origin } = await open(arrange)
  expect(await toldOf(proxy, `${origin}/credit-reports`)).toBeNull()
  expect(await toldOf(proxy, `${origin}/credit-reports/`)).toBeNull()
  expect([problems, service.reports.size]).toEqual([[], 0])
})

const refuse =
  (status: number, body: string | object): express.RequestHandler =>
  ({ method }, response, next) =>
    method === 'GET' ? next() : void response.status(status).send(body)
let kept: Buffer | null = null

const fronts: [string, Arrange, reported: RegExp][] = [
  [
    'a fallback for pages before the mount',
    (app, mount) => app.use(page, mount),
    /^the script at .*\/credit-reports\/widget\.js is answered 200 \(text\/html.*mount the proxy before/,
  ],
  ['a mount below another path', (app, mount) => app.use('/shop', mount), /widget\.js is answered 404/],
  [
    'a redirect to a locale',
    (app, mount) =>
      app.use(
        ({ path, url }, response, next) => (path.startsWith('/en/') ? next() : response.redirect(`/en${url}`)),
        mount,
      ),
    /widget\.js is redirected to \/en\/credit-reports\/widget\.js/,
  ],
  [
    'a login that answers 401',
    (app, mount) =>
      app.use(({ path }, response, next) => (/\.js$/.test(path) ? next() : void response.sendStatus(401)), mount),
    /^GET \/credit-reports\/current was refused with 401, probably by a login/,
  ],
  [
    'a login that redirects',
    (app, mount) =>
      app.use(({ path }, response, next) => (/\.js$/.test(path) ? next() : response.redirect('/login')), mount),
    /is redirected to http:\/\/localhost:\d+\/login, probably by a login/,
  ],
  [
    'CSRF protection that answers JSON',
    (app, mount) => app.use(refuse(403, { error: 'invalid csrf token' }), mount),
    /^POST \/credit-reports\/steps was refused with 403 by something in front .*CSRF/,
  ],
  [
    'CSRF protection that answers a page',
    (app, mount) => app.use(refuse(403, '<h1>Forbidden</h1>'), mount),
    /was refused with 403 by something in front .*Exempt \/credit-reports/,
  ],
  [
    'a limit of the lender’s own',
    (app, mount) => app.use(refuse(429, ''), mount),
    /was answered 429 by a limit in front/,
  ],
  [
    'a limit of the lender’s own, on codes alone',
    (app, mount) =>
      app.use(({ path }, response, next) => (/challenge$/.test(path) ? void response.sendStatus(429) : next()), mount),
    /^POST \/credit-reports\/none\/otp-challenge was answered 429 by a limit in front/,
  ],
  [
    'a body that is read and dropped',
    (app, mount) => app.use((request, _response, next) => void request.once('end', () => next()).resume(), mount),
    /refuses every check: something before the proxy reads the body/,
  ],
  [
    'a front that drops Set-Cookie',
    (app, mount) =>
      app.use((_request, response, next) => {
        const { writeHead } = response
        response.writeHead = ((status: number, headers: object) =>
          writeHead.call(response, status, { ...headers, 'Set-Cookie': [] })) as never
        next()
      }, mount),
    /^a new browser gets no cookie: let what stands in front pass/,
  ],
  [
    'a front that drops Cookie',
    (app, mount) =>
      app.use((request, _response, next) => {
        Reflect.deleteProperty(request.headers, 'cookie')
        next()
      }, mount),
    /^a cookie does not come back to the proxy/,
  ],
  [
    'a cache that keeps `current`',
    (app, mount) =>
      app.use((request, response, next) => {
        if (!request.path.endsWith('/current')) return next()
        if (kept) return void response.type('json').send(kept)
        const { end } = response
        response.end = ((body: Buffer) => {
          kept = Buffer.from(body)
          return end.call(response, body as never, 'utf8')
        }) as never
        next()
      }, mount),
    /answered what another request was answered: a cache/,
  ],
]
test.each(fronts)('%s is reported by doctor({ url })', async (_what, arrange, reported) => {
  kept = null
  const { proxy, origin } = await open(arrange)
  expect(await toldOf(proxy, `${origin}/credit-reports`)).toMatch(reported)
  expect(service.reports.size).toBe(0)
})

test.each([
  ['no address', 'shop', /^`url` is no address: "shop"/],
  ['a server that is not up', 'http://127.0.0.1:9/credit-reports', /^nothing answers at http:\/\/127\.0\.0\.1:9/],
])('%s as `url`', async (_what, url, reported) => {
  expect(await toldOf((await open(() => {})).proxy, url)).toMatch(reported)
})

const elsewhere = 'came to the proxy, which is mounted at /credit-reports: set `path`'
test.each([
  ['/shop', '/shop/credit-reports/widget.js', 1],
  ['/en', '/en/credit-reports/current', 1],
  // Paths of the lender's own.
  ['/', '/api/current', 0],
  ['/', '/assets/widget.js', 0],
])('below %s a request for %s is reported %i times on stderr', async (_at, path, times) => {
  const { problems, origin } = await open((app, mount) => app.use(mount))
  const isWidgets = path.endsWith('/credit-reports/current')
  const headers = isWidgets ? { [WIDGET_VERSION_HEADER]: VERSION } : {}
  for (let time = 0; time < 2; time += 1) await fetch(origin + path, { headers })
  expect(problems).toHaveLength(times)
  for (const problem of problems) expect(problem).toContain(`a request for ${path} ${elsewhere}`)
})

test('a write that something in front refuses is reported on stderr, as the page passes it on', async () => {
  const { problems, browser } = await open((app, mount) => app.use(mount))
  for (const status of ['403', '200', '502', 'x']) await browser.get(`/credit-reports/current?refused=${status}`)
  const words = 'a write of the page was refused with 403 before it came to the proxy: exempt /credit-reports from CSRF'
  expect(problems).toEqual([expect.stringContaining(words)])
})
