// Signing in at another OpenID provider, over real HTTP.
import { generateKeyPair } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CLIENT, startOpenIdProvider } from '../../testing/openid-provider.mjs'
import { ORIGIN, SAM, startTestService, type TestService } from '../../testing/portal-service.ts'
import type { TestBrowser } from '../../testing/service-browser.ts'

let provider: Awaited<ReturnType<typeof startOpenIdProvider>>
let service: TestService
let browser: TestBrowser

beforeAll(async () => {
  provider = await startOpenIdProvider()
  service = await startTestService({}, { externalProvider: { issuer: provider.issuer, ...CLIENT } })
})
afterAll(async () => {
  await service.stop()
  await provider.stop()
})
beforeEach(() => {
  Object.assign(provider.bent, { claims: {}, key: null })
  browser = service.browser()
})

/** The person's steps at the provider; resolves to the address the browser is redirected to. */
async function signInThere(email: string = SAM[0], returnTo = '/v1/my/profile'): Promise<URL> {
  const begun = await browser.ask(`/v1/oauth/login?returnTo=${encodeURIComponent(returnTo)}`)
  const body = new URLSearchParams({ email })
  const response = await fetch(begun.headers.get('Location') ?? '', { method: 'POST', body, redirect: 'manual' })
  return new URL(response.headers.get('Location') ?? '')
}
const callback = (url: URL) => browser.ask(url.pathname + url.search)
const isSignedIn = () => browser.jar.has('__Host-access')

test('asks with everything the protocol has: PKCE, state and nonce', async () => {
  const response = await browser.ask('/v1/oauth/login')
  const asked = new URL(response.headers.get('Location') ?? '')
  expect(asked.origin + asked.pathname).toBe(`${provider.issuer}/authorize`)
  expect(Object.fromEntries(asked.searchParams)).toEqual({
    client_id: CLIENT.clientId,
    response_type: 'code',
    redirect_uri: `${ORIGIN}/v1/oauth/callback`,
    scope: 'openid email',
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  })
})

test('leads to where one wanted to go, and out again by the provider', async () => {
  const { url, text } = await browser.visit((await signInThere()).href)
  expect(url.pathname).toBe('/v1/my/profile')
  expect(JSON.parse(text)).toMatchObject({ email: SAM[0] })
  expect([...browser.jar.keys()].sort()).toEqual(['__Host-access', '__Host-refresh'])
  const out = await browser.ask('/v1/oauth/logout', { form: {} })
  const end = new URL(out.headers.get('Location') ?? '')
  expect(end.origin + end.pathname).toBe(`${provider.issuer}/end-session`)
  expect(end.searchParams.get('post_logout_redirect_uri')).toBe(`${ORIGIN}/v1/oauth/signed-out`)
  expect(isSignedIn()).toBe(false)
})

test('someone who has no account here stays outside', async () => {
  const response = await callback(await signInThere('pat@example.org'))
  expect(response.status).toBe(403)
  expect(await response.text()).toContain('there is no account here')
  expect(isSignedIn()).toBe(false)
})

describe('a callback', () => {
  test.each<[what: string, change: (url: URL) => void]>([
    ['with two states', (url) => url.searchParams.append('state', 'x')],
    ['without a code', (url) => url.searchParams.delete('code')],
    ['with a made-up code', (url) => url.searchParams.set('code', 'x')],
    ['from another issuer', (url) => url.searchParams.set('iss', 'https://evil.example')],
    ['without an issuer', (url) => url.searchParams.delete('iss')],
    ['that says it failed', (url) => url.searchParams.set('error', 'access_denied')],
  ])('%s is refused, and used up', async (_what, change) => {
    const url = await signInThere()
    const original = new URL(url)
    change(url)
    expect((await callback(url)).status).toBe(400)
    expect((await callback(original)).status).toBe(400)
    expect(isSignedIn()).toBe(false)
  })

  test('that another browser began is refused', async () => {
    const theirs = await signInThere()
    browser = service.browser()
    await browser.ask('/v1/oauth/login')
    expect((await callback(theirs)).status).toBe(400)
    expect(isSignedIn()).toBe(false)
  })

  test('counts once, even with the cookie put back', async () => {
    const url = await signInThere()
    const Cookie = browser.cookies()
    const ask = () => service.fetch(new Request(url, { headers: { Cookie } }))
    const answers = await Promise.all([ask(), ask(), ask()])
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    expect((await ask()).status).toBe(400)
  })
})

describe('an ID token', () => {
  test.each<[what: string, claims: { [name: string]: unknown }, status: number]>([
    ['with another nonce', { nonce: 'x' }, 400],
    ['without a nonce', { nonce: undefined }, 400],
    ['for another service', { aud: 'another' }, 400],
    ['of another issuer', { iss: 'https://evil.example' }, 400],
    ['that has expired', { exp: 1 }, 400],
    ['with an address that the provider has not verified', { sub: 'new', email_verified: false }, 403],
    ['with a verified address that is no text', { sub: 'new', email: ['x'] }, 403],
  ])('%s is refused', async (_what, claims, status) => {
    provider.bent.claims = claims
    expect((await callback(await signInThere())).status).toBe(status)
    expect(isSignedIn()).toBe(false)
  })

  test('signed with another key is refused', async () => {
    provider.bent.key = (await generateKeyPair('ES256')).privateKey
    expect((await callback(await signInThere())).status).toBe(400)
    expect(isSignedIn()).toBe(false)
  })
})

test('while the provider is away, signing in says so and nothing else breaks', async () => {
  const away = await startOpenIdProvider()
  await away.stop()
  const lonely = await startTestService({}, { externalProvider: { issuer: away.issuer, ...CLIENT } })
  try {
    const response = await lonely.browser().ask('/v1/oauth/login')
    expect(response.status).toBe(503)
    expect(await response.json()).toEqual({ code: 'unavailable', message: expect.any(String) })
    expect((await lonely.browser().ask('/healthz')).status).toBe(200)
  } finally {
    await lonely.stop()
  }
})

test('there is no password page here', async () => {
  for (const path of ['/v1/oauth/sign-in/x']) expect([404, 405]).toContain((await browser.ask(path)).status)
})
