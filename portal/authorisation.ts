// Who may use which route of the portal.
import type { AuditAction } from '../openapi/audit-actions.ts'
import { portalOperations } from '../openapi/portal-operations.ts'
import type { Role } from '../service/http/caller.ts'
import { type AuthorisationTable, type Rule, rulesOf } from '../service/http/protect.ts'

const anyone: Rule = { who: 'anyone' }
const page = (role: Role | null, audit?: AuditAction): Rule => ({ who: 'page', role, ...(audit ? { audit } : {}) })

export const PORTAL_ROUTES: AuthorisationTable = {
  ...rulesOf(portalOperations),
  'GET /v1/oauth/signed-out': anyone,
  'GET /v1/oauth/authorize': anyone, // says that the sign-in has expired
  'GET /v1/oauth/authorize/:uid': anyone, // likewise
  'GET /v1/oauth/sign-in/:uid': anyone, // shows the cookie of a sign-in in progress
  'POST /v1/oauth/sign-in/:uid': { ...anyone, audit: 'sign-in.try' }, // likewise, and a password or a code
  'GET /v1/oauth/style.css': anyone,
  'GET /password-links': anyone,
  'POST /password-links': anyone, // sends a mail, so many an hour
  // These four show the token of a one-time link. What is done with it is written down by the route, without the token.
  'GET /invitations/:token': anyone,
  'POST /invitations/:token': anyone,
  'GET /password-links/:token': anyone,
  'POST /password-links/:token': anyone,
  'GET /console/invitations/:token': page(null),
  'POST /console/invitations/:token': page(null),
  'GET /console': page('viewer'),
  'GET /console/money': page('viewer'),
  'POST /console/money/low-balance': page('owner', 'low-balance.set'),
  'GET /console/money/statement': page('viewer'),
  'GET /console/money/statement.csv': page('viewer'),
  'GET /console/checks': page('viewer'),
  'GET /console/checks/:creditReportId': page('viewer'),
  'GET /console/tenants': page(null),
  'POST /console/tenants': page(null),
  'GET /console/caps': page('owner'),
  'POST /console/caps': page('owner', 'caps.set'),
  'GET /console/setup': page('owner'),
  'GET /console/clients': page('owner'),
  'POST /console/clients': page('owner', 'client.create'),
  'GET /console/clients/:clientId/revoke': page('owner'),
  'POST /console/clients/:clientId/revoke': page('owner', 'client.revoke'),
  'GET /console/clients/:clientId/name': page('owner'),
  'POST /console/clients/:clientId/name': page('owner', 'client.rename'),
  'GET /console/clients/:clientId/secrets': page('owner'),
  'POST /console/clients/:clientId/secrets': page('owner', 'client-secret.replace'),
  'GET /console/clients/:clientId/secrets/:secretId/end': page('owner'),
  'POST /console/clients/:clientId/secrets/:secretId/end': page('owner', 'client-secret.end'),
  'GET /console/webhooks': page('owner'),
  'POST /console/webhooks': page('owner', 'webhook.add'),
  'GET /console/webhooks/:webhookId/rotate': page('owner'),
  'POST /console/webhooks/:webhookId/rotate': page('owner', 'webhook.rotate'),
  'GET /console/webhooks/:webhookId/remove': page('owner'),
  'POST /console/webhooks/:webhookId/remove': page('owner', 'webhook.remove'),
  'POST /console/webhooks/:webhookId/test': page('owner', 'webhook.test'),
  'GET /console/webhooks/events/:eventId': page('owner'),
  'POST /console/webhooks/events/:eventId/resend': page('owner', 'webhook.resend'),
  'GET /console/people': page('owner'),
  'POST /console/people': page('owner', 'person.invite'),
  'GET /console/people/invitations/:invitationId/withdraw': page('owner'),
  'POST /console/people/invitations/:invitationId/withdraw': page('owner', 'invitation.withdraw'),
  'GET /console/people/second-factor': page('owner'),
  'POST /console/people/second-factor': page('owner', 'second-factor.require'),
  'GET /console/people/:userId/role': page('owner'),
  'POST /console/people/:userId/role': page('owner', 'person.role'),
  'GET /console/people/:userId/remove': page('owner'),
  'POST /console/people/:userId/remove': page('owner', 'person.remove'),
  'GET /console/audit': page('owner'),
  'GET /console/audit.csv': page('owner', 'audit.read'),
  'GET /console/audit.jsonl': page('owner', 'audit.read'),
  'GET /console/profile': page(null),
  'POST /console/profile/password': page(null, 'password.change'),
  'POST /console/profile/sessions/end': page(null, 'sessions.end'),
  'GET /console/profile/totp': page(null),
  'POST /console/profile/totp': page(null, 'second-factor.begin'),
  'POST /console/profile/totp/confirm': page(null, 'second-factor.on'),
  'POST /console/profile/totp/off': page(null, 'second-factor.off'),
  'GET /console/*': page(null), // leads to one of the above
  'GET /': anyone, // leads to the docs
  'GET /docs': anyone,
  'GET /docs/docs.css': anyone,
  'GET /docs/reference.js': anyone,
  'GET /docs/try-it.js': anyone,
}
