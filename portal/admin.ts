// The operator's commands about people.
import { Email } from '../contract/generate.ts'
import { read } from '../contract/problems.ts'
import { ROLES, type Role } from '../contract/roles.ts'
import { printRows, readOption, requireWord, UsageError } from '../kit/command-line.ts'
import { type Command, type CommandInput, Refused, requireTenantId } from '../service/command.ts'
import type { Acting } from '../service/http/acting.ts'
import { invitationUrl, passwordUrl } from './identity/mails.ts'
import { createMembers, type Member, type Members } from './identity/members.ts'
import { createOneTimeLinks, INVITATIONS_MAX, type OneTimeLinks } from './identity/one-time-links.ts'
import { createUsers, normaliseEmail, type Users } from './identity/users.ts'

const inviteUserCommand: Command = {
  name: 'user invite',
  usage: `TENANT EMAIL [--role ${ROLES.join('|')}]`,
  summary:
    'prints a link with which a person joins a lender (as owner, unless --role says less); it works once, for 72 hours',
  role: 'operator',
  async run(input) {
    const tenantId = await requireTenantId(input)
    const email = requireEmail(input, 1)
    const role = requireRole(readOption(input, 'role') ?? 'owner')
    if ((await memberOf(input, tenantId, email)) !== undefined)
      throw new Refused(`"${email}" acts for "${tenantId}" already; "user role" changes the role`)
    const link = await linksOf(input).invite(input.act, { tenantId, email, role, by: null })
    if (link === null) throw new Refused(`"${tenantId}" has ${INVITATIONS_MAX} open invitations; withdraw some first`)
    input.print(`link  ${invitationUrl(input.config, link)}`)
    input.print(
      `works once, until ${new Date(link.expiresAtMs).toISOString()}: hand it to that person and to no one else`,
    )
    return 0
  },
}

const roleCommand: Command = {
  name: 'user role',
  usage: `TENANT EMAIL ${ROLES.join('|')}`,
  summary: 'changes what a person may do for a lender',
  role: 'operator',
  async run(input) {
    const tenantId = await requireTenantId(input)
    const email = requireEmail(input, 1)
    const role = requireRole(requireWord(input, 2, 'the role'))
    await changeRole(input, { tenantId, email, role })
    input.print(`${email} acts for ${tenantId} as ${role} now`)
    return 0
  },
}

const resetUserCommand: Command = {
  name: 'user reset',
  usage: 'EMAIL',
  summary:
    'ends a person’s sessions, password and two-step sign-in, and prints a link with which they set a new password; it works once, for 72 hours',
  role: 'operator',
  async run(input) {
    const email = requireWord(input, 0, 'the e-mail address')
    const link = await linksOf(input).resetPassword(input.act, email)
    if (link === null) throw new Refused(`there is no account "${email}"`)
    input.print(`link  ${passwordUrl(input.config, link)}`)
    input.print(
      `works once, until ${new Date(link.expiresAtMs).toISOString()}: hand it to that person and to no one else`,
    )
    return 0
  },
}

const listUsersCommand: Command = {
  name: 'user list',
  usage: 'TENANT [--json]',
  summary: 'shows who acts for a lender, as what, and with two-step sign-in or without',
  role: 'reader',
  async run(input) {
    const members = await membersOf(input).list(await requireTenantId(input))
    printRows(input, ['email', 'name', 'role', 'totpEnabled'], members)
    return 0
  },
}

const removeUserCommand: Command = {
  name: 'user remove',
  usage: 'EMAIL [--tenant TENANT] [--even-last-owner]',
  summary:
    'deletes an account and ends its sessions at once; with --tenant the person only stops acting for that lender; a lender’s last owner stays, unless --even-last-owner deletes the account',
  role: 'operator',
  isFinal: () => true,
  async run(input) {
    const email = requireWord(input, 0, 'the e-mail address')
    const tenantId = readOption(input, 'tenant')
    if (tenantId !== undefined) {
      await changeRole(input, { tenantId, email, role: null })
      input.print(`${email} may no longer act for ${tenantId}`)
      return 0
    }
    const evenLastOwner = input.options['even-last-owner'] === true
    const removed = await usersOf(input).remove(input.act, email, { evenLastOwner })
    if (removed === false) throw new Refused(`there is no account "${email}"`)
    if (removed !== true)
      throw new Refused(`"${email}" is the last owner of "${removed.lastOwnerOf}": make another person its owner first`)
    input.print(`${email} removed`)
    return 0
  },
}

const secondFactorCommand: Command = {
  name: 'tenant second-factor',
  usage: 'TENANT required|optional',
  summary: 'says whether a lender is closed to its people who have not turned on two-step sign-in',
  role: 'operator',
  async run(input) {
    const tenantId = await requireTenantId(input)
    const choice = requireWord(input, 1, '"required" or "optional"')
    if (choice !== 'required' && choice !== 'optional')
      throw new UsageError(`expected "required" or "optional", got "${choice}"`)
    await membersOf(input).requireSecondFactor(input.act, { tenantId, required: choice === 'required', by: null })
    input.print(`two-step sign-in is ${choice} for ${tenantId}`)
    return 0
  },
}

export const portalCommands: readonly Command[] = [
  secondFactorCommand,
  inviteUserCommand,
  listUsersCommand,
  roleCommand,
  resetUserCommand,
  removeUserCommand,
]

type Change = { tenantId: string; email: string; role: Role | null }

async function changeRole(input: CommandInput & { act: Acting }, { tenantId, email, role }: Change): Promise<void> {
  const member = await memberOf(input, tenantId, email)
  const unchanged = member && (await membersOf(input).setRole(input.act, { tenantId, userId: member.id, role }))
  if (member === undefined || unchanged === 'not a member')
    throw new Refused(`"${email}" does not act for "${tenantId}"`)
  if (unchanged === 'last owner')
    throw new Refused(`"${email}" is the last owner of "${tenantId}": make another person its owner first`)
}

async function memberOf(input: CommandInput, tenantId: string, email: string): Promise<Member | undefined> {
  return (await membersOf(input).list(tenantId)).find((member) => member.email === normaliseEmail(email))
}

function requireEmail(input: CommandInput, index: number): string {
  const email = requireWord(input, index, 'the e-mail address')
  if (!read(Email, email).ok) throw new UsageError(`an e-mail address was expected, got "${email}"`)
  return email
}

function requireRole(given: string): Role {
  // `viewer` is how scripts of earlier releases call support.
  const role = ROLES.find((each) => each === (given === 'viewer' ? 'support' : given))
  if (role === undefined) throw new UsageError(`the role must be ${ROLES.join(', ')}; got "${given}"`)
  return role
}

function usersOf({ database, nowMs }: CommandInput): Users {
  return createUsers({ database, clock: () => nowMs })
}

function membersOf({ database }: CommandInput): Members {
  return createMembers({ database })
}

function linksOf(input: CommandInput): OneTimeLinks {
  return createOneTimeLinks({ database: input.database, clock: () => input.nowMs, users: usersOf(input) })
}
