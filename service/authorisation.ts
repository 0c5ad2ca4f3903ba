// Who may use which route of the machine API. A route without a rule and a rule without a route keep the service from starting.
import { serviceOperations } from '../openapi/document.ts'
import { type AuthorisationTable, rulesOf } from './http/protect.ts'

export const SERVICE_ROUTES: AuthorisationTable = {
  ...rulesOf(serviceOperations),
  'ALL /v1/fingerprints/device/sessions': { who: 'anyone' }, // adds headers to its two operations
  'GET /.well-known/security.txt': { who: 'anyone' },
}
