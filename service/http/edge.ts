// The outermost ring: whatever a request meets before and after its route.
//
//   request ─▶ observe ─▶ address check ─▶ plugins ─▶ method check ─▶ (caller, limit, tenant) ─▶ route
//   answer  ◀─ headers, log line, metrics ◀─ errors become {code, message} ◀──┘
import { Hono, type MiddlewareHandler } from 'hono'
import { methodNotAllowed } from 'hono/method-not-allowed'
import type { Log } from '../log.ts'
import type { Telemetry } from '../telemetry.ts'
import { ApiError, answerError, errorBody, notFound, RateLimited } from './api-error.ts'
import type { ServiceEnv } from './context.ts'
import { observe } from './observe.ts'

type EdgeOptions = {
  log: Log
  telemetry: Telemetry
  /** True where the public address is https; browsers then use nothing else. */
  https: boolean
  /** Runs around every request, behind the address check. @default nothing */
  around?: readonly MiddlewareHandler<ServiceEnv>[]
}

/** An app without routes: mount them on it. */
export function createEdge({ log, telemetry, https, around = [] }: EdgeOptions): Hono<ServiceEnv> {
  const app = new Hono<ServiceEnv>()
  app.use(observe({ log, telemetry, https }))
  app.use(refuseUnstorable)
  for (const handler of around) app.use(handler)
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (context, methods) => errorBody(context, methodError(context.req.method, methods)),
    }),
  )
  app.onError((error, context) => {
    if (error instanceof RateLimited) telemetry.limitMet(error.kind)
    return answerError(context, error, log)
  })
  app.notFound((context) => errorBody(context, notFound()))
  return app
}

/** An encoded NUL, which PostgreSQL refuses in a parameter, or half a surrogate pair, which is no text. */
const UNSTORABLE = /%00|%ed%[ab][\da-f]/i

/** No honest client sends either. Bodies are judged by the schemas; Node refuses both in headers. */
const refuseUnstorable: MiddlewareHandler = (context, next) => {
  if (!UNSTORABLE.test(context.req.url)) return next()
  throw new ApiError('validation-error', 'address: must not contain NUL or broken characters')
}

function methodError(method: string, allowed: readonly string[]): ApiError {
  const allow = [...allowed].sort().join(', ')
  return new ApiError('method-not-allowed', `${method} is not possible here; use ${allow}`, { Allow: allow })
}
