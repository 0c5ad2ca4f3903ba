// Who may use which route of the portal.
import type { AuthorisationTable, Rule } from '../service/http/protect.ts'

const anyone: Rule = { who: 'anyone' }
const caller: Rule = { who: 'caller' }
const person: Rule = { who: 'person' }
const page: Rule = { who: 'page' }

export const PORTAL_ROUTES: AuthorisationTable = {
  'GET /v1/my/profile': person,
  'GET /v1/my/tenants': caller,
  'POST /v1/my/tenants/select': caller,
  'GET /v1/oauth/login': anyone,
  'GET /v1/oauth/callback': { ...anyone, audit: 'sign-in' }, // shows the provider's code
  'POST /v1/oauth/refresh': anyone, // shows a refresh cookie, from a page of ours
  'POST /v1/oauth/logout': { ...anyone, audit: 'sign-out' }, // asks for nothing but a page of ours
  'GET /v1/oauth/signed-out': anyone,
  'GET /v1/oauth/authorize': anyone,
  'GET /v1/oauth/authorize/:uid': anyone, // shows the cookie of a sign-in that was finished
  'GET /v1/oauth/sign-in/:uid': anyone, // shows the cookie of a sign-in under way
  'POST /v1/oauth/sign-in/:uid': { ...anyone, audit: 'sign-in.try' }, // likewise, and a password or a code
  'GET /v1/oauth/style.css': anyone,
  'GET /console': page,
  'GET /console/checks': page,
  'GET /console/checks/:creditReportId': page,
  'GET /console/tenants': page,
  'POST /console/tenants': page,
  'GET /console/clients': page,
  'POST /console/clients': { ...page, audit: 'client.create' },
  'POST /console/clients/:clientId/revoke': { ...page, audit: 'client.revoke' },
  'GET /console/webhooks': page,
  'POST /console/webhooks': { ...page, audit: 'webhook.add' },
  'POST /console/webhooks/:webhookId/rotate': { ...page, audit: 'webhook.rotate' },
  'POST /console/webhooks/:webhookId/remove': { ...page, audit: 'webhook.remove' },
  'POST /console/webhooks/events/:eventId/resend': { ...page, audit: 'webhook.resend' },
  'GET /console/audit': page,
  'GET /console/profile': page,
  'POST /console/profile/totp': { ...page, audit: 'second-factor.begin' },
  'POST /console/profile/totp/confirm': { ...page, audit: 'second-factor.on' },
  'POST /console/profile/totp/off': { ...page, audit: 'second-factor.off' },
  'GET /console/*': page, // leads to one of the above
  'GET /': anyone, // leads to the docs
  'GET /docs': anyone,
  'GET /docs/docs.css': anyone,
  'GET /docs/try-it.js': anyone,
}
