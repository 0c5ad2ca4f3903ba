// Signing in, from the outside: browsers with cookies, and the whole service behind them.
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ORIGIN, SAM, startTestService, type TestService } from '../../testing/portal-service.ts'
import { holdPasswords } from '../../testing/quick-passwords.ts'
import type { TestBrowser } from '../../testing/service-browser.ts'

let service: TestService
let browser: TestBrowser
let startMs: number

beforeAll(async () => {
  service = await startTestService()
  startMs = service.time.nowMs
})
afterAll(() => service.stop())
beforeEach(async () => {
  service.time.nowMs = startMs
  await service.database.run('DELETE FROM guess')
  browser = service.browser()
})

const profile = (from: TestBrowser, headers = {}) => from.ask('/v1/my/profile', { headers })

describe('signing in', () => {
  test('leads over the pages to where one wanted to go', async () => {
    const { response, url, text } = await browser.signIn(...SAM)
    expect(response.status).toBe(200)
    expect(url.pathname).toBe('/v1/my/profile')
    expect(JSON.parse(text)).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/),
      firstName: 'Sam',
      lastName: 'Lee',
      email: 'sam@demo-lender.example',
      totpEnabled: false,
      createdAt: new Date(startMs).toISOString(),
    })
  })

  test('leaves nothing in the database before the password is right', async () => {
    const page = await browser.visit('/v1/oauth/login')
    expect(page.url.pathname).toMatch(/^\/v1\/oauth\/sign-in\/[\w-]{43}$/)
    await browser.visit(page.url.pathname, { form: { email: SAM[0], password: 'wrong' } })
    expect(await service.database.all('SELECT * FROM sign_in_attempt')).toEqual([])
  })

  test('every cookie is out of reach of scripts and of other sites', async () => {
    await browser.signIn(...SAM)
    await browser.visit('/v1/oauth/logout', { form: {} })
    const names = browser.setCookies.map((cookie) => /^__Host-([a-z]+)/.exec(cookie)?.[1])
    expect(new Set(names)).toEqual(new Set(['login', 'access', 'refresh', 'known']))
    for (const cookie of browser.setCookies) {
      const [pair = '', ...attributes] = cookie.toLowerCase().split(/; */)
      expect(attributes).toEqual(expect.arrayContaining(['httponly', 'samesite=lax', 'secure']))
      expect(attributes.some((each) => each.startsWith('domain'))).toBe(false)
      expect(pair).toMatch(/^__host-/)
      expect(attributes).toContain('path=/')
      expect(cookie.length).toBeLessThan(4_096)
    }
  })

  test('ends whatever session the browser had: one that was planted is worth nothing', async () => {
    await browser.signIn(...SAM)
    const planted = browser.cookies()
    const session = decodeJwt(browser.jar.get('__Host-access')?.value ?? '').sid
    await browser.signIn(...SAM)
    expect(decodeJwt(browser.jar.get('__Host-access')?.value ?? '').sid).not.toBe(session)
    expect((await service.fetch(new Request(`${ORIGIN}/v1/my/profile`, { headers: { Cookie: planted } }))).status).toBe(
      401,
    )
    expect((await profile(browser)).status).toBe(200)
  })

  test('asks for the password every time', async () => {
    await browser.signIn(...SAM)
    const again = await browser.visit('/v1/oauth/login')
    expect(again.text).toContain('Password')
  })

  test('the page needs no script, and allows none', async () => {
    const { response, text } = await browser.visit('/v1/oauth/login')
    expect(response.headers.get('Content-Security-Policy')).toBe(
      "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(text).not.toMatch(/<script|\sstyle=|\son\w+=/i)
    expect(text).toMatch(/name="password" type="password"[^>]*autocomplete="current-password"/s)
  })

  test('returns to a page of ours, whatever it was given', async () => {
    for (const returnTo of ['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)']) {
      const { url } = await service.browser().signIn(...SAM, returnTo)
      expect(url.href).toBe(`${ORIGIN}/console`)
    }
  })
})

