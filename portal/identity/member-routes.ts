// The API about a lender's people: the same rules and functions as the console's page.
import { type Context, Hono } from 'hono'
import type * as contract from '../../contract/members.ts'
import type { Role } from '../../contract/roles.ts'
import type { Acting } from '../../service/http/acting.ts'
import { ApiError, RateLimited, unavailable, validationError } from '../../service/http/api-error.ts'
import type { UserCaller } from '../../service/http/caller.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { serve } from '../../service/http/serve.ts'
import type { Invite, NotInvited } from './invite.ts'
import { removedMail, roleChangedMail } from './mails.ts'
import { memberRows } from './member-operations.ts'
import { LAST_OWNER, type Member, type Members, OWN_FIRST } from './members.ts'
import type { Notify } from './notify.ts'
import type { Invitation, OneTimeLinks } from './one-time-links.ts'
import { normaliseEmail, type Users } from './users.ts'

const { operations } = memberRows

type MemberRouteOptions = {
  members: Members
  links: OneTimeLinks
  users: Users
  invite: Invite
  notify: Notify
  publicUrl: string
  hasOwnLogin: boolean
}

/** Behind the rule `member`: there is always a person. */
export function memberRoutes(options: MemberRouteOptions): Hono<ServiceEnv> {
  const { members, links, users, invite, notify, publicUrl, hasOwnLogin } = options
  const routes = new Hono<ServiceEnv>()

  serve(routes, operations.listMembers, async (context) => {
    const listed = await members.list(context.get('tenantId'))
    return { members: listed.map(toMember) }
  })

  serve(routes, operations.setMemberRole, async (context, { role }) => {
    const place = { tenantId: context.get('tenantId'), userId: context.req.param('userId') }
    const find = async () => (await members.list(place.tenantId)).find(({ id }) => id === place.userId)
    const found = await find()
    if (role === 'owner' && found !== undefined && found.role !== 'owner') {
      // No role has changed yet: what is written down is the invitation.
      context.set('isAsked', true)
      const problem = await inviteAs(context, context.get('actAs')('person.invite'), { email: found.email, role })
      if (problem !== null) throw refusalOf(problem)
      return toMember(found)
    }
    const unchanged = await members.setRole(context.get('act'), { ...place, role })
    if (unchanged === 'last owner') throw validationError([{ path: 'role', expected: LAST_OWNER }])
    const member = await find()
    if (found !== undefined && member !== undefined && found.role !== member.role) {
      const change = { ...(await placeOf(context)), from: found.role, to: member.role }
      notify([member], roleChangedMail({ publicUrl }, change))
    }
    if (member === undefined) throw new ApiError('not-found', 'no person with this id acts for this lender')
    return toMember(member)
  })

  serve(routes, operations.removeMember, async (context) => {
    const place = { tenantId: context.get('tenantId'), userId: context.req.param('userId') }
    const member = (await members.list(place.tenantId)).find(({ id }) => id === place.userId)
    const unchanged = await members.setRole(context.get('act'), { ...place, role: null })
    if (unchanged === 'last owner') throw validationError([{ path: 'userId', expected: LAST_OWNER }])
    if (unchanged === null && member !== undefined) notify([member], removedMail(await placeOf(context)))
  })

  serve(routes, operations.listInvitations, async (context) => {
    const open = await links.listInvitations(context.get('tenantId'))
    return { invitations: open.map(toInvitation) }
  })

  serve(routes, operations.invite, async (context, { email: given, role }) => {
    const email = normaliseEmail(given)
    const problem = await inviteAs(context, context.get('act'), { email, role })
    if (problem !== null) throw refusalOf(problem)
    const made = (await links.listInvitations(context.get('tenantId'))).find((invitation) => invitation.email === email)
    // Accepted or withdrawn within these milliseconds.
    if (made === undefined) throw unavailable()
    return toInvitation(made)
  })

  serve(routes, operations.withdrawInvitation, async (context) => {
    await links.withdraw(context.get('act'), {
      tenantId: context.get('tenantId'),
      id: context.req.param('invitationId'),
    })
  })

  serve(routes, operations.getSecondFactorRule, async (context) => {
    const required = await members.isSecondFactorRequired(context.get('tenantId'))
    return { required }
  })

  serve(routes, operations.setSecondFactorRule, async (context, { required }) => {
    if (!hasOwnLogin) throw new ApiError('forbidden', 'your identity provider looks after second factors')
    const { userId: by } = context.get('caller') as UserCaller
    const change = { tenantId: context.get('tenantId'), required, by }
    if (!(await members.requireSecondFactor(context.get('act'), change)))
      throw validationError([{ path: 'required', expected: OWN_FIRST }])
    return { required }
  })

  return routes

  async function inviteAs(context: Context<ServiceEnv>, act: Acting, person: { email: string; role: Role }) {
    const { userId, name } = context.get('caller') as UserCaller
    const tenantId = context.get('tenantId')
    const { tenantName } = await placeOf(context)
    const by = { id: userId, name }
    return invite(act, { ...person, tenantId, tenantName, by, requestId: context.get('requestId') })
  }

  /** The lender and the caller, by name. */
  async function placeOf(context: Context<ServiceEnv>): Promise<{ tenantName: string; by: string }> {
    const { userId, name } = context.get('caller') as UserCaller
    const tenantId = context.get('tenantId')
    const tenantName = (await users.listTenants(userId)).find(({ id }) => id === tenantId)?.name ?? tenantId
    return { tenantName, by: name }
  }
}

function refusalOf({ why, problem, retryAfterSeconds }: NotInvited): ApiError {
  switch (why) {
    case 'member':
      return validationError([{ path: 'email', expected: problem }])
    case 'limit': {
      const headers = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }
      return new RateLimited('requests', problem, headers)
    }
    case 'mail':
      return unavailable()
    case 'never':
      return new ApiError('forbidden', problem)
  }
}

function toMember({ id, name, email, role, totpEnabled }: Member): contract.Member {
  return { id, name, email, role, totpEnabled }
}

function toInvitation({ id, email, role, invitedBy, expiresAtMs }: Invitation): contract.Invitation {
  const expiresAt = new Date(expiresAtMs).toISOString()
  return { id, email, role, ...(invitedBy === null ? {} : { invitedBy }), expiresAt }
}
