// Who may use which route: all of it, on one page. A route that is not here does not start.
import type { Scope } from './scopes.ts'

/**
 * - `anyone`: no token is asked for. Most are public; the others prove who calls in a way of their own, and say how.
 * - `caller`: whoever shows a good token.
 * - `person`: the same, and it must be a person's; machines get 403.
 * - `tenant`: whoever belongs to the tenant of the path, with a token that carries the scope.
 * - `page`: a person in a browser; anyone else is sent to sign in.
 */
export type Rule = { who: 'anyone' | 'caller' | 'person' | 'page' } | { who: 'tenant'; scope: Scope }

const anyone: Rule = { who: 'anyone' }
const caller: Rule = { who: 'caller' }
const person: Rule = { who: 'person' }
const page: Rule = { who: 'page' }
const reports: Rule = { who: 'tenant', scope: 'credit-reports' }
const wallet: Rule = { who: 'tenant', scope: 'wallet' }

export const AUTHORISATION: { readonly [route: string]: Rule } = {
  'POST /:tenantId/v1/credit-reports': reports,
  'POST /:tenantId/v1/credit-reports/:creditReportId/otp-challenge': reports,
  'POST /:tenantId/v1/credit-reports/:creditReportId/resend-sms': reports,
  'GET /:tenantId/v1/wallet': wallet,
  'GET /:tenantId/v1/wallet/lines': wallet,

  'GET /v1/my/profile': person,
  'GET /v1/my/tenants': caller,
  'POST /v1/my/tenants/select': caller,

  'GET /v1/fingerprints/device': anyone,
  'GET /v1/fingerprints/:pinned{device@[A-Za-z0-9_-]{16}}': anyone,
  'POST /v1/fingerprints/device/sessions': anyone,
  'OPTIONS /v1/fingerprints/device/sessions': anyone,
  'ALL /v1/fingerprints/device/sessions': anyone, // adds headers to the two above

  'POST /v1/oauth/token': anyone, // shows a client secret
  'GET /v1/oauth/login': anyone,
  'GET /v1/oauth/callback': anyone, // shows the provider's code
  'POST /v1/oauth/refresh': anyone, // shows a refresh cookie, from a page of ours
  'POST /v1/oauth/logout': anyone, // asks for nothing but a page of ours
  'GET /v1/oauth/signed-out': anyone,
  'GET /v1/oauth/authorize': anyone,
  'GET /v1/oauth/authorize/:uid': anyone, // shows the cookie of a sign-in that was finished
  'GET /v1/oauth/sign-in/:uid': anyone, // shows the cookie of a sign-in under way
  'POST /v1/oauth/sign-in/:uid': anyone, // likewise, and a password or a code
  'GET /v1/oauth/style.css': anyone,
  'GET /.well-known/jwks.json': anyone,
  'GET /.well-known/openid-configuration': anyone,
  'GET /.well-known/oauth-authorization-server': anyone,

  'GET /console': page,
  'GET /console/checks/:creditReportId': page,
  'GET /console/tenants': page,
  'POST /console/tenants': page,
  'GET /console/clients': page,
  'POST /console/clients': page,
  'POST /console/clients/:clientId/revoke': page,
  'GET /console/profile': page,
  'POST /console/profile/totp': page,
  'POST /console/profile/totp/confirm': page,
  'POST /console/profile/totp/off': page,
  'GET /console/*': page, // leads to one of the above

  'POST /v1/sms/receipts/http': anyone, // shows the gateway's signature
  'POST /v1/sms/receipts/twilio': anyone, // likewise
  'GET /healthz': anyone,
  'GET /readyz': anyone,
  'GET /metrics': anyone, // shows METRICS_TOKEN, or comes from this machine
  'GET /': anyone, // leads to the docs
  'GET /docs': anyone,
  'GET /docs/docs.css': anyone,
  'GET /docs/try-it.js': anyone,
  'GET /openapi.json': anyone,

  'GET /demo/sms': anyone,
  'POST /demo/clock': caller,
  'GET /demo/gateway': anyone,
  'POST /demo/gateway': caller,
}
