// Our own tokens: JWT access tokens (RFC 9068), short-lived, signed by a key of this installation and nobody else's.
import { randomUUID } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import * as z from 'zod/mini'
import type { Clock } from '../clock.ts'
import type { ApiClient } from './clients.ts'
import { SIGNING_ALGORITHM, type SigningKeys } from './signing-keys.ts'

export const TOKEN_LIFETIME_SECONDS = 900
export const CLOCK_TOLERANCE_SECONDS = 5
const TOKEN_TYPE = 'at+jwt'
const TOKEN_LENGTH_MAX = 4_096

export type ClientToken = { clientId: string; tenantId: string; scopes: readonly string[]; expiresAtMs: number }

export type AccessTokens = {
  /** A token for the client with these of its scopes. */
  issue(client: ApiClient, scopes: readonly string[]): Promise<string>
  /** What a token says, if it is one of ours and still counts; null for everything else, whatever is wrong with it. */
  verify(token: string): Promise<ClientToken | null>
}

export type AccessTokensOptions = { keys: SigningKeys; issuer: string; clock: Clock }

const Claims = z.object({
  client_id: z.string(),
  tenant_id: z.string(),
  scope: z.string(),
  exp: z.int(),
})

export function createAccessTokens({ keys, issuer, clock }: AccessTokensOptions): AccessTokens {
  /** The service is both: who speaks in a token, and whom it is for. */
  const audience = issuer
  const nowSeconds = () => Math.floor(clock() / 1000)

  return {
    async issue(client, scopes) {
      const { id, privateKey } = await keys.current()
      return new SignJWT({ client_id: client.id, tenant_id: client.tenantId, scope: scopes.join(' ') })
        .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: TOKEN_TYPE, kid: id })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(client.id)
        .setJti(randomUUID())
        .setIssuedAt(nowSeconds())
        .setExpirationTime(nowSeconds() + TOKEN_LIFETIME_SECONDS)
        .sign(privateKey)
    },

    async verify(token) {
      if (token.length > TOKEN_LENGTH_MAX) return null
      try {
        const { payload } = await jwtVerify(token, ({ kid }) => keyOf(kid), {
          algorithms: [SIGNING_ALGORITHM],
          typ: TOKEN_TYPE,
          issuer,
          audience,
          requiredClaims: ['sub', 'iat', 'exp', 'jti', 'client_id', 'tenant_id', 'scope'],
          maxTokenAge: TOKEN_LIFETIME_SECONDS,
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
          currentDate: new Date(clock()),
        })
        const claims = Claims.safeParse(payload)
        if (!claims.success) return null
        const { client_id, tenant_id, scope, exp } = claims.data
        return {
          clientId: client_id,
          tenantId: tenant_id,
          scopes: scope.split(' ').filter(Boolean),
          expiresAtMs: (exp + CLOCK_TOLERANCE_SECONDS) * 1000,
        }
      } catch (error) {
        // A bad token is an answer; a database that cannot say which keys there are is not.
        if (error instanceof errors.JOSEError) return null
        throw error
      }
    },
  }

  async function keyOf(kid: string | undefined) {
    const key = kid === undefined ? null : await keys.find(kid)
    if (key === null) throw new errors.JWKSNoMatchingKey()
    return key
  }
}
