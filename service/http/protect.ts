// Puts the authorisation table in front of every route.
import type { Context, Hono, MiddlewareHandler } from 'hono'
import { mayWrite } from '../../kit/same-origin.ts'
import { type Access, forbidden } from './access.ts'
import { ApiError } from './api-error.ts'
import type { AuditRequests } from './audit-requests.ts'
import type { Role } from './caller.ts'
import type { ServiceEnv } from './context.ts'

/**
 * - `anyone`: no token is asked for. Most are public; the others prove who calls in a way of their own, and say how.
 * - `caller`: anyone with a valid access token.
 * - `person`: the same, and it must be a person's; machines get 403.
 * - `tenant`: a caller of the tenant in the path, with a token that carries the scope; a person needs the role there.
 * - `page`: a person in a browser with the role at the lender they act for (null: none); anyone else is sent to sign in.
 */
export type Rule = (
  | { who: 'anyone' | 'caller' | 'person' }
  | {
      who: 'tenant'
      scope: string
      role: Role
      /** The route counts it towards the lender's limit: what it refuses for another reason first must not use that up. */
      countLater?: boolean
    }
  | { who: 'page'; role: Role | null }
) & {
  /** What it is called in the audit trail. @default not written down */
  audit?: string
  /** Of a machine's requests, only those that are given a person's file or refused access are written down. @default all of them */
  filesOnly?: boolean
}

/** Lets a person with the role through to a page. */
export type RequirePage = (role: Role | null) => MiddlewareHandler<ServiceEnv>

/** Who may use which route, as `METHOD /path`. */
export type AuthorisationTable = { readonly [route: string]: Rule }

type ProtectOptions = {
  access: Access
  /** Who may see pages for people; absent where there are none. */
  requirePage?: RequirePage | undefined
  table: AuthorisationTable
  /** Writes the routes down that the table marks. @default nothing is written down */
  audit?: AuditRequests
}

/** Call before the routes are mounted; the answer, called afterwards, throws when the table does not know one of them. */
export function protect(app: Hono<ServiceEnv>, { access, requirePage, table, audit }: ProtectOptions): () => void {
  for (const [route, rule] of Object.entries(table)) {
    const [method = '', path = ''] = route.split(' ')
    // Outside the guard: what it refuses to a known caller is written down too.
    if (rule.audit !== undefined && audit)
      app.on(method, path, audit({ action: rule.audit, filesOnly: rule.filesOnly === true }))
    const guard = guardOf(rule, access, requirePage)
    if (guard) app.on(method, path, guard)
  }
  return () => {
    const unknown = listRoutes(app).filter((route) => !(route in table))
    if (unknown.length > 0) throw new Error(`no rule says who may use ${unknown.join(', ')}`)
  }
}

/** Everything the router knows, as `METHOD /path`, but for what runs on every request. */
export function listRoutes(app: Hono<ServiceEnv>): string[] {
  const routes = app.routes.filter(({ method, path }) => method !== 'ALL' || path !== '/*')
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
        if (context.get('caller').kind !== 'user') throw forbidden()
        checkOrigin(context)
      })
    case 'tenant':
      return guardThenCheck(access.requireTenant(rule.scope, rule.role, rule), checkOrigin)
    case 'page':
      if (requirePage === undefined) throw new Error('a page needs somebody who lets people in')
      return guardThenCheck(requirePage(rule.role), requireOwnPage)
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

/** What a header vouches for needs no page of ours: no other site can make a browser send one. */
function checkOrigin(context: Context<ServiceEnv>): void {
  if (context.get('caller').kind === 'client' || context.req.raw.headers.has('Authorization')) return
  requireOwnPage(context)
}

/** CSRF: a browser sends its cookies with requests of any page, so a request with nothing but cookies must come from a page of ours. */
export function requireOwnPage(context: Context<ServiceEnv>): void {
  if (!mayWrite(context.req.raw)) throw new ApiError('forbidden', 'this can only be asked by a page of this service')
}
