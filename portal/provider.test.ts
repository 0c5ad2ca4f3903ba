// The built-in provider, from the outside: what it answers to clients that bend the protocol.
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deriveKeys } from '../service/keys.ts'
import { ORIGIN, SAM, startTestService, type TestService } from '../testing/portal-service.ts'
import type { TestBrowser } from '../testing/service-browser.ts'
import { derivePortalKeys } from './derive-keys.ts'

let service: TestService
let browser: TestBrowser

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  await service.database.run('DELETE FROM guess')
  browser = service.browser()
})

describe('the provider, to a client that is not well-behaved', () => {
  const redirectUri = `${ORIGIN}/v1/oauth/callback`
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const good = {
    client_id: 'console',
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid',
    state: 's',
    nonce: 'n',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }
  type Change = { [name: string]: string | undefined }
  const authorize = (change: Change) => {
    const parameters = Object.entries({ ...good, ...change }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    )
    return browser.ask(`/v1/oauth/authorize?${new URLSearchParams(parameters)}`)
  }

  test('the request all others are bent from is good', async () => {
    expect((await authorize({})).headers.get('Location')).toMatch(/^\/v1\/oauth\/sign-in\//)
  })

  test.each<[string, Change]>([
    ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }],
    ['plain PKCE', { code_challenge: verifier, code_challenge_method: 'plain' }],
    ['PKCE without a method', { code_challenge_method: undefined }],
    ['PKCE of an unknown method', { code_challenge_method: 's256' }],
    ['the implicit flow', { response_type: 'token' }],
    ['the hybrid flow', { response_type: 'code id_token' }],
  ])('%s gets an error and no code', async (_what, change) => {
    const location = (await authorize(change)).headers.get('Location') ?? ''
    expect(location).toMatch(/^\/v1\/oauth\/callback[?#]/)
    expect(location).toContain('error=')
    expect(location).not.toContain('code=')
  })

  test('only the response mode that discovery names is taken', async () => {
    const named = await (await browser.ask('/.well-known/openid-configuration')).json()
    expect(named.response_modes_supported).toEqual(['query'])
    expect((await authorize({ response_mode: 'query' })).headers.get('Location')).toMatch(/^\/v1\/oauth\/sign-in\//)
    for (const response_mode of ['form_post', 'fragment', 'web_message', 'jwt', 'query.jwt', '']) {
      const response = await authorize({ response_mode })
      expect([response_mode, response.status, response.headers.get('Location')]).toEqual([response_mode, 400, null])
    }
    const twice = `response_mode=query&response_mode=form_post&${new URLSearchParams(good)}`
    expect((await browser.ask(`/v1/oauth/authorize?${twice}`)).status).toBe(400)
  })

  test.each([
    `${redirectUri}/`,
    `${redirectUri}x`,
    `${redirectUri}/../../evil`,
    `${redirectUri}?a=b`,
    `${redirectUri}#a`,
    'https://SERVICE.example/v1/oauth/Callback',
    'https://service.example:444/v1/oauth/callback',
    'https://service.example@evil.example/v1/oauth/callback',
    'https://user@service.example/v1/oauth/callback',
    'https://service.example.evil.example/v1/oauth/callback',
    'http://service.example/v1/oauth/callback',
    '//service.example/v1/oauth/callback',
    'javascript:alert(1)',
    'https://evil.example',
    '',
  ])('a redirect address of %j is answered here, not there', async (redirect_uri) => {
    const response = await authorize({ redirect_uri })
    expect(response.status).toBe(400)
    expect(response.headers.get('Location')).toBeNull()
    expect(await response.text()).not.toContain('evil')
  })

  test('an unknown client is answered here', async () => {
    expect((await authorize({ client_id: 'nobody' })).status).toBe(400)
  })

  async function codeFor(): Promise<string> {
    const begun = await authorize({})
    const page = begun.headers.get('Location') ?? ''
    const finished = await browser.ask(page, { form: { email: SAM[0], password: SAM[1] } })
    const resumed = await browser.ask(finished.headers.get('Location') ?? '')
    return new URL(resumed.headers.get('Location') ?? '', ORIGIN).searchParams.get('code') ?? ''
  }

  async function trade(change: Change, authorization?: string) {
    const { signInClients } = derivePortalKeys(deriveKeys(service.config.secretKeys).signing)
    const secret = createHmac('sha256', signInClients).update('console').digest('base64url')
    const form = { grant_type: 'authorization_code', redirect_uri: redirectUri, code_verifier: verifier, ...change }
    const body = new URLSearchParams(Object.entries(form).flatMap(([name, value]) => (value ? [[name, value]] : [])))
    const response = await service.fetch(
      new Request(`${ORIGIN}/v1/oauth/token`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/x-www-form-urlencoded',
          Authorization: authorization ?? `Basic ${btoa(`console:${secret}`)}`,
        },
        body: body.toString(),
      }),
    )
    return { status: response.status, body: await response.json() }
  }

  test('a code is traded once, and whoever tries again ends what came of it', async () => {
    await service.database.run('DELETE FROM provider_record')
    const code = await codeFor()
    const first = await trade({ code })
    expect(first).toMatchObject({ status: 200, body: { id_token: expect.any(String), token_type: 'Bearer' } })
    expect(await trade({ code })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    const kept = await service.database.all(`SELECT 1 FROM provider_record WHERE model = 'AccessToken'`)
    expect(kept).toEqual([])
  })

  test('however many try at once, one gets it', async () => {
    const code = await codeFor()
    const answers = await Promise.all(Array.from({ length: 6 }, () => trade({ code })))
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    expect(answers.every(({ status }) => status === 200 || status === 400)).toBe(true)
  })

  test('the provider’s own access token opens nothing here', async () => {
    const { body } = await trade({ code: await codeFor() })
    for (const token of [body.access_token, body.id_token]) {
      const headers = { Authorization: `Bearer ${token}` }
      expect((await service.fetch(new Request(`${ORIGIN}/v1/my/profile`, { headers }))).status).toBe(401)
    }
  })

  test.each<[string, Change, string?]>([
    ['without a verifier', { code_verifier: undefined }],
    ['with another verifier', { code_verifier: 'x'.repeat(43) }],
    ['with the challenge for a verifier', { code_verifier: challenge }],
    ['with another redirect address', { redirect_uri: `${redirectUri}/` }],
    ['by a client with a wrong secret', {}, `Basic ${btoa('console:wrong')}`],
    ['by an API client', {}, `Basic ${btoa('demo-lender:demo-secret')}`],
  ])('a code traded %s is worth nothing', async (_what, change, authorization) => {
    const answer = await trade({ code: await codeFor(), ...change }, authorization)
    expect([400, 401]).toContain(answer.status)
    expect(answer.body).toEqual({ error: expect.any(String), error_description: expect.any(String) })
  })
})
