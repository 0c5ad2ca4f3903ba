// The operator's commands about people.
import { Email } from '../contract/generate.ts'
import { read } from '../contract/problems.ts'
import { ROLES, type Role } from '../contract/roles.ts'
import { printRows, readOption, requireWord, UsageError } from '../kit/command-line.ts'
import { type Command, type CommandInput, Refused, requireTenantId } from '../service/command.ts'
import { invitationUrl, passwordUrl } from './identity/mails.ts'
import { createMembers, type Members } from './identity/members.ts'
import { createOneTimeLinks, INVITATIONS_MAX, type OneTimeLinks } from './identity/one-time-links.ts'
import { createUsers, normaliseEmail, type Users } from './identity/users.ts'

const inviteUserCommand: Command = {
  name: 'user invite',
  usage: `TENANT EMAIL [--role ${ROLES.join('|')}]`,
  summary: 'Print a link to join a lender, as owner unless --role is given; it works once, for 72 hours',
  role: 'operator',
  async run(input) {
    const tenantId = await requireTenantId(input)
    const email = requireEmail(input, 1)
    const role = requireRole(readOption(input, 'role') ?? 'owner')
    const members = await membersOf(input).list(tenantId)
    if (members.some((member) => member.email === normaliseEmail(email)))
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

const resetUserCommand: Command = {
  name: 'user reset',
  usage: 'EMAIL',
  summary:
    'End a person’s sessions, password and two-step sign-in, and print a link to set a new password; it works once, for 72 hours',
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
  summary: 'Show a lender’s people with their roles and two-step sign-in',
  role: 'reader',
  async run(input) {
    const members = await membersOf(input).list(await requireTenantId(input))
    printRows(input, ['email', 'name', 'role', 'totpEnabled'], members)
    return 0
  },
}

const removeUserCommand: Command = {
  name: 'user remove',
  usage: 'EMAIL [--even-last-owner]',
  summary:
    'Delete an account and end its sessions at once; a lender’s last owner stays, unless --even-last-owner is given',
  role: 'operator',
  isFinal: () => true,
  async run(input) {
    const email = requireWord(input, 0, 'the e-mail address')
    const evenLastOwner = input.options['even-last-owner'] === true
    if (!(await usersOf(input).remove(input.act, email, { evenLastOwner })))
      throw new Refused(`there is no account "${email}"`)
    input.print(`${email} removed`)
    return 0
  },
}

export const portalCommands: readonly Command[] = [
  inviteUserCommand,
  listUsersCommand,
  resetUserCommand,
  removeUserCommand,
]

function requireEmail(input: CommandInput, index: number): string {
  const email = requireWord(input, index, 'the e-mail address')
  if (!read(Email, email).ok) throw new UsageError(`an e-mail address was expected, got "${email}"`)
  return email
}

function requireRole(given: string): Role {
  const role = ROLES.find((each) => each === given)
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
