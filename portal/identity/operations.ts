import { Profile, SelectTenant, Tenant } from '../../contract/account.ts'
import { component, TIME } from '../../openapi/component.ts'
import type { Parameter, Rows } from '../../openapi/operation.ts'

const tag = 'Sign-in and tokens'

function query(name: string, description: string, example: string): Parameter {
  return { name, in: 'query', description, schema: { type: 'string' }, example }
}

export const portalRows = {
  operations: {
    getProfile: {
      route: 'GET /v1/my/profile',
      rule: { who: 'person' },
      tag: 'Account',
      summary: 'The person who is signed in',
      description: 'Machine clients get 403: they are not a person.',
      answers: {
        200: { says: 'The profile.', schema: 'Profile' },
      },
    },
    listTenants: {
      route: 'GET /v1/my/tenants',
      rule: { who: 'caller' },
      tag: 'Account',
      summary: 'The lenders the caller may act for',
      description: 'A machine client has one; a person may have several.',
      answers: {
        200: {
          says: 'The tenants.',
          schema: { type: 'array', items: { $ref: '#/components/schemas/Tenant' } },
          examples: () => ({ tenants: [{ id: 'demo-lender', name: 'Demo Lender' }] }),
        },
      },
    },
    selectTenant: {
      route: 'POST /v1/my/tenants/select',
      rule: { who: 'caller' },
      tag: 'Account',
      summary: 'Remember a lender as the one to act for',
      description: 'For pages that show one lender at a time. Selecting grants nothing.',
      body: { schema: 'SelectTenant', reads: SelectTenant, ignoresUnknown: true },
      answers: {
        200: { says: 'The tenant that is now selected.', schema: 'Tenant' },
      },
    },
    signIn: {
      route: 'GET /v1/oauth/login',
      rule: { who: 'anyone' },
      tag,
      summary: 'Send a person to sign in',
      description:
        'For browsers: leads to the sign-in page, then to the callback, then to `returnTo` with the session’s cookies.',
      parameters: [
        query('returnTo', 'A path of this service to come back to.', '/console'),
        query('prompt', '`login`: another provider asks for the password even when it knows the person.', 'login'),
      ],
      answers: { 303: { says: 'Redirects to the sign-in page.', headers: ['Location', 'Set-Cookie'] } },
    },
    finishSignIn: {
      route: 'GET /v1/oauth/callback',
      rule: { who: 'anyone', audit: 'sign-in' },
      tag,
      summary: 'The return address after signing in',
      description: 'Sets the session’s cookies. Browsers get a page when it fails, others `{code, message}`.',
      parameters: [
        query('code', 'The authorization code; works once.', 'Kp3x0mJ4Vw0yX9b2'),
        query('state', 'Ties the answer to the browser that began the sign-in.', 'b7n2Q0kz'),
        query('iss', 'The issuer of the answer, where another provider signs people in.', 'https://id.example'),
        query('error', 'The reason that provider refused.', 'access_denied'),
      ],
      answers: { 303: { says: 'Redirects to `returnTo`, signed in.', headers: ['Location', 'Set-Cookie'] } },
      errors: ['validation-error', 'forbidden'],
    },
    refreshSession: {
      route: 'POST /v1/oauth/refresh',
      rule: { who: 'anyone' },
      tag,
      summary: 'Renew a person’s session',
      description: 'For pages of this service: exchanges the refresh cookie for new cookies.',
      schemes: ['refresh'],
      answers: { 204: { says: 'Renewed.', headers: ['Set-Cookie'] } },
      errors: ['unauthorized', 'forbidden'],
    },
    signOut: {
      route: 'POST /v1/oauth/logout',
      rule: { who: 'anyone', audit: 'sign-out' },
      tag,
      summary: 'End a person’s session',
      description: 'For pages of this service. Ends the session here, whether or not the provider can be reached.',
      answers: { 303: { says: 'Signed out.', headers: ['Location', 'Set-Cookie'] } },
      errors: ['forbidden'],
    },
  },
  words: () => ({
    requests: [
      component('SelectTenant', SelectTenant, 'The lender to act for.', {
        tenantId: ['The id of a lender from the caller’s list.', 'demo-lender'],
      }),
    ],
    answers: [
      component('Profile', Profile, 'A person who signs in.', {
        id: ['The person’s id.', 'd4f0f5a2-7a3e-4f43-9a55-3f0d1b2c4e5f', { format: 'uuid' }],
        firstName: ['First name.', 'Sam'],
        lastName: ['Last name.', 'Lee'],
        email: ['E-mail, which is also the name to sign in with.', 'sam@demo-lender.example'],
        totpEnabled: ['Whether signing in asks for a code from an authenticator.', false],
        createdAt: ['The time the account was created.', '2026-01-05T10:00:00.000Z', TIME],
      }),
      component('Tenant', Tenant, 'A lender.', {
        id: ['The lender’s id, as used in paths.', 'demo-lender'],
        name: ['The lender’s name.', 'Demo Lender'],
      }),
    ],
  }),
} satisfies Rows
