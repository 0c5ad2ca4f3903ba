import { SCOPES } from './clients.ts'
import { SIGNING_ALGORITHM } from './signing-keys.ts'

/** Where everything is, for clients that configure themselves (RFC 8414, and the same under OpenID's name). */
export function describeServer(issuer: string, { signIn }: { signIn: boolean }) {
  const machines = {
    issuer,
    token_endpoint: `${issuer}/v1/oauth/token`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    scopes_supported: [...SCOPES],
  }
  if (!signIn) return machines
  return {
    ...machines,
    authorization_endpoint: `${issuer}/v1/oauth/authorize`,
    grant_types_supported: ['client_credentials', 'authorization_code'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    scopes_supported: [...SCOPES, 'openid', 'email'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [SIGNING_ALGORITHM],
    code_challenge_methods_supported: ['S256'],
    claims_supported: ['sub', 'email', 'email_verified'],
    authorization_response_iss_parameter_supported: true,
  }
}
