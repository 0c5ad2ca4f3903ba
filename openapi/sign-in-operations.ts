import type { Operation, Parameter } from './operation.ts'

const tag = 'Sign-in and tokens'

function query(name: string, description: string, example: string): Parameter {
  return { name, in: 'query', description, schema: { type: 'string' }, example }
}

export const signInOperations: Operation[] = [
  {
    id: 'createToken',
    method: 'post',
    path: '/v1/oauth/token',
    tag,
    summary: 'Trade credentials for a token',
    description:
      'RFC 6749, client credentials: the client’s secret by Basic authentication or in the body. Refusals have the shape of that RFC, but for those that any route may answer.',
    access: { schemes: ['clientSecret', 'none'] },
    body: { type: 'application/x-www-form-urlencoded', schema: 'ClientCredentialsGrant' },
    answers: {
      200: {
        says: 'A token for 15 minutes.',
        schema: 'TokenAnswer',
        examples: {
          token: {
            access_token: 'eyJhbGciOiJFUzI1NiIsImtpZCI6IjEifQ.e30.c2ln',
            token_type: 'Bearer',
            expires_in: 900,
            scope: 'credit-reports wallet',
          },
        },
      },
    },
    errors: ['payload-too-large'],
    oauthErrors: {
      400: {
        invalid_request: 'Not a form, or something in it is missing or given twice.',
        invalid_scope: 'The client may not have this scope.',
        unsupported_grant_type: 'Only client credentials are traded here.',
      },
      401: { invalid_client: 'Unknown client or wrong secret.' },
      429: { temporarily_unavailable: 'Too many wrong secrets; ask again after `Retry-After`.' },
    },
  },
  {
    id: 'signIn',
    method: 'get',
    path: '/v1/oauth/login',
    tag,
    summary: 'Send a person to sign in',
    description:
      'For browsers: leads to the sign-in page, then to the callback, then to `returnTo` with the session’s cookies.',
    access: 'anyone',
    parameters: [query('returnTo', 'A path of this service to come back to.', '/console')],
    answers: { 303: { says: 'To the page where people sign in.', headers: ['Location', 'Set-Cookie'] } },
  },
  {
    id: 'finishSignIn',
    method: 'get',
    path: '/v1/oauth/callback',
    tag,
    summary: 'Where a person comes back from signing in',
    description: 'Sets the session’s cookies. Browsers get a page when it fails, others `{code, message}`.',
    access: 'anyone',
    parameters: [
      query('code', 'Says that the sign-in was finished; works once.', 'Kp3x0mJ4Vw0yX9b2'),
      query('state', 'Ties the answer to the browser that began.', 'b7n2Q0kz'),
      query('iss', 'Who answers, where another provider signs people in.', 'https://id.example'),
      query('error', 'Why that provider refused.', 'access_denied'),
    ],
    answers: { 303: { says: 'To `returnTo`, signed in.', headers: ['Location', 'Set-Cookie'] } },
    errors: ['validation-error', 'forbidden'],
  },
  {
    id: 'refreshSession',
    method: 'post',
    path: '/v1/oauth/refresh',
    tag,
    summary: 'Renew a person’s session',
    description: 'For pages of this service: trades the refresh cookie for new cookies.',
    access: { schemes: ['refresh'] },
    answers: { 204: { says: 'Renewed.', headers: ['Set-Cookie'] } },
    errors: ['unauthorized', 'forbidden'],
  },
  {
    id: 'signOut',
    method: 'post',
    path: '/v1/oauth/logout',
    tag,
    summary: 'End a person’s session',
    description: 'For pages of this service. Ends the session here, whether or not the provider can be told.',
    access: 'anyone',
    answers: { 303: { says: 'Signed out.', headers: ['Location', 'Set-Cookie'] } },
    errors: ['forbidden'],
  },
  {
    id: 'getJwks',
    method: 'get',
    path: '/.well-known/jwks.json',
    tag,
    summary: 'The keys that tokens are verified with',
    description: 'May be kept for five minutes. A new key appears here before it signs.',
    access: 'anyone',
    answers: { 200: { says: 'The keys.', schema: 'JwkSet' } },
  },
  {
    id: 'getAuthorizationServerMetadata',
    method: 'get',
    path: '/.well-known/oauth-authorization-server',
    tag,
    summary: 'Discovery for OAuth 2.0 (RFC 8414)',
    description: 'For clients that configure themselves.',
    access: 'anyone',
    answers: { 200: { says: 'Where everything is.', schema: 'ServerMetadata' } },
  },
]
