import * as z from 'zod/mini'
import { type Component, component, type Keywords } from '../../openapi/component.ts'
import type { Rows } from '../../openapi/operation.ts'
import { SCOPE_MEANINGS } from '../../openapi/scopes.ts'

const tag = 'Sign-in and tokens'

export const tokenRows = {
  operations: {
    createToken: {
      route: 'POST /v1/oauth/token',
      rule: { who: 'anyone' },
      tag,
      summary: 'Exchange credentials for a token',
      description:
        'RFC 6749, client credentials: the client’s secret by Basic authentication or in the body. Refusals have the shape of that RFC, but for those that any route may answer.',
      schemes: ['clientSecret', 'none'],
      body: { type: 'application/x-www-form-urlencoded', schema: 'ClientCredentialsGrant' },
      answers: {
        200: {
          says: 'A token for 15 minutes.',
          schema: 'TokenAnswer',
          examples: () => ({
            token: {
              access_token: 'eyJhbGciOiJFUzI1NiIsImtpZCI6IjEifQ.e30.c2ln',
              token_type: 'Bearer',
              expires_in: 900,
              scope: 'credit-reports wallet',
            },
          }),
        },
      },
      errors: ['payload-too-large'],
      oauthErrors: {
        400: {
          invalid_request: [
            'The body is not a form, or a parameter is missing or given twice.',
            'grant_type must not be given more than once',
          ],
          invalid_scope: ['The client may not have this scope.', 'this client may ask for credit-reports wallet'],
          unsupported_grant_type: ['Only client credentials are accepted.', 'grant_type must be client_credentials'],
        },
        401: { invalid_client: ['Unknown client or wrong secret.', 'unknown client or wrong secret'] },
        429: {
          temporarily_unavailable: [
            'Too many wrong secrets; try again after `Retry-After`.',
            'too many wrong secrets: wait 60 seconds',
          ],
        },
      },
    },
    getJwks: {
      route: 'GET /.well-known/jwks.json',
      rule: { who: 'anyone' },
      tag,
      summary: 'The keys that tokens are verified with',
      description: 'May be kept for five minutes. A new key appears here before it signs.',
      answers: { 200: { says: 'The keys.', schema: 'JwkSet' } },
    },
    getAuthorizationServerMetadata: {
      route: 'GET /.well-known/oauth-authorization-server',
      rule: { who: 'anyone' },
      tag,
      summary: 'Discovery for OAuth 2.0 (RFC 8414)',
      description: 'For clients that configure themselves.',
      answers: { 200: { says: 'The endpoints and what they support.', schema: 'ServerMetadata' } },
    },
  },
  words: ({ publicUrl }) => ({
    requests: [grantWords],
    answers: oauthWords(publicUrl),
  }),
} satisfies Rows

// Tokens, keys and what clients configure themselves from. In the words of RFC 6749, 7517 and 8414, whose clients read
// these.

const URI: Keywords = { format: 'uri' }

const ClientCredentialsGrant = z.object({
  grant_type: z.literal('client_credentials'),
  client_id: z.optional(z.string()),
  client_secret: z.optional(z.string()),
  scope: z.optional(z.string()),
})

const TokenAnswer = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
  scope: z.optional(z.string()),
})

/** RFC 6749, section 5.2. */
const OAuthError = z.object({ error: z.string(), error_description: z.optional(z.string()) })

const Jwk = z.object({
  kty: z.string(),
  kid: z.string(),
  alg: z.string(),
  use: z.string(),
  crv: z.string(),
  x: z.string(),
  y: z.string(),
})
const JwkSet = z.object({ keys: z.array(Jwk) })

const ServerMetadata = z.object({
  issuer: z.string(),
  token_endpoint: z.string(),
  jwks_uri: z.string(),
  grant_types_supported: z.array(z.string()),
  response_types_supported: z.array(z.string()),
  token_endpoint_auth_methods_supported: z.array(z.string()),
  scopes_supported: z.array(z.string()),
})

const grantWords = component(
  'ClientCredentialsGrant',
  ClientCredentialsGrant,
  'A server’s own credentials.',
  {
    grant_type: ['The grant type.', 'client_credentials'],
    client_id: ['The API client; absent when Basic authentication names it.', 'demo-lender'],
    client_secret: ['The client’s secret; absent with Basic authentication.', 'your-client-secret'],
    scope: ['The scopes wanted, with spaces between; without it, all that the client has.', 'credit-reports wallet'],
  },
  // Without credentials, which come by Basic authentication, and once; without a scope: a client that has fewer would
  // be refused.
  { example: { grant_type: 'client_credentials' } },
)

function oauthWords(publicUrl: string): Component[] {
  return [
    component('TokenAnswer', TokenAnswer, 'A token.', {
      access_token: [
        'The token, a JWT. Send it as `Authorization: Bearer …`.',
        'eyJhbGciOiJFUzI1NiIsImtpZCI6IjEifQ.e30.c2ln',
      ],
      token_type: ['The type of the token.', 'Bearer'],
      expires_in: ['The lifetime in seconds.', 900, { minimum: 1 }],
      scope: ['The scopes it carries.', 'credit-reports wallet'],
    }),
    component('OAuthError', OAuthError, 'A refusal of a token, in the shape of RFC 6749.', {
      error: ['The error code, for programs.', 'invalid_client'],
      error_description: ['The error in words, for people.', 'unknown client or wrong secret'],
    }),
    component('JwkSet', JwkSet, 'The public keys that tokens are verified with.', {
      keys: 'The keys, the newest first.',
    }),
    component('Jwk', Jwk, 'A public key (RFC 7517).', {
      kty: ['The kind of key.', 'EC'],
      kid: ['The key’s id, as tokens name it.', '019a8756-1b27-7c3e-9f21-0a1b2c3d4e5f'],
      alg: ['The signing algorithm.', 'ES256'],
      use: ['The use of the key.', 'sig'],
      crv: ['The curve.', 'P-256'],
      x: ['The x coordinate.', 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU'],
      y: ['The y coordinate.', 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0'],
    }),
    component(
      'ServerMetadata',
      ServerMetadata,
      'The server’s endpoints (RFC 8414). There are more fields; clients read those they know.',
      {
        issuer: ['The issuer of tokens.', publicUrl, URI],
        token_endpoint: ['The token endpoint.', `${publicUrl}/v1/oauth/token`, URI],
        jwks_uri: ['The address of the public keys.', `${publicUrl}/.well-known/jwks.json`, URI],
        grant_types_supported: ['The grant types.', ['client_credentials']],
        response_types_supported: ['Always empty: there is no authorization endpoint.', []],
        token_endpoint_auth_methods_supported: [
          'The ways a client can authenticate.',
          ['client_secret_basic', 'client_secret_post'],
        ],
        scopes_supported: ['The scopes.', Object.keys(SCOPE_MEANINGS)],
      },
    ),
  ]
}
