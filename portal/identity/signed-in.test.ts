// A session after sign-in, and the second step that guards it.
import { generateSync } from 'otplib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ORIGIN, SAM, startTestService, type TestService } from '../../testing/portal-service.ts'
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

const profile = (from: TestBrowser) => from.ask('/v1/my/profile')
const post = (path: string, cookie: string, headers = {}) =>
  service.fetch(new Request(ORIGIN + path, { method: 'POST', headers: { Cookie: cookie, Origin: ORIGIN, ...headers } }))

describe('a session', () => {
  test('is renewed with its refresh cookie, and the old one ends it when it comes back', async () => {
    await browser.signIn(...SAM)
    const before = browser.jar.get('__Host-refresh')?.value
    const renewed = await browser.ask('/v1/oauth/refresh', { form: {} })
    expect(renewed.status).toBe(204)
    expect(browser.jar.get('__Host-refresh')?.value).not.toBe(before)
    expect((await profile(browser)).status).toBe(200)
    service.time.nowMs += 10_001
    expect((await post('/v1/oauth/refresh', `__Host-refresh=${before}`)).status).toBe(401)
    expect((await profile(browser)).status).toBe(401)
    expect((await browser.ask('/v1/oauth/refresh', { form: {} })).status).toBe(401)
    expect(browser.jar.has('__Host-access')).toBe(false)
  })

  test('goes on in the console when the access token has run out, and not in the API', async () => {
    await browser.signIn(...SAM)
    service.time.nowMs += 906_000
    expect((await profile(browser)).status).toBe(401)
    const page = await browser.ask('/console/money')
    expect(page.status).toBe(200)
    expect((await profile(browser)).status).toBe(200)
  })

  test('ends at once on signing out, for copies of its cookies too', async () => {
    await browser.signIn(...SAM)
    const copy = browser.cookies()
    const { url } = await browser.visit('/v1/oauth/logout', { form: {} })
    expect(url.pathname).toBe('/v1/oauth/signed-out')
    expect([...browser.jar.keys()].filter((name) => /access|refresh/.test(name))).toEqual([])
    expect((await service.fetch(new Request(`${ORIGIN}/v1/my/profile`, { headers: { Cookie: copy } }))).status).toBe(
      401,
    )
    expect((await post('/v1/oauth/refresh', copy)).status).toBe(401)
  })

  test.each(['/v1/oauth/logout', '/v1/oauth/refresh'])('%s cannot be asked by another site', async (path) => {
    await browser.signIn(...SAM)
    expect((await post(path, browser.cookies(), { Origin: 'https://evil.example' })).status).toBe(403)
    expect((await post(path, browser.cookies(), { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
    expect((await profile(browser)).status).toBe(200)
  })

  test('stops acting for a tenant the moment its person leaves it', async () => {
    await browser.signIn(...SAM)
    const wallet = () => browser.ask('/demo-lender/v1/wallet')
    expect((await wallet()).status).toBe(200)
    const membership = await service.database.first('SELECT * FROM user_tenant')
    await service.database.run('DELETE FROM user_tenant')
    expect((await wallet()).status).toBe(403)
    const { user_id, tenant_id, created_at_ms } = membership ?? {}
    await service.database.run(
      `INSERT INTO user_tenant (user_id, tenant_id, role, created_at_ms) VALUES (?, ?, 'owner', ?)`,
      String(user_id),
      String(tenant_id),
      Number(created_at_ms),
    )
  })
})

describe('two steps', () => {
  const codeNow = (secret: string) => generateSync({ secret, epoch: Math.floor(service.time.nowMs / 1000) })

  /** Turns them on for Sam, in `browser`. */
  async function turnOn(): Promise<{ secret: string; recovery: string[] }> {
    await browser.signIn(...SAM)
    const enrol = await browser.visit('/console/profile/totp', { form: { password: SAM[1] } })
    const secret = (/class="secret">([A-Z2-7 ]+)</.exec(enrol.text)?.[1] ?? '').replaceAll(' ', '')
    expect(enrol.text).toContain('<svg class="qr"')
    const wrong = await browser.visit('/console/profile/totp/confirm', { form: { code: 'abc' } })
    expect(wrong.response.status).toBe(400)
    const on = await browser.visit('/console/profile/totp/confirm', { form: { code: codeNow(secret) } })
    const recovery = [...on.text.matchAll(/<code>([a-z0-9]{5}-[a-z0-9]{5})<\/code>/g)].map(([, code]) => code ?? '')
    expect(recovery).toHaveLength(10)
    return { secret, recovery }
  }

  test('a stranger who knows the password has five codes for each, and shuts the owner out of no browser of theirs', async () => {
    const { secret, recovery } = await turnOn()
    const stranger = service.browser()
    for (let round = 0; round < 4; round += 1) {
      const page = await stranger.signIn(...SAM)
      const attempt = () => stranger.visit(page.url.pathname, { form: { code: '000000' } })
      for (let count = 1; count < 5; count += 1) {
        const wrong = await attempt()
        expect([wrong.response.status, wrong.text]).toEqual([400, expect.stringContaining('Security code')])
      }
      const last = await attempt()
      expect([last.response.status, last.text]).toEqual([400, expect.stringContaining('Type your password again')])
      expect((await stranger.visit(page.url.pathname)).text).toContain('name="password"')
      // A code where the password is due is not judged.
      expect((await attempt()).text).toContain('name="password"')
    }
    const page = await stranger.signIn(...SAM)
    service.time.nowMs += 30_000
    const refused = await stranger.visit(page.url.pathname, { form: { code: codeNow(secret) } })
    expect([refused.response.status, refused.response.headers.get('Retry-After')]).toEqual([429, '3570'])
    expect(refused.text).toContain('A browser in which you have signed in before need not wait.')

    await browser.visit('/v1/oauth/logout', { form: {} })
    for (const code of [codeNow(secret), recovery[0] ?? '']) {
      const own = await browser.signIn(...SAM)
      expect((await browser.visit(own.url.pathname, { form: { code } })).url.pathname).toBe('/v1/my/profile')
    }
    await browser.visit('/console/profile/totp/off', { form: { code: recovery[1] ?? '' } })
  })

  test('turning them on ends every other session', async () => {
    const other = service.browser()
    await other.signIn(...SAM)
    const { recovery } = await turnOn()
    expect((await profile(other)).status).toBe(401)
    expect((await other.ask('/v1/oauth/refresh', { form: {} })).status).toBe(401)
    expect((await profile(browser)).status).toBe(200)
    await browser.visit('/console/profile/totp/off', { form: { code: recovery[0] ?? '' } })
  })

  test('from the console: on with a code, asked at the next sign-in, no code twice, off with a recovery code', async () => {
    const { secret, recovery } = await turnOn()

    const used = codeNow(secret)
    service.time.nowMs += 30_000
    const other = service.browser()
    const second = await other.signIn(...SAM)
    expect(second.text).toContain('Security code')
    expect(other.jar.has('__Host-access')).toBe(false)
    expect((await other.visit(second.url.pathname)).text).toContain('Security code')
    // The way round the second step is not one, and ends the sign-in.
    const state = second.url.pathname.split('/').at(-1)
    expect((await other.visit(`/v1/oauth/callback?code=x&state=${state}`)).response.status).toBe(400)
    expect(other.jar.has('__Host-access')).toBe(false)

    const third = service.browser()
    const page = await third.signIn(...SAM)
    const attempt = (code: string) => third.visit(page.url.pathname, { form: { code } })
    expect((await attempt(used)).response.status).toBe(400)
    expect((await attempt('000000')).text).toContain('wrong, too old or was used before')
    const inside = await attempt(codeNow(secret))
    expect(JSON.parse(inside.text)).toMatchObject({ email: SAM[0], totpEnabled: true })

    const off = await third.visit('/console/profile/totp/off', { form: { code: recovery[0] ?? '' } })
    expect(off.text).toContain('Two-step sign-in is off')
    expect((await service.browser().signIn(...SAM)).url.pathname).toBe('/v1/my/profile')
  })
})
