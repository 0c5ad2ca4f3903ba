// Our half of OpenID Connect: sends people to the provider and believes what comes back, if it is what we asked for.
// The same code speaks to the built-in provider and to any other.
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  ClientError,
  ClientSecretBasic,
  Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type ServerMetadata,
  WWWAuthenticateChallengeError,
} from 'openid-client'

const TIMEOUT_SECONDS = 10

export type ProviderSettings = { issuer: string; clientId: string; clientSecret: string }
type Checks = { state: string; nonce: string; verifier: string }
export type Login = { issuer: string; subject: string; verifiedEmail: string | null }

type RelyingPartyOptions = ProviderSettings & {
  redirectUri: string
  /** The provider in this very process: what it would publish, and how to reach it without a network. */
  builtIn?: { metadata: ServerMetadata; fetch: CustomFetch }
}

export type RelyingParty = ReturnType<typeof createRelyingParty>

export function createRelyingParty(options: RelyingPartyOptions) {
  const { issuer, clientId, clientSecret, redirectUri, builtIn } = options
  let discovered: Promise<Configuration> | null = null

  function discover(): Promise<Configuration> {
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

  function configure(): Promise<Configuration> {
    if (builtIn === undefined) return discover()
    // Made for each sign-in: a key that was replaced a second ago is looked up, not remembered.
    const configuration = new Configuration(builtIn.metadata, clientId, undefined, ClientSecretBasic(clientSecret))
    if (issuer.startsWith('http:')) allowInsecureRequests(configuration)
    enableNonRepudiationChecks(configuration)
    configuration[customFetch] = builtIn.fetch
    return Promise.resolve(configuration)
  }

  return {
    /** Where to send the browser, and what to compare its return with. */
    async begin(): Promise<{ url: string; checks: Checks }> {
      const checks = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
      const url = buildAuthorizationUrl(await configure(), {
        redirect_uri: redirectUri,
        scope: 'openid email',
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, checks }
    },

    /** Who came back; null when it is not the answer to what we asked. */
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
        return { issuer: claims.iss, subject: claims.sub, verifiedEmail: isVerified ? String(claims.email) : null }
      } catch (error) {
        if (REFUSALS.some((refusal) => error instanceof refusal)) return null
        throw error
      }
    },

    /** Where to send the browser to sign out there too; null when the provider offers nothing. */
    async signOutUrl(returnTo: string): Promise<string | null> {
      const configuration = await configure()
      if (configuration.serverMetadata().end_session_endpoint === undefined) return null
      return buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnTo }).href
    },
  }
}

/** The provider said no, or what came is not what we asked for. Anything else is a provider out of order. */
const REFUSALS = [AuthorizationResponseError, ResponseBodyError, ClientError, WWWAuthenticateChallengeError]
