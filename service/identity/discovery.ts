import { SCOPES } from './scopes.ts'

/** Where everything is, for clients that configure themselves (RFC 8414, and the same under OpenID's name). */
export function describeServer(issuer: string) {
  return {
    issuer,
    token_endpoint: `${issuer}/v1/oauth/token`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    scopes_supported: SCOPES,
  }
}
