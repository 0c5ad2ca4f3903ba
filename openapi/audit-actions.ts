// Every action of the audit trail, in words. A row or a route that names another does not compile.

export const AUDIT_ACTIONS = {
  'sign-in': 'Signed in',
  'sign-in.try': 'Tried to sign in',
  'sign-in.again': 'Proved again who they are',
  'sign-out': 'Signed out',
  'password.change': 'Changed their password',
  'password.set': 'Set a password with a link',
  'password-link.send': 'A password link was sent',
  'sessions.end': 'Ended their other sessions',
  'second-factor.begin': 'Began two-step sign-in',
  'second-factor.on': 'Turned two-step sign-in on',
  'second-factor.off': 'Turned two-step sign-in off',
  'second-factor.require': 'Changed whether two-step sign-in is required',
  'person.invite': 'Invited a person',
  'invitation.accept': 'Accepted an invitation',
  'invitation.withdraw': 'Withdrew an invitation',
  'person.role': 'Changed a role',
  'person.remove': 'Removed a person',
  'client.create': 'Created an API client',
  'client.rename': 'Renamed an API client',
  'client.revoke': 'Revoked an API client',
  'client-secret.replace': 'Replaced a client secret',
  'client-secret.end': 'Ended a client secret',
  'webhook.add': 'Added a webhook',
  'webhook.rotate': 'Made a new webhook secret',
  'webhook.remove': 'Removed a webhook',
  'webhook.test': 'Sent a webhook test event',
  'webhook.resend': 'Sent a webhook event again',
  'webhook.resend-failed': 'Sent all failed webhook events again',
  'caps.set': 'Changed the spend caps',
  'low-balance.set': 'Changed the low-balance alert',
  'report.generate': 'Ran a check',
  'report.code': 'Submitted a code',
  'report.resend': 'Sent a code again',
  'report.read': 'Read a report',
  'report.open': 'Opened a report in the console',
  'report.erase': 'Erased a report',
  'link.make': 'Made a link to a check',
  'link.revoke': 'Revoked a link',
  'hosted-page.set': 'Changed the hosted page',
  'person.find': 'Looked a consumer up',
  'person.export': 'Exported a consumer’s data',
  'person.erase': 'Erased a consumer’s data',
  'audit.read': 'Read the audit trail',
  'trail.begin': 'The trail of a lender began',
} as const
export type AuditAction = keyof typeof AUDIT_ACTIONS

/** An action written by another version is shown as it is. */
export function actionWords(action: string): string {
  if (action.startsWith('admin ')) return `Operator’s command: ${action.slice('admin '.length)}`
  return Object.hasOwn(AUDIT_ACTIONS, action) ? AUDIT_ACTIONS[action as AuditAction] : action
}
