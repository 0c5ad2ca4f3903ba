// Our own tokens: JWT access tokens (RFC 9068), short-lived, signed by a key of this installation.
import { randomUUID } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import * as z from 'zod/mini'
import type { Clock } from '../../kit/clock.ts'
import { type ApiClient, SCOPES } from './clients.ts'
import { SIGNING_ALGORITHM, type SigningKeys, TOKEN_LIFETIME_SECONDS } from './signing-keys.ts'

export const CLOCK_TOLERANCE_SECONDS = 5
const TOKEN_TYPE = 'at+jwt'
const TOKEN_LENGTH_MAX = 4_096
/** The client that a person's token names. */
const PEOPLE = 'console'

type ClientToken = {
  kind: 'client'
  clientId: string
  tenantId: string
  scopes: readonly string[]
  expiresAtMs: number
}
/** A person's token. Their permissions come from the session at each request, so that signing out works at once. */
export type UserToken = { kind: 'user'; sessionId: string; scopes: readonly string[]; expiresAtMs: number }

export type AccessTokens = ReturnType<typeof createAccessTokens>
type AccessTokensOptions = { keys: SigningKeys; issuer: string; clock: Clock }

const claims = { client_id: z.string(), scope: z.string(), exp: z.int() }
/** A token has a tenant or a session, never both. */
const Claims = z.union([
  z.object({ ...claims, tenant_id: z.string(), sid: z.optional(z.undefined()) }),
  z.object({ ...claims, sid: z.string(), tenant_id: z.optional(z.undefined()) }),
])

export function createAccessTokens({ keys, issuer, clock }: AccessTokensOptions) {
  /** The service is both the issuer and the audience of a token. */
  const audience = issuer
  const nowSeconds = () => Math.floor(clock() / 1000)

  return {
    /** A token for the client with these of its scopes. */
    issue: (client: ApiClient, scopes: readonly string[]) =>
      sign(client.id, { client_id: client.id, tenant_id: client.tenantId, scope: scopes.join(' ') }),
    /** A token for a person who signed in. */
    issueToUser: ({ id, userId }: { id: string; userId: string }) =>
      sign(userId, { client_id: PEOPLE, sid: id, scope: SCOPES.join(' ') }),

    /** The claims of a token that is one of ours and still valid; null for any other. */
    async verify(token: string): Promise<ClientToken | UserToken | null> {
      if (token.length > TOKEN_LENGTH_MAX) return null
      try {
        const { payload } = await jwtVerify(token, ({ kid }) => keyOf(kid), {
          algorithms: [SIGNING_ALGORITHM],
          typ: TOKEN_TYPE,
          issuer,
          audience,
          requiredClaims: ['sub', 'iat', 'exp', 'jti', 'client_id', 'scope'],
          maxTokenAge: TOKEN_LIFETIME_SECONDS,
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
          currentDate: new Date(clock()),
        })
        const read = Claims.safeParse(payload)
        if (!read.success) return null
        const { client_id: clientId, tenant_id: tenantId, sid: sessionId, scope, exp } = read.data
        const common = {
          scopes: scope.split(' ').filter(Boolean),
          expiresAtMs: (exp + CLOCK_TOLERANCE_SECONDS) * 1000,
        }
        return tenantId === undefined
          ? { kind: 'user', sessionId: String(sessionId), ...common }
          : { kind: 'client', clientId, tenantId, ...common }
      } catch (error) {
        // A bad token is an answer; a database that cannot say which keys there are is not.
        if (error instanceof errors.JOSEError) return null
        throw error
      }
    },
  }

  async function sign(subject: string, payload: JWTPayload): Promise<string> {
    const { id, privateKey } = await keys.current()
    return new SignJWT(payload)
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: TOKEN_TYPE, kid: id })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(subject)
      .setJti(randomUUID())
      .setIssuedAt(nowSeconds())
      .setExpirationTime(nowSeconds() + TOKEN_LIFETIME_SECONDS)
      .sign(privateKey)
  }

  async function keyOf(kid: string | undefined) {
    const key = kid === undefined ? null : await keys.find(kid)
    if (key === null) throw new errors.JWKSNoMatchingKey()
    return key
  }
}
