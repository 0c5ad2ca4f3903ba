// An act's API route: the path names what it is done to, the body says the rest.
import { type Context, Hono } from 'hono'
import { REPLAYED_HEADER } from '../../contract/idempotency.ts'
import { read } from '../../contract/problems.ts'
import type { Operations } from '../../openapi/operation.ts'
import { validationError } from '../http/api-error.ts'
import { hasPermission } from '../http/caller.ts'
import type { ServiceEnv } from '../http/context.ts'
import { readIdempotencyKey } from '../http/idempotency-key.ts'
import { serve } from '../http/serve.ts'
import type { ActCore, Actor, AnyAct } from './act.ts'
import { runOnce } from './once.ts'

/**
 * Each act of the API at the operation that names it, but for routes that a plugin serves by itself; throws where none
 * names it.
 */
export function actRoutes(
  core: ActCore,
  { acts, operations, served }: { acts: readonly AnyAct[]; operations: Operations; served: readonly string[] },
): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()
  for (const act of acts.filter(({ doors }) => doors.includes('api'))) {
    const row = Object.values(operations).find((operation) => operation.act === act.name)
    if (row === undefined) throw new Error(`no operation names the act ${act.name}`)
    if (served.includes(row.route)) continue
    serve(routes, row, async (context, body) => {
      const named = (act.names ?? []).map((name) => [name, context.req.param(name)])
      const reading = read(act.reads, { ...(body as object | undefined), ...Object.fromEntries(named) })
      if (!reading.ok) throw validationError(reading.problems)
      const [actor, input] = [actorOf(context), reading.value]
      const key = row.idempotent ? keyOf(context, { core, act, input }) : null
      const { done, isReplayed } = key
        ? await runOnce(act, { key, core, actor, input })
        : { done: await act.run(core, actor, input), isReplayed: false }
      // The act has written its own line.
      context.set('isAsked', !isReplayed)
      if (isReplayed) context.header(REPLAYED_HEADER, 'true')
      return (204 in row.answers ? undefined : done) as undefined
    })
  }
  return routes
}

/** A key is its caller's own: another one must not be given a secret by it. */
function keyOf(context: Context<ServiceEnv>, { core, act, input }: { core: ActCore; act: AnyAct; input: object }) {
  const [caller, tenantId] = [context.get('caller'), context.get('tenantId')]
  const operation = `${act.name} ${caller.kind === 'user' ? caller.userId : caller.clientId}`
  return readIdempotencyKey(context.req.raw, core.keys.indexes, { tenantId, operation, body: input })
}

/** The caller, at the lender of the path or of the page. */
export function actorOf(context: Context<ServiceEnv>): Actor {
  const [caller, tenantId] = [context.get('caller'), context.get('tenantId')]
  const person = caller.kind === 'user' ? { id: caller.userId, name: caller.name, email: caller.email } : null
  const may: Actor['may'] = (permission) => hasPermission(caller, tenantId, permission)
  return { tenantId, person, isOperator: false, may, acting: context.get('act') }
}
