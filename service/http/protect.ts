// Puts the authorisation table in front of every route.
import type { Context, Hono, MiddlewareHandler } from 'hono'
import type { Permission } from '../../contract/roles.ts'
import { mayWrite } from '../../kit/same-origin.ts'
import type { AuditRule, FreshRule, OperationRule, Operations } from '../../openapi/operation.ts'
import { type Access, peopleOnly } from './access.ts'
import { ApiError } from './api-error.ts'
import type { ServiceEnv } from './context.ts'

/**
 * The rule of an operation; or `page`: a person in a browser with the permission at the lender they act for (null:
 * none), others are sent to sign in.
 */
export type Rule = OperationRule | ({ who: 'page'; permission: Permission | null } & AuditRule & FreshRule)

/** Lets a person with the permission through to a page. */
export type RequirePage = (permission: Permission | null) => MiddlewareHandler<ServiceEnv>

/** The rule of each route, by `METHOD /path`. */
export type AuthorisationTable = { readonly [route: string]: Rule }

export function rulesOf(operations: Operations): AuthorisationTable {
  return Object.fromEntries(Object.values(operations).map(({ route, rule }) => [route, rule]))
}

type ProtectOptions = {
  access: Access
  /** The guard of pages for people; absent where there are none. */
  requirePage?: RequirePage | undefined
  /** Asks for a password or a code where a page's rule is `fresh` and the session is not. */
  requireProof?: MiddlewareHandler<ServiceEnv> | undefined
  table: AuthorisationTable
  /** Runs around the requests of a route, outside its guard. @default nothing */
  around?: (rule: Rule) => readonly MiddlewareHandler<ServiceEnv>[]
}

/**
 * Call before the routes are mounted. The answer, called afterwards, throws when a route has no rule or one of
 * `operations` has no route; pages may be absent, as those of the built-in sign-in are where another provider signs
 * people in.
 */
export function protect(
  app: Hono<ServiceEnv>,
  { access, requirePage, requireProof, table, around = () => [] }: ProtectOptions,
): (operations?: Operations) => void {
  for (const [route, rule] of Object.entries(table)) {
    const [method = '', path = ''] = route.split(' ')
    for (const handler of around(rule)) app.on(method, path, handler)
    const guard = guardOf(rule, access, requirePage)
    if (guard) app.on(method, path, guard)
    if (rule.who === 'page' && rule.fresh && requireProof) app.on(method, path, requireProof)
  }
  const guards = app.routes.length
  return (operations = {}) => {
    const served = routesFrom(app, guards)
    const unknown = served.filter((route) => !(route in table))
    if (unknown.length > 0) throw new Error(`no rule says who may use ${unknown.join(', ')}`)
    const unserved = Object.entries(operations).filter(([, { route }]) => !served.includes(route))
    if (unserved.length > 0) throw new Error(`no route serves ${unserved.map(([id]) => id).join(', ')}`)
  }
}

/** Everything the router knows, as `METHOD /path`, but for what runs on every request. */
export function listRoutes(app: Hono<ServiceEnv>): string[] {
  return routesFrom(app, 0)
}

function routesFrom(app: Hono<ServiceEnv>, first: number): string[] {
  const routes = app.routes.slice(first).filter(({ method, path }) => method !== 'ALL' || path !== '/*')
  return [...new Set(routes.map(({ method, path }) => `${method} ${path}`))]
}

function guardOf(
  rule: Rule,
  access: Access,
  requirePage: RequirePage | undefined,
): MiddlewareHandler<ServiceEnv> | null {
  switch (rule.who) {
    case 'anyone':
      return null
    case 'caller':
      return guardThenCheck(access.requireCaller(), checkOrigin)
    case 'person':
      return guardThenCheck(access.requireCaller(), (context) => {
        requirePerson(context)
        checkOrigin(context)
      })
    case 'tenant':
      return guardThenCheck(access.requireTenant(rule.scope, rule.permission, rule), checkOrigin)
    case 'member':
      return guardThenCheck(access.requireMember(rule.permission, rule), checkOrigin)
    case 'page':
      if (requirePage === undefined) throw new Error('page routes need requirePage')
      return guardThenCheck(requirePage(rule.permission), requireOwnPage)
  }
}

function guardThenCheck(
  guard: MiddlewareHandler<ServiceEnv>,
  check: (context: Context<ServiceEnv>) => void,
): MiddlewareHandler<ServiceEnv> {
  return (context, next) =>
    guard(context, async () => {
      check(context)
      await next()
    })
}

function requirePerson(context: Context<ServiceEnv>): void {
  if (context.get('caller').kind !== 'user') throw peopleOnly()
}

/** A request with an `Authorization` header needs no page of ours: no other site can make a browser send one. */
function checkOrigin(context: Context<ServiceEnv>): void {
  if (context.get('caller').kind === 'client' || context.req.raw.headers.has('Authorization')) return
  requireOwnPage(context)
}

/**
 * CSRF: a browser sends its cookies with requests of any page, so a request with nothing but cookies must come from a
 * page of ours.
 */
export function requireOwnPage(context: Context<ServiceEnv>): void {
  if (!mayWrite(context.req.raw)) throw new ApiError('forbidden', 'this can only be asked by a page of this service')
}