describe('a wrong password', () => {
  test('says the same for people who exist and people who do not', async () => {
    const [known, unknown] = [
      await browser.signIn(SAM[0], 'wrong'),
      await service.browser().signIn('pat@demo-lender.example', 'wrong'),
    ]
    expect(known.response.status).toBe(400)
    expect(unknown.text).toBe(known.text.replace(SAM[0], 'pat@demo-lender.example'))
    expect(known.text).toContain('do not go together')
    expect(browser.jar.has('__Host-access')).toBe(false)
  })

  test.each([
    ['no form', {}],
    ['no password', { email: SAM[0] }],
    ['an empty password', { email: SAM[0], password: '' }],
    ['SQL', { email: "' OR 1=1 --", password: "' OR 1=1 --" }],
    ['a very long one', { email: SAM[0], password: 'x'.repeat(5_000) }],
    ['markup', { email: '"><script>alert(1)</script>', password: 'x' }],
  ])('%s gets the form again', async (_what, form) => {
    const page = await browser.visit('/v1/oauth/login')
    const { response, text } = await browser.visit(page.url.pathname, { form })
    expect(response.status).toBe(400)
    expect(text).toContain('<form')
    expect(text).not.toContain('<script>')
  })

  test('ten times in a minute, and the right one has to wait too; a minute later it need not', async () => {
    const page = await browser.visit('/v1/oauth/login')
    const attempt = (password: string) => browser.visit(page.url.pathname, { form: { email: SAM[0], password } })
    for (let count = 0; count < 10; count += 1) expect((await attempt('wrong')).response.status).toBe(400)
    const refused = await attempt(SAM[1])
    expect(refused.response.status).toBe(429)
    expect(refused.response.headers.get('Retry-After')).toBe('60')
    service.time.nowMs += 60_000
    expect((await attempt(SAM[1])).url.pathname).toBe('/console')
  })
})

