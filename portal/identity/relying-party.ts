// Signing in at another OpenID provider: sends people there and believes what comes back, if it is what we asked for.
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  ClientError,
  ClientSecretBasic,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import type { Checks } from './login-state.ts'

const TIMEOUT_SECONDS = 10

export type ProviderSettings = { issuer: string; clientId: string; clientSecret: string }
export type Login = {
  issuer: string
  subject: string
  verifiedEmail: string | null
  /** When they last typed something there; 0 when the provider does not say. */
  authenticatedAtMs: number
}

export type RelyingPartyOptions = ProviderSettings & { redirectUri: string }

export function createRelyingParty(options: RelyingPartyOptions) {
  const { issuer, clientId, clientSecret, redirectUri } = options
  let discovered: Promise<Configuration> | null = null

  function configure(): Promise<Configuration> {
    // Only what the operator wrote as http is spoken to by http.
    const execute = issuer.startsWith('http:') ? [allowInsecureRequests] : []
    discovered ??= discovery(new URL(issuer), clientId, undefined, ClientSecretBasic(clientSecret), {
      execute: [...execute, enableNonRepudiationChecks],
      timeout: TIMEOUT_SECONDS,
    }).catch((error: unknown) => {
      discovered = null // it may answer next time
      throw error
    })
    return discovered
  }

  return {
    async begin({ asksAgain }: { asksAgain: boolean }): Promise<{ url: string; checks: Checks }> {
      const checks = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
      const url = buildAuthorizationUrl(await configure(), {
        redirect_uri: redirectUri,
        scope: 'openid email',
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
        // With `max_age` it has to say when that was: `auth_time` is believed, not that it was asked.
        ...(asksAgain ? { prompt: 'login', max_age: '0' } : {}),
      })
      return { url: url.href, checks }
    },

    async finish(search: string, { state, nonce, verifier }: Checks): Promise<Login | null> {
      const configuration = await configure()
      try {
        const tokens = await authorizationCodeGrant(configuration, new URL(redirectUri + search), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (claims === undefined) return null
        const isVerified = claims.email_verified === true && typeof claims.email === 'string'
        return {
          issuer: claims.iss,
          subject: claims.sub,
          verifiedEmail: isVerified ? String(claims.email) : null,
          authenticatedAtMs: typeof claims.auth_time === 'number' ? claims.auth_time * 1_000 : 0,
        }
      } catch (error) {
        if (REFUSALS.some((refusal) => error instanceof refusal)) return null
        throw error
      }
    },

    async signOutUrl(returnTo: string): Promise<string | null> {
      const configuration = await configure()
      if (configuration.serverMetadata().end_session_endpoint === undefined) return null
      return buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnTo }).href
    },
  }
}

/** The provider said no, or what came is not what we asked for. Anything else is a provider out of order. */
const REFUSALS = [AuthorizationResponseError, ResponseBodyError, ClientError, WWWAuthenticateChallengeError]
