// Who may use which route of the machine API: all of it, on one page. A route that is in no table does not start.
import type { Role } from './http/caller.ts'
import type { AuthorisationTable, Rule } from './http/protect.ts'
import { receiptPathOf, SMS_KINDS } from './providers/sms-gateways.ts'
import type { Scope } from './tokens/clients.ts'

const tenantWith = (scope: Scope, role: Role) => ({ who: 'tenant' as const, scope, role })
const anyone: Rule = { who: 'anyone' }
const reports = tenantWith('credit-reports', 'owner')
const lists = tenantWith('credit-reports', 'viewer') // nothing personal
const wallet = tenantWith('wallet', 'viewer')
const receipts = Object.fromEntries(SMS_KINDS.map((kind) => [`POST ${receiptPathOf(kind)}`, anyone]))

export const SERVICE_ROUTES: AuthorisationTable = {
  // Counted after the share of the consumer's network.
  'POST /:tenantId/v1/credit-reports': { ...reports, countLater: true, audit: 'report.generate', filesOnly: true },
  'GET /:tenantId/v1/credit-reports': lists,
  'GET /:tenantId/v1/credit-reports/:creditReportId': { ...reports, audit: 'report.read' },
  'POST /:tenantId/v1/credit-reports/:creditReportId/otp-challenge': {
    ...reports,
    audit: 'report.code',
    filesOnly: true,
  },
  'POST /:tenantId/v1/credit-reports/:creditReportId/resend-sms': {
    ...reports,
    audit: 'report.resend',
    filesOnly: true,
  },
  'DELETE /:tenantId/v1/credit-reports/:creditReportId': { ...reports, audit: 'report.erase' },
  'POST /:tenantId/v1/people/export': { ...reports, audit: 'person.export' },
  'POST /:tenantId/v1/people/erase': { ...reports, audit: 'person.erase' },
  'GET /:tenantId/v1/wallet': wallet,
  'GET /:tenantId/v1/wallet/lines': wallet,
  'GET /v1/fingerprints/device': anyone,
  'GET /v1/fingerprints/:pinned{device@[A-Za-z0-9_-]{16}}': anyone,
  'POST /v1/fingerprints/device/sessions': anyone,
  'OPTIONS /v1/fingerprints/device/sessions': anyone,
  'ALL /v1/fingerprints/device/sessions': anyone, // adds headers to the two above
  'POST /v1/oauth/token': anyone, // shows a client secret
  'GET /.well-known/jwks.json': anyone,
  'GET /.well-known/oauth-authorization-server': anyone,
  ...receipts, // show the gateway's signature
  'GET /healthz': anyone,
  'GET /readyz': anyone,
  'GET /metrics': anyone, // shows METRICS_TOKEN, or comes from this machine
  'GET /.well-known/security.txt': anyone,
  'GET /openapi.json': anyone,
}
