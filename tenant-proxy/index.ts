// The door of the published package (`credit-report-widget/tenant-proxy`).
export { type NodeHandler, toExpress, toFastify, toHono, toNext, toNodeHandler } from './adapters.ts'
export type { OwnRequest } from './check/browser-request.ts'
export type { CheckDecision, CompletedCheck } from './decide.ts'
export type { DecideOptions, LinkDecideOptions, WhichCheck } from './decide-options.ts'
export type { ProxyEvent } from './events.ts'
export type { Incoming, Outgoing } from './exchange.ts'
export { inventAddresses } from './extras/addresses.ts'
export {
  type AgencyContact,
  type DeclineNotice,
  type DeclineNoticeOptions,
  declineNotice,
} from './extras/decline-notice.ts'
export type { Diagnosis } from './extras/diagnosis.ts'
export type { BeginOptions, KnownAddress, KnownPerson } from './extras/start.ts'
export type {
  ConsentRecord,
  FindAddresses,
  Limits,
  Outcome,
  ProxyContext,
  ReportContext,
  TenantProxyOptions,
} from './options.ts'
export { createTenantProxy, NotReady, type TenantProxy } from './tenant-proxy.ts'
