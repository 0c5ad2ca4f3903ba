// Client credentials in, access token out: asked for once, shared by everyone, renewed before it runs out.
import * as z from 'zod/mini'
import { read } from '../../contract/problems.ts'
import type { Transport } from './transport.ts'

/** The share of its life after which a token is renewed while it still works. */
const RENEW_AT = 0.8

const TokenAnswer = z.object({
  // The characters of an Authorization header (RFC 6750), so that no answer can add a header of its own.
  access_token: z.string().check(z.regex(/^[\w.~+/-]+=*$/)),
  expires_in: z.number().check(z.positive()),
})

/** The service would not give a token. `isRefused` means that the credentials are wrong; otherwise it may pass. */
export class TokenError extends Error {
  readonly isRefused: boolean
  readonly status: number | undefined

  constructor({ isRefused, status, cause }: { isRefused: boolean; status?: number; cause?: unknown }) {
    super(isRefused ? 'the service refused the client credentials' : 'the service gave no access token', { cause })
    this.name = 'TokenError'
    this.isRefused = isRefused
    this.status = status
  }
}

export type AccessToken = {
  /** A token that works, as far as is known. Throws `TokenError`. */
  get(): Promise<string>
  /** The service did not accept this token: the next `get` asks for another. */
  forget(token: string): void
}

type Held = { token: string; renewAtMs: number; expiresAtMs: number }

type TokenOptions = {
  serviceUrl: string
  credentials: { clientId: string; clientSecret: string }
  timeoutMs: number
  transport: Transport
  clock: () => number
}

export function createAccessToken(options: TokenOptions): AccessToken {
  let held: Held | null = null
  let renewal: Promise<Held> | null = null

  // However many requests wait, the service is asked once.
  function renew(): Promise<Held> {
    renewal ??= requestToken(options)
      .then((fresh) => {
        held = fresh
        return fresh
      })
      .finally(() => {
        renewal = null
      })
    return renewal
  }

  return {
    async get() {
      const nowMs = options.clock()
      if (held === null || nowMs >= held.expiresAtMs) return (await renew()).token
      // Renewed in the background while the token is still valid; a failed renewal is retried at the next request.
      if (nowMs >= held.renewAtMs) renew().catch(() => {})
      return held.token
    },
    forget(token) {
      // Another request may have renewed it meanwhile.
      if (held?.token === token) held = null
    },
  }
}

async function requestToken({ serviceUrl, credentials, timeoutMs, transport, clock }: TokenOptions): Promise<Held> {
  const askedAtMs = clock()
  const { status, body } = await transport({
    method: 'POST',
    url: `${serviceUrl}/v1/oauth/token`,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' },
    // In the body, because servers disagree about how Basic credentials are escaped.
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: credentials.clientId,
      client_secret: credentials.clientSecret,
    }).toString(),
    timeoutMs,
  }).catch((cause) => {
    throw new TokenError({ isRefused: false, cause })
  })
  if (status === 400 || status === 401 || status === 403) throw new TokenError({ isRefused: true, status })
  const answer = status === 200 ? read(TokenAnswer, body) : null
  if (!answer?.ok) throw new TokenError({ isRefused: false, status })
  const lifeMs = answer.value.expires_in * 1_000
  return {
    token: answer.value.access_token,
    renewAtMs: askedAtMs + lifeMs * RENEW_AT,
    expiresAtMs: askedAtMs + lifeMs,
  }
}
