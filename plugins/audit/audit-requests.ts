import type { MiddlewareHandler } from 'hono'
import { type Clock, HOUR_MS } from '../../kit/clock.ts'
import { createCounter } from '../../kit/limits.ts'
import { describeError } from '../../service/describe-error.ts'
import type { Caller } from '../../service/http/caller.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import type { Log } from '../../service/log.ts'

/**
 * Failed sign-ins at one account that are written down in an hour; the rest are in the log. Anyone who knows an e-mail
 * address can cause them.
 */
const ATTEMPTS_MAX = 20

/**
 * `filesOnly`: a machine's request has a line only where it is given a person's file, which its route writes, or is
 * refused access.
 */
type AuditRequests = (audited: { filesOnly: boolean }) => MiddlewareHandler<ServiceEnv>

/**
 * Writes down who used a route that changed nothing: a read or a refusal, before the answer leaves. One that cannot be
 * written down is a failure. Requests that prove no one's identity leave no line: they are counted by the metrics and
 * sampled by the log.
 */
export function createAuditRequests({ clock, log }: { clock: Clock; log: Log }): AuditRequests {
  const attempts = createCounter({ windowMs: HOUR_MS, clock })

  return ({ filesOnly }) =>
    async (context, next) => {
      await next()
      if (context.get('isAsked')) return
      const { status } = context.res
      const noted = () => context.get('act').note(String(status), { isFailure: status >= 400 })
      const caller: Caller | undefined = context.get('caller')
      if (caller !== undefined) {
        if (!filesOnly || caller.kind === 'user' || status === 403) await noted()
        return
      }
      const account = context.get('account')
      if (account === undefined || attempts.take(account.userId, ATTEMPTS_MAX) > 0) return
      // Not waited for: the time of the answer must not tell whether there is such an account.
      void noted().catch((error: unknown) => log.error('failed sign-in not audited', describeError(error)))
    }
}
