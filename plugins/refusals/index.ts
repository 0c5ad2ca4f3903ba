// The refused calls of a lender's API clients: for its developers, who see after a deploy whether their calls fail.
import type { MiddlewareHandler } from 'hono'
import { ERROR_STATUS } from '../../contract/error.ts'
import type { Clock } from '../../kit/clock.ts'
import { ApiError, PlayedError } from '../../service/http/api-error.ts'
import type { Caller } from '../../service/http/caller.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { routeOf } from '../../service/http/observe.ts'
import type { Log } from '../../service/log.ts'
import type { Plugin } from '../../service/plugin.ts'
import type { Database } from '../../service/store/database.ts'
import { refusalRows } from './operations.ts'
import { createRefusals, type Refusals } from './refusals.ts'
import { refusalRoutes } from './routes.ts'
import { refusalTables } from './tables.ts'

export type RefusalOptions = { database: Database; clock: Clock; log: Log }

/** `kept` is for the console. */
export function refusals(options: RefusalOptions): Plugin & { kept: Refusals } {
  const kept = createRefusals(options)
  return {
    name: 'refusals',
    kept,
    tables: [refusalTables],
    edge: () => noteRefusals(kept, options.clock),
    serve: async () => ({ routes: refusalRoutes(kept), rows: [refusalRows] }),
    sweeps: () => ({ oldRefusals: kept.forgetOld }),
    start: () => kept.start(),
  }
}

/**
 * Callers that prove no identity leave nothing: anyone can cause theirs by the thousand. An error that test mode plays
 * is no failure.
 */
function noteRefusals(kept: Refusals, clock: Clock): MiddlewareHandler<ServiceEnv> {
  return async (context, next) => {
    await next()
    const { status } = context.res
    const caller: Caller | undefined = context.get('caller')
    const tenantId = caller?.kind === 'client' ? caller.tenantIds[0] : undefined
    if (status < 400 || caller?.kind !== 'client' || tenantId === undefined) return
    if (context.error instanceof PlayedError) return
    kept.note({
      tenantId,
      atMs: clock(),
      clientId: caller.clientId,
      method: context.req.method,
      route: routeOf(context),
      status,
      code: context.error instanceof ApiError ? context.error.code : codeOf(status),
      requestId: context.get('requestId'),
    })
  }
}

/** Of an answer that no error of ours gave: the first code of its status. */
function codeOf(status: number): string {
  return Object.entries(ERROR_STATUS).find(([, known]) => known === status)?.[0] ?? 'internal-error'
}
