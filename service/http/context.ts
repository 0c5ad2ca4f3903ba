import type { Context } from 'hono'
import type { AuditAction } from '../../openapi/audit-actions.ts'
import type { ActedAs, Acting } from './acting.ts'
import type { Caller, UserCaller } from './caller.ts'
import type { Allowance } from './rate-limit.ts'

/** An account that a request names without proving that it is its owner's. */
export type Account = Pick<UserCaller, 'userId' | 'name' | 'email' | 'tenantIds'>

/** The variables of a request: set by the edge, read by routes through `context.get(…)`. */
export type ServiceEnv = {
  Variables: {
    requestId: string
    /** When the request arrived, on the monotonic clock. */
    arrivedAtMs: number
    /** The caller; set by `requireCaller` and `requireTenant`. */
    caller: Caller
    /** The tenant of the path, once the caller has proved to be part of it. */
    tenantId: string
    /** The acting of the route's audited action: each of its transactions also records who did it. */
    act: Acting
    /**
     * The same for another action of the request, such as proving who one is. `as`: who acts where no guard has said
     * so.
     */
    actAs: (action: AuditAction, as?: ActedAs) => Acting
    /** Nothing more is to be written down: the request was answered with a question, or its act wrote its own line. */
    isAsked: boolean | undefined
    /** The account that a sign-in was tried for; set when it failed. */
    account: Account | undefined
    /** The report that a generate made or found; other routes name it in their path. */
    creditReportId: string | undefined
    /** The caller's remaining requests in this minute; becomes the `RateLimit-*` headers. */
    allowance: Allowance | undefined
    /** Counts the request towards its lender's limit, where the table leaves that to the route. */
    countRequest: (() => Promise<void>) | undefined
  }
}

/** Whole milliseconds since the request arrived, rounded up: work that was done never took no time. */
export function timeTakenMs(context: Context<ServiceEnv>): number {
  return Math.ceil(performance.now() - context.get('arrivedAtMs'))
}
