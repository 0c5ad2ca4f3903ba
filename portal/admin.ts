// The operator's commands about people.
import { type Command, type CommandInput, readOption, requireWord, UsageError } from '../service/admin/command.ts'
import { requireTenantId } from '../service/admin/tenants.ts'
import { ROLES } from '../service/http/caller.ts'
import { createMembers } from './members.ts'
import { hashPassword, newPassword } from './password.ts'
import { createUsers, type Users } from './users.ts'

const emailShape = /^[^\s@]+@[^\s@]+$/

const createUserCommand: Command = {
  name: 'user create',
  usage: 'TENANT EMAIL --first-name NAME --last-name NAME [--role viewer|operator|owner]',
  summary:
    'adds a person who may sign in for a lender (as owner, unless --role says less), or gives one who exists that role; a new one’s password is shown once',
  role: 'operator',
  async run(input) {
    const tenantId = await requireTenantId(input)
    const email = requireWord(input, 1, 'the e-mail address')
    if (!emailShape.test(email)) throw new UsageError(`an e-mail address was expected, got "${email}"`)
    const users = usersOf(input)
    const given = readOption(input, 'role') ?? 'owner'
    const role = ROLES.find((each) => each === given)
    if (role === undefined) throw new UsageError(`--role must be ${ROLES.join(', ')}, got "${given}"`)
    if (await users.join(input.act, email, tenantId, role)) {
      input.print(`${email} may act for ${tenantId} as ${role} now; the password stays`)
      return 0
    }
    const firstName = readOption(input, 'first-name')?.trim()
    const lastName = readOption(input, 'last-name')?.trim()
    if (!firstName || !lastName) throw new UsageError('--first-name and --last-name are needed for a new person')
    const password = newPassword()
    const passwordHash = await hashPassword(password)
    const user = await users.create(input.act, {
      email,
      firstName,
      lastName,
      passwordHash,
      tenantIds: [tenantId],
      role,
    })
    if (user === null) throw new UsageError(`${email} was added meanwhile; run the command again`)
    input.print(`user      ${user.id}`)
    input.print(`e-mail    ${user.email}`)
    input.print(`password  ${password}`)
    input.print('the password is not kept: hand it over now')
    return 0
  },
}

const resetUserCommand: Command = {
  name: 'user reset',
  usage: 'EMAIL',
  summary: 'gives a person a new password, turns their two-step sign-in off and ends their sessions',
  role: 'operator',
  async run(input) {
    const email = requireWord(input, 0, 'the e-mail address')
    const password = newPassword()
    if (!(await usersOf(input).reset(input.act, email, await hashPassword(password))))
      throw new UsageError(`nobody signs in as "${email}"`)
    input.print(`password  ${password}`)
    input.print('the password is not kept: hand it over now')
    return 0
  },
}

const removeUserCommand: Command = {
  name: 'user remove',
  usage: 'EMAIL [--tenant TENANT]',
  summary: 'forgets a person and ends their sessions at once; with --tenant they only stop acting for that lender',
  role: 'operator',
  async run(input) {
    const email = requireWord(input, 0, 'the e-mail address')
    const tenantId = readOption(input, 'tenant')
    const users = usersOf(input)
    if (tenantId === undefined) {
      if (!(await users.remove(input.act, email))) throw new UsageError(`nobody signs in as "${email}"`)
      input.print(`${email} removed`)
      return 0
    }
    if (!(await users.leave(input.act, email, tenantId)))
      throw new UsageError(`"${email}" does not act for "${tenantId}"`)
    input.print(`${email} may no longer act for ${tenantId}`)
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
    await createMembers({ database: input.database }).requireSecondFactor(input.act, tenantId, choice === 'required')
    input.print(`two-step sign-in is ${choice} for ${tenantId}`)
    return 0
  },
}

export const portalCommands: readonly Command[] = [
  secondFactorCommand,
  createUserCommand,
  resetUserCommand,
  removeUserCommand,
]

function usersOf({ database, nowMs }: CommandInput): Users {
  return createUsers({ database, clock: () => nowMs })
}