describe('a sign-in belongs to the browser that began it', () => {
  test('its page is nothing to another browser', async () => {
    const page = await browser.visit('/v1/oauth/login')
    const thief = service.browser()
    const stolen = await thief.visit(page.url.pathname)
    expect(stolen.response.status).toBe(400)
    expect((await thief.visit(page.url.pathname, { form: { email: SAM[0], password: SAM[1] } })).response.status).toBe(
      400,
    )
  })

  test('nor is its cookie worth anything under the name of another sign-in', async () => {
    const [one, other] = [await callbackOf(browser), await callbackOf(browser)]
    const value = browser.jar.get(cookieNameOf(one))?.value ?? ''
    const headers = { Cookie: `${cookieNameOf(other)}=${value}` }
    for (const url of [other, `/v1/oauth/sign-in/${new URL(other, ORIGIN).searchParams.get('state')}`])
      expect((await service.fetch(new Request(ORIGIN + url, { headers }))).status).toBe(400)
  })

  test('a form on another site cannot fill it in', async () => {
    const page = await browser.visit('/v1/oauth/login')
    const form = { email: SAM[0], password: SAM[1] }
    const headers = { Origin: 'https://evil.example' }
    expect((await browser.ask(page.url.pathname, { form, headers })).status).toBe(403)
  })

  test('another’s callback signs no one in', async () => {
    const attacker = service.browser()
    const callback = await callbackOf(attacker)
    await browser.ask('/v1/oauth/login')
    const planted = await browser.ask(callback)
    expect(planted.status).toBe(400)
    expect(browser.jar.has('__Host-access')).toBe(false)
  })

  type Row = [what: string, change: (url: URL) => void]
  test.each<Row>([
    ['without state', (url) => url.searchParams.delete('state')],
    ['with another state', (url) => url.searchParams.set('state', 'x'.repeat(43))],
    ['with a state that is no name for a cookie', (url) => url.searchParams.set('state', 'a;b=c')],
  ])('a callback %s is refused, and the sign-in it does not name goes on', async (_what, change) => {
    const url = new URL(await callbackOf(browser), ORIGIN)
    const original = url.pathname + url.search
    change(url)
    expect((await browser.ask(url.pathname + url.search)).status).toBe(400)
    expect(browser.jar.has('__Host-access')).toBe(false)
    expect((await browser.ask(original)).status).toBe(303)
  })

  test.each<Row>([
    ['with two states', (url) => url.searchParams.append('state', 'x')],
    ['without a code', (url) => url.searchParams.delete('code')],
    ['with a made-up code', (url) => url.searchParams.set('code', 'x'.repeat(43))],
    ['with two codes', (url) => url.searchParams.append('code', 'x')],
    ['from another issuer', (url) => url.searchParams.set('iss', 'https://evil.example')],
    ['that says it failed', (url) => url.searchParams.set('error', 'access_denied')],
  ])('a callback %s is refused, and used up', async (_what, change) => {
    const url = new URL(await callbackOf(browser), ORIGIN)
    const original = url.pathname + url.search
    change(url)
    const refused = await browser.ask(url.pathname + url.search)
    expect(refused.status).toBe(400)
    expect(browser.jar.has('__Host-access')).toBe(false)
    expect((await browser.ask(original)).status).toBe(400)
  })

  test.each([
    ['no cookie', () => ''],
    ['a made-up cookie', (callback: string) => `${cookieNameOf(callback)}=a.b.c.d.e`],
  ])('a callback with %s is refused, in JSON for a client that wants no page', async (_what, cookieOf) => {
    const callback = await callbackOf(browser)
    const cookie = cookieOf(callback)
    const headers = { ...(cookie ? { Cookie: cookie } : {}), Accept: 'application/json' }
    const response = await service.fetch(new Request(ORIGIN + callback, { headers }))
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ code: 'validation-error', message: expect.any(String) })
  })

  test('a callback with the code of another sign-in is refused', async () => {
    const [one, other] = [await callbackOf(browser), await callbackOf(browser)].map((path) => new URL(path, ORIGIN))
    one?.searchParams.set('code', other?.searchParams.get('code') ?? '')
    expect((await browser.ask(String(one))).status).toBe(400)
    expect((await browser.ask(String(other))).status).toBe(303)
  })

  test('a callback after a minute is too late', async () => {
    const callback = await callbackOf(browser)
    service.time.nowMs += 60_000
    expect((await browser.ask(callback)).status).toBe(400)
  })

  test('a page left open for ten minutes has expired, and says so', async () => {
    const page = await browser.visit('/v1/oauth/login')
    service.time.nowMs += 601_000
    const late = await browser.visit(page.url.pathname, { form: { email: SAM[0], password: SAM[1] } })
    expect([late.response.status, late.text]).toEqual([400, expect.stringContaining('This sign-in is over')])
    expect(late.text).toContain('Start again')
  })

  test('going back to its page after the end says that it is over', async () => {
    const page = await browser.visit('/v1/oauth/login')
    await browser.visit(page.url.pathname, { form: { email: SAM[0], password: SAM[1] } })
    const back = await browser.visit(page.url.pathname)
    expect([back.response.status, back.text]).toEqual([400, expect.stringContaining('This sign-in is over')])
    expect((await profile(browser)).status).toBe(200)
  })

  test('a form that was sent twice signs in once', async () => {
    const page = await browser.visit('/v1/oauth/login?returnTo=/v1/my/profile')
    const send = () => browser.ask(page.url.pathname, { form: { email: SAM[0], password: SAM[1] } })
    const [first, second] = await Promise.all([send(), send()])
    expect(second.headers.get('Location')).toBe(first.headers.get('Location'))
    expect((await browser.visit(second.headers.get('Location') ?? '')).url.pathname).toBe('/v1/my/profile')
  })

  test.each(['/v1/oauth/sign-in/x', '/v1/oauth/callback?code=x&state=x&iss=https://service.example'])(
    '%s without a sign-in in progress ends in plain words',
    async (path) => {
      const { response, text, url } = await browser.visit(path)
      expect([response.status, url.origin]).toEqual([400, ORIGIN])
      expect(text).toContain('It has expired, was finished before, or was begun in another browser.')
      expect(text).toContain('Start again')
      expect(text).not.toContain('evil')
    },
  )

  test('a callback counts once, even with the cookie put back', async () => {
    const callback = await callbackOf(browser)
    const cookie = browser.cookies()
    const ask = () => service.fetch(new Request(ORIGIN + callback, { headers: { Cookie: cookie } }))
    const answers = await Promise.all([ask(), ask(), ask()])
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    expect((await ask()).status).toBe(400)
  })
})

