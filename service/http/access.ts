// Authentication and authorisation: 401 before 429 before 403; errors do not reveal why a token was refused.
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { type Permission, rolesWith } from '../../contract/roles.ts'
import { ApiError, RateLimited } from './api-error.ts'
import { type Authenticate, type Caller, hasPermission, isTestOnly } from './caller.ts'
import type { ServiceEnv } from './context.ts'
import type { RequestLimit } from './rate-limit.ts'

/** A test-only credential works in test mode alone. */
export function requireMode(context: Context<ServiceEnv>, { test }: { test: boolean }): void {
  if (!test && isTestOnly(context.get('caller')))
    throw new ApiError('forbidden', 'this credential is test-only: it works in test mode alone')
}

export type Access = ReturnType<typeof createAccess>

type AccessOptions = {
  authenticate: Authenticate
  limit: RequestLimit
  /** Throws when the report of the path is a live one. @default always: test-only credentials get no report */
  requireTestReport?: (report: { tenantId: string; creditReportId: string }) => Promise<void>
}

export function createAccess({ authenticate, limit, requireTestReport = refuse }: AccessOptions) {
  async function admit(context: Context<ServiceEnv>, { countLater = false } = {}): Promise<Caller> {
    const caller = await authenticate(context.req.raw)
    if (caller === null) throw unauthorized(context.req.header('Authorization') !== undefined)
    context.set('caller', caller)
    const count = async () => {
      const allowance = await limit.take(caller, context.req.path)
      context.set('allowance', allowance)
      if (allowance.allowed) return
      const wait = `wait ${allowance.resetSeconds} seconds`
      throw new RateLimited('requests', `more than ${allowance.limit} requests in a minute: ${wait}`)
    }
    if (countLater) context.set('countRequest', count)
    else await count()
    return caller
  }

  return {
    /** Lets any signed-in caller through. */
    requireCaller: () =>
      createMiddleware<ServiceEnv>(async (context, next) => {
        await admit(context)
        await next()
      }),
    /**
     * The same for one whose token carries the scope and who belongs to the `:tenantId` of the path; a person needs the
     * permission there.
     */
    requireTenant: (scope: string, permission: Permission, options: { countLater?: boolean; fresh?: boolean } = {}) =>
      createMiddleware<ServiceEnv>(async (context, next) => {
        const caller = await admit(context, options)
        if (!caller.scopes.includes(scope)) throw insufficientScope(scope)
        enter(context, caller, { permission, ...options })
        const creditReportId = context.req.param('creditReportId')
        if (creditReportId !== undefined && isTestOnly(caller))
          await requireTestReport({ tenantId: context.get('tenantId'), creditReportId })
        await next()
      }),
    /** Lets a person through who has the permission at the `:tenantId` of the path; no machine. */
    requireMember: (permission: Permission, options: { fresh?: boolean } = {}) =>
      createMiddleware<ServiceEnv>(async (context, next) => {
        const caller = await admit(context)
        if (caller.kind !== 'user') throw peopleOnly()
        enter(context, caller, { permission, ...options })
        await next()
      }),
  }
}

async function refuse(): Promise<void> {
  throw forbidden()
}

type Needs = { permission: Permission; fresh?: boolean }

function enter(context: Context<ServiceEnv>, caller: Caller, { permission, fresh = false }: Needs): void {
  const tenantId = context.req.param('tenantId')
  // A tenant that does not exist and one that is not yours look the same.
  if (tenantId === undefined || !caller.tenantIds.includes(tenantId)) throw forbidden()
  context.set('tenantId', tenantId)
  if (!hasPermission(caller, tenantId, permission))
    throw new ApiError('forbidden', `this needs the role ${rolesWith(permission)} at the lender`)
  // Machines prove themselves with each token.
  if (fresh && caller.kind === 'user' && !caller.isFresh)
    throw new ApiError('proof-required', 'sign in again: this needs a sign-in of the last 15 minutes')
}

/** `wasShown`: a token was present but invalid, which RFC 6750 calls `invalid_token`. */
export function unauthorized(wasShown = false): ApiError {
  const challenge = wasShown ? 'Bearer error="invalid_token"' : 'Bearer'
  return new ApiError('unauthorized', 'a valid access token is required', { 'WWW-Authenticate': challenge })
}

function insufficientScope(scope: string): ApiError {
  return new ApiError('forbidden', `this token needs the scope ${scope}`, {
    'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"`,
  })
}

export function peopleOnly(): ApiError {
  return new ApiError('forbidden', 'API clients cannot do this: it needs the session of a person who signed in')
}

export function forbidden(): ApiError {
  return new ApiError('forbidden', 'this token does not give access to that')
}
