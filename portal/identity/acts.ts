// Changes of the people who act for a lender. They have no route for programs: people are the business of the console,
// the operator and the identity provider. Inviting is not here: the console sends a mail, the operator gets a link.
import * as z from 'zod/mini'
import { ROLES } from '../../contract/roles.ts'
import { act } from '../../service/act/act.ts'
import { ApiError } from '../../service/http/api-error.ts'
import { createMembers } from './members.ts'
import { createOneTimeLinks } from './one-time-links.ts'
import { createUsers } from './users.ts'

const common = { doors: ['console', 'admin'], permission: 'people', fresh: true } as const
/** Their id or e-mail address. */
const person = z.string()

export const changeRole = act({
  ...common,
  name: 'user.role',
  says: 'Change the role of a person, named by e-mail address',
  reads: z.object({ person, role: z.enum(ROLES) }),
  names: ['person'],
  words: ['person', 'role'],
  audit: 'person.role',
  run: ({ database }, { tenantId, acting }, input) =>
    createMembers({ database }).setRole(acting, { tenantId, ...input }),
})

export const removeMember = act({
  ...common,
  name: 'user.leave',
  says: 'Remove a person, named by e-mail address, from a lender at once; their account stays',
  reads: z.object({ person }),
  names: ['person'],
  isFinal: true,
  audit: 'person.remove',
  run: ({ database }, { tenantId, acting }, input) =>
    createMembers({ database }).setRole(acting, { tenantId, ...input, role: null }),
})

export const withdrawInvitation = act({
  ...common,
  name: 'invitation.withdraw',
  says: 'Withdraw an invitation; its link stops working',
  reads: z.object({ invitationId: z.string() }),
  names: ['invitationId'],
  audit: 'invitation.withdraw',
  async run({ database, clock }, { tenantId, acting }, { invitationId }) {
    const links = createOneTimeLinks({ database, clock, users: createUsers({ database, clock }) })
    const email = await links.withdraw(acting, { tenantId, id: invitationId })
    if (email === null) throw new ApiError('not-found', 'that invitation was used, withdrawn or has expired')
    return { email }
  },
})

export const requireSecondFactor = act({
  ...common,
  name: 'tenant.second-factor',
  says: 'Choose whether a lender’s people must turn on two-step sign-in',
  reads: z.object({ secondFactor: z.enum(['required', 'optional']) }),
  words: ['secondFactor'],
  audit: 'second-factor.require',
  async run({ database }, { tenantId, acting, person: by }, input) {
    const required = input.secondFactor === 'required'
    const change = { tenantId, required, by: by?.id ?? null }
    if (await createMembers({ database }).requireSecondFactor(acting, change)) return input
    throw new ApiError(
      'forbidden',
      'turn on two-step sign-in for yourself first: otherwise you would shut yourself out',
    )
  },
})

export const portalActs = [changeRole, removeMember, withdrawInvitation, requireSecondFactor]
