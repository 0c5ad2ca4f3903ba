// Test support: an OpenID provider as a bank might run one, small and strict. It asks for an e-mail address and
// believes it. In a test's own process, or as a program of its own (PORT).
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

export const CLIENT = { clientId: 'credit-reports', clientSecret: 'a secret between two servers' }

export async function startOpenIdProvider({ port = 0 } = {}) {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'key', alg: 'ES256', use: 'sig' }
  const codes = new Map()
  /** @type {{ claims: object, key: object | null }} */
  const bent = { claims: {}, key: null }
  const server = createServer((request, response) => {
    answer(request).then(
      ({ status = 200, headers = {}, body = '' }) => response.writeHead(status, headers).end(body),
      () => response.writeHead(500).end(),
    )
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${server.address().port}`

  async function answer(request) {
    const url = new URL(request.url, issuer)
    if (url.pathname === '/.well-known/openid-configuration') return json(200, metadata(issuer))
    if (url.pathname === '/jwks') return json(200, { keys: [jwk] })
    if (url.pathname === '/end-session') return redirect(url.searchParams.get('post_logout_redirect_uri'))
    if (url.pathname === '/authorize') return authorize(request, Object.fromEntries(url.searchParams))
    if (url.pathname === '/token') return trade(request)
    return { status: 404 }
  }

  async function authorize(request, asked) {
    const isGood =
      asked.client_id === CLIENT.clientId && asked.response_type === 'code' && asked.code_challenge_method === 'S256'
    if (!isGood) return { status: 400 }
    if (request.method === 'GET') return { headers: { 'Content-Type': 'text/html' }, body: PAGE }
    const code = randomBytes(16).toString('hex')
    codes.set(code, { asked, email: new URLSearchParams(await read(request)).get('email') })
    return redirect(`${asked.redirect_uri}?${new URLSearchParams({ code, state: asked.state, iss: issuer })}`)
  }

  async function trade(request) {
    const basic = atob((request.headers.authorization ?? '').replace(/^Basic /, ''))
    const [id, secret] = basic.split(':').map((half) => new URLSearchParams(`half=${half}`).get('half'))
    if (id !== CLIENT.clientId || secret !== CLIENT.clientSecret) return json(401, { error: 'invalid_client' })
    const form = new URLSearchParams(await read(request))
    const { asked, email } = codes.get(form.get('code')) ?? {}
    codes.delete(form.get('code'))
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (asked?.code_challenge !== challenge || asked.redirect_uri !== form.get('redirect_uri'))
      return json(400, { error: 'invalid_grant' })
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: issuer, aud: CLIENT.clientId, sub: `subject of ${email}`, iat: now, exp: now + 60 }
    const about = { nonce: asked.nonce, email, email_verified: true }
    const token = await new SignJWT({ ...claims, ...about, ...bent.claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'key' })
      .sign(bent.key ?? privateKey)
    return json(200, { access_token: 'of no use here', token_type: 'Bearer', id_token: token })
  }

  return {
    issuer,
    bent,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const PAGE = `<!doctype html><html lang="en-GB"><title>Sign in</title><form method="post">
<label>E-mail address <input name="email"></label><button>Continue</button></form>`

function metadata(issuer) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    end_session_endpoint: `${issuer}/end-session`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    authorization_response_iss_parameter_supported: true,
  }
}

function json(status, body) {
  return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
}

function redirect(to) {
  return { status: 303, headers: { Location: to } }
}

async function read(request) {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { issuer, stop } = await startOpenIdProvider({ port: Number(process.env.PORT) })
  console.log(JSON.stringify({ url: issuer }))
  process.once('SIGTERM', stop)
}
