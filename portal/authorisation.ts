// The authorisation rules of the portal's routes.
import type { Permission } from '../contract/roles.ts'
import { revokeLink, setLenderPage, setLogo } from '../hosted/acts.ts'
import type { AuditAction } from '../openapi/audit-actions.ts'
import { createClient, endSecret, renameClient, replaceSecret, revokeClient } from '../plugins/clients/acts.ts'
import { setLowBalanceAlert, setSpendCaps } from '../plugins/limits/acts.ts'
import { addWebhook, removeWebhook, resendAllFailed, resendDelivery, rotateWebhook } from '../plugins/webhooks/acts.ts'
import { type AuthorisationTable, type Rule, rulesOf } from '../service/http/protect.ts'
import { formOf } from './console/act-form.ts'
import { changeRole, removeMember, requireSecondFactor, withdrawInvitation } from './identity/acts.ts'
import { portalRows } from './identity/operations.ts'

const anyone: Rule = { who: 'anyone' }
const page = (permission: Permission | null, audit?: AuditAction): Rule => ({
  who: 'page',
  permission,
  ...(audit ? { audit } : {}),
})

/** Only for those who proved within the last minutes who they are. */
const fresh = (permission: Permission, audit: AuditAction): Rule => ({ who: 'page', permission, audit, fresh: true })

export const PORTAL_ROUTES: AuthorisationTable = {
  ...rulesOf(portalRows.operations),
  'GET /v1/oauth/signed-out': anyone,
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
  'GET /console/invitations/:invitationId': page(null),
  'POST /console/invitations/:invitationId': page(null),
  'GET /console': page('look'),
  'GET /console/money': page('look'),
  'POST /console/money/low-balance': formOf(setLowBalanceAlert),
  'GET /console/money/statement': page('look'),
  'GET /console/money/statement.csv': page('look'),
  'GET /console/checks': page('look'),
  'GET /console/checks/:creditReportId': page('look'),
  'GET /console/checks/:creditReportId/report': page('report'),
  'POST /console/checks/:creditReportId/report': fresh('report', 'report.open'),
  'GET /console/tenants': page(null),
  'POST /console/tenants': page(null),
  'GET /console/caps': page('money'),
  'POST /console/caps': formOf(setSpendCaps),
  'GET /console/links': page('links'),
  'POST /console/links': page('links', 'link.make'),
  'GET /console/links/:linkId': page('links'),
  'POST /console/links/:linkId/revoke': formOf(revokeLink),
  'GET /console/hosted-page': page('connections'),
  'POST /console/hosted-page': formOf(setLenderPage),
  'POST /console/hosted-page/logo': formOf(setLogo),
  'GET /console/setup': page('connections'),
  'GET /console/clients': page('connections'),
  'POST /console/clients': formOf(createClient),
  'GET /console/clients/:clientId/revoke': page('integration'),
  'POST /console/clients/:clientId/revoke': formOf(revokeClient),
  'GET /console/clients/:clientId/name': page('integration'),
  'POST /console/clients/:clientId/name': formOf(renameClient),
  'GET /console/clients/:clientId/secrets': page('integration'),
  'POST /console/clients/:clientId/secrets': formOf(replaceSecret),
  'GET /console/clients/:clientId/secrets/:secretId/end': page('integration'),
  'POST /console/clients/:clientId/secrets/:secretId/end': formOf(endSecret),
  'GET /console/webhooks': page('connections'),
  'POST /console/webhooks': formOf(addWebhook),
  'GET /console/webhooks/:webhookId/rotate': page('integration'),
  'POST /console/webhooks/resend-failed': formOf(resendAllFailed),
  'POST /console/webhooks/:webhookId/rotate': formOf(rotateWebhook),
  'GET /console/webhooks/:webhookId/remove': page('integration'),
  'POST /console/webhooks/:webhookId/remove': formOf(removeWebhook),
  'POST /console/webhooks/:webhookId/test': page('integration', 'webhook.test'),
  'GET /console/webhooks/events/:deliveryId': page('connections'),
  'POST /console/webhooks/events/:deliveryId/resend': formOf(resendDelivery),
  'GET /console/people': page('members'),
  'POST /console/people': fresh('people', 'person.invite'),
  'GET /console/people/invitations/:invitationId/withdraw': page('people'),
  'POST /console/people/invitations/:invitationId/withdraw': formOf(withdrawInvitation),
  'GET /console/people/second-factor': page('people'),
  'POST /console/people/second-factor': formOf(requireSecondFactor),
  'GET /console/people/:person/role': page('people'),
  'POST /console/people/:person/role': formOf(changeRole),
  'GET /console/people/:person/remove': page('people'),
  'POST /console/people/:person/remove': formOf(removeMember),
  'GET /console/data': page('data'),
  'POST /console/data/find': fresh('data', 'person.find'),
  'POST /console/data/export': fresh('data', 'person.export'),
  'POST /console/data/print': fresh('data', 'person.export'),
  'POST /console/data/erase': fresh('data', 'person.erase'),
  'GET /console/checks/:creditReportId/erase': page('data'),
  'POST /console/checks/:creditReportId/erase': fresh('data', 'report.erase'),
  'GET /console/audit': page('audit'),
  'GET /console/audit.csv': page('audit', 'audit.read'),
  'GET /console/audit.jsonl': page('audit', 'audit.read'),
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
  'GET /docs/search.js': anyone,
  'GET /docs/try-it.js': anyone,
  'GET /docs/:page': anyone, // one for each resource
  'GET /docs/:room/:page': anyone, // guides as Markdown
  'GET /llms.txt': anyone,
  'GET /AGENTS.md': anyone,
}
