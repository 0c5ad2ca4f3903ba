// Signing in here from elsewhere, by two client libraries that were written without this service in mind, over a real socket.
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startNodeServer } from '../service/http/node-server.ts'
import { deriveKeys } from '../service/keys.ts'
import { SAM, startTestService, type TestService } from '../testing/portal-service.ts'
import { createTestBrowser } from '../testing/service-browser.ts'
import { derivePortalKeys } from './derive-keys.ts'
import { createSignInClients } from './provider/sign-in-clients.ts'

const REDIRECT_URI = 'https://elsewhere.example/callback'
const CLIENT_ID = 'elsewhere'

let service: TestService
let server: Awaited<ReturnType<typeof startNodeServer>>
let issuer: URL
let secret: string

beforeAll(async () => {
  // The socket first: the service must know its own address.
  server = await startNodeServer({
    fetch: (request, env) => service.fetch(request, env),
    host: '127.0.0.1',
    port: 0,
    timing: { drainMs: 0 },
  })
  issuer = new URL(`http://127.0.0.1:${server.port}`)
  service = await startTestService({ PUBLIC_URL: issuer.origin })
  const key = derivePortalKeys(deriveKeys(service.config.secretKeys).signing).signInClients
  const clients = createSignInClients({ database: service.database, clock: Date.now, key })
  secret = (await clients.put(service.database, { id: CLIENT_ID, redirectUris: [REDIRECT_URI] })).secret
})
afterAll(async () => {
  await server.stop()
  await service.stop()
})

/** What a person does in the browser; resolves to where it is sent back to. */
async function signInAt(url: URL): Promise<URL> {
  const browser = createTestBrowser((request) => fetch(request, { redirect: 'manual' }), issuer.origin)
  const page = await browser.visit(url.href)
  return (await browser.visit(page.url.pathname, { form: { email: SAM[0], password: SAM[1] } })).url
}

test('oauth4webapi: discovery, authorization code with PKCE, and a signed ID token', async () => {
  const insecure = { [oauth.allowInsecureRequests]: true }
  const discovered = await oauth.discoveryRequest(issuer, insecure)
  const as = await oauth.processDiscoveryResponse(new URL(issuer.origin), discovered)
  const client = { client_id: CLIENT_ID }
  const [verifier, state, nonce] = [
    oauth.generateRandomCodeVerifier(),
    oauth.generateRandomState(),
    oauth.generateRandomNonce(),
  ]
  const url = new URL(as.authorization_endpoint ?? '')
  url.search = new URLSearchParams({
    client_id: CLIENT_ID,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    response_mode: 'query',
    scope: 'openid email',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  }).toString()

  const parameters = oauth.validateAuthResponse(as, client, await signInAt(url), state)
  const basic = oauth.ClientSecretBasic(secret)
  const answer = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    basic,
    parameters,
    REDIRECT_URI,
    verifier,
    insecure,
  )
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, answer, {
    expectedNonce: nonce,
    requireIdToken: true,
  })
  await oauth.validateApplicationLevelSignature(as, answer, insecure)
  expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject({ email: SAM[0], email_verified: true, aud: CLIENT_ID })
})

test('oauth4webapi: a lender’s server gets a token for its client credentials', async () => {
  const insecure = { [oauth.allowInsecureRequests]: true }
  const response = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' })
  const as = await oauth.processDiscoveryResponse(new URL(issuer.origin), response)
  const client = { client_id: 'demo-lender' }
  const basic = oauth.ClientSecretBasic('demo-secret')
  const answer = await oauth.clientCredentialsGrantRequest(as, client, basic, { scope: 'wallet' }, insecure)
  const { access_token, token_type } = await oauth.processClientCredentialsResponse(as, client, answer)
  expect(token_type).toBe('bearer')
  const headers = { Authorization: `Bearer ${access_token}` }
  expect((await fetch(new URL('/demo-lender/v1/wallet', issuer), { headers })).status).toBe(200)
})

test('openid-client: configures itself and signs a person in', async () => {
  const basic = openid.ClientSecretBasic(secret)
  const execute = [openid.allowInsecureRequests, openid.enableNonRepudiationChecks]
  const configuration = await openid.discovery(issuer, CLIENT_ID, undefined, basic, { execute })
  const [verifier, state, nonce] = [openid.randomPKCECodeVerifier(), openid.randomState(), openid.randomNonce()]
  const url = openid.buildAuthorizationUrl(configuration, {
    redirect_uri: REDIRECT_URI,
    scope: 'openid email',
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  })
  const tokens = await openid.authorizationCodeGrant(configuration, await signInAt(url), {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  })
  expect(tokens.claims()).toMatchObject({ email: SAM[0], iss: issuer.origin })
})
