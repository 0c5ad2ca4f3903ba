// An act's API route: the path names what it is done to, the body says the rest.
import type { Context, Hono } from 'hono'
import type * as z from 'zod/mini'
import { read } from '../../contract/problems.ts'
import type { Operation } from '../../openapi/operation.ts'
import { validationError } from '../http/api-error.ts'
import { hasPermission } from '../http/caller.ts'
import type { ServiceEnv } from '../http/context.ts'
import { type Answered, serve } from '../http/serve.ts'
import type { Act, ActCore, Actor } from './act.ts'

type Shape = z.core.$ZodLooseShape

/** Serves an act at its row, whose rule is the act's; `answer` says what came of it. */
export function serveAct<Fields extends Shape, Result, Row extends Operation>(
  routes: Hono<ServiceEnv>,
  { core, row, act }: { core: ActCore; row: Row; act: Act<Fields, Result> },
  answer: (context: Context<ServiceEnv>, result: Result) => Answered<Row> | Promise<Answered<Row>>,
): void {
  serve(routes, row, async (context, body) => {
    const named = (act.names ?? []).map((name) => [name, context.req.param(name)])
    const reading = read(act.reads, { ...(body as object | undefined), ...Object.fromEntries(named) })
    if (!reading.ok) throw validationError(reading.problems)
    return answer(context, await act.run(core, actorOf(context), reading.value))
  })
}

/** The caller, at the lender of the path or of the page. */
export function actorOf(context: Context<ServiceEnv>): Actor {
  const [caller, tenantId] = [context.get('caller'), context.get('tenantId')]
  const person = caller.kind === 'user' ? { id: caller.userId, name: caller.name, email: caller.email } : null
  const may: Actor['may'] = (permission) => hasPermission(caller, tenantId, permission)
  return { tenantId, person, isOperator: false, may, acting: context.get('act') }
}
