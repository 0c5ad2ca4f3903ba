import type { Rows } from '../../openapi/operation.ts'
import { grantWords, oauthWords } from './oauth-words.ts'

const tag = 'Sign-in and tokens'

export const tokenRows = {
  operations: {
    createToken: {
      route: 'POST /v1/oauth/token',
      rule: { who: 'anyone' },
      tag,
      summary: 'Trade credentials for a token',
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
            'Not a form, or something in it is missing or given twice.',
            'grant_type must not be given more than once',
          ],
          invalid_scope: ['The client may not have this scope.', 'this client may ask for credit-reports wallet'],
          unsupported_grant_type: ['Only client credentials are traded here.', 'grant_type must be client_credentials'],
        },
        401: { invalid_client: ['Unknown client or wrong secret.', 'unknown client or wrong secret'] },
        429: {
          temporarily_unavailable: [
            'Too many wrong secrets; ask again after `Retry-After`.',
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
      answers: { 200: { says: 'Where everything is.', schema: 'ServerMetadata' } },
    },
  },
  words: ({ publicUrl }) => ({
    requests: [grantWords],
    answers: oauthWords(publicUrl),
  }),
} satisfies Rows