describe('sign-ins in several tabs of one browser', () => {
  test('begun one after the other, each leads where it was begun, in whatever order', async () => {
    const older = await browser.visit('/v1/oauth/login?returnTo=/console/money')
    const newer = await browser.visit('/v1/oauth/login?returnTo=/v1/my/profile')
    const form = { email: SAM[0], password: SAM[1] }
    const first = await browser.visit(older.url.pathname, { form })
    expect([first.response.status, first.url.pathname]).toEqual([200, '/console/money'])
    const second = await browser.visit(newer.url.pathname, { form })
    expect([second.response.status, second.url.pathname]).toEqual([200, '/v1/my/profile'])
    expect(loginCookies()).toEqual([])
  })

  test('of too many the oldest is forgotten, and says how to go on', async () => {
    const callbacks: string[] = []
    for (let tab = 0; tab < 9; tab += 1) callbacks.push(await callbackOf(browser))
    expect(loginCookies()).toHaveLength(8)
    const [oldest = '', ...others] = callbacks
    const { response, text } = await browser.visit(oldest)
    expect(response.status).toBe(400)
    expect(text).toContain('Start again')
    for (const callback of others) expect((await browser.ask(callback)).status).toBe(303)
  })

  const loginCookies = () => [...browser.jar.keys()].filter((name) => name.startsWith('__Host-login'))
})

function cookieNameOf(callback: string): string {
  return `__Host-login-${new URL(callback, ORIGIN).searchParams.get('state')}`
}

/** Signs in up to the moment the browser would go to the callback; resolves to that address. */
async function callbackOf(from: TestBrowser): Promise<string> {
  const page = await from.visit('/v1/oauth/login')
  const response = await from.ask(page.url.pathname, { form: { email: SAM[0], password: SAM[1] } })
  return response.headers.get('Location') ?? ''
}

describe('strangers who flood the sign-in', () => {
  const begin = async (from: TestBrowser) => (await from.visit('/v1/oauth/login')).url.pathname

  test('take no place in the queue from a browser that has signed in before', async () => {
    await browser.signIn(...SAM)
    const known = await begin(browser)
    const strangers = Array.from({ length: 24 }, (_, index) => ({ index, from: service.browser() }))
    const pages = await Promise.all(strangers.map(({ from }) => begin(from)))
    const passwords = holdPasswords()
    try {
      const answers = strangers.map(({ index, from }) =>
        from.ask(pages[index] ?? '', { form: { email: `${index}@evil.example`, password: 'x' } }),
      )
      // Two are checked and twenty wait: the first answer is that of one who was sent away.
      expect((await Promise.race(answers)).status).toBe(503)
      const stranger = service.browser()
      const form = { email: SAM[0], password: SAM[1] }
      const page = await begin(stranger)
      const honest = browser.ask(known, { form })
      // Sent later, with more to do before the queue: the known browser is in it by then.
      expect((await stranger.ask(page, { form })).status).toBe(503)
      passwords.release()
      expect((await honest).headers.get('Location')).toMatch(/^\/v1\/oauth\/callback\?/)
      await Promise.all(answers)
    } finally {
      passwords.release()
      passwords.restore()
    }
  })

  test('use up no tries of a browser that has signed in before, which has its own', async () => {
    await browser.signIn(...SAM)
    const stranger = service.browser()
    const [page, known] = [await begin(stranger), await begin(browser)]
    const attempt = async (from: TestBrowser, at: string, password: string) =>
      (await from.ask(at, { form: { email: SAM[0], password } })).status
    for (let count = 0; count < 10; count += 1) expect(await attempt(stranger, page, 'wrong')).toBe(400)
    expect(await attempt(stranger, page, SAM[1])).toBe(429)
    for (let count = 0; count < 10; count += 1) expect(await attempt(browser, known, 'wrong')).toBe(400)
    expect(await attempt(browser, known, SAM[1])).toBe(429)
    service.time.nowMs += 60_000
    expect(await attempt(browser, known, SAM[1])).toBe(303)
  })
})
