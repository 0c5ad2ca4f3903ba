import {
  CLIENT_NAME_LENGTH_MAX,
  ClientName,
  OVERLAP_DEFAULT_SECONDS,
  OVERLAP_MAX_SECONDS,
  SECRET_DAYS_MAX,
} from '../../contract/integration.ts'
import { read } from '../../contract/problems.ts'
import { DAY_MS } from '../../kit/clock.ts'
import {
  type Command,
  type CommandInput,
  printRows,
  Refused,
  readOption,
  requireId,
  requireTenantId,
  requireWord,
  UsageError,
} from '../../service/command.ts'
import { newClientSecret } from '../../service/tokens/client-secret.ts'
import { type Clients, createClients, SCOPES, type Scope, SECRETS_MAX } from '../../service/tokens/clients.ts'

const HOUR = 3_600

const createClientCommand: Command = {
  name: 'client create',
  usage: 'TENANT [--id CLIENT_ID] [--name NAME] [--scopes SCOPE,…] [--expires-days DAYS]',
  summary: 'adds API credentials for a lender, or one more secret to a client it has; the secret is shown once',
  role: 'operator',
  async run(input) {
    const tenantId = await requireTenantId(input)
    const id = requireId(readOption(input, 'id') ?? tenantId)
    const secret = newClientSecret()
    const clients = clientsOf(input)
    const expiresAtMs = expiryOf(input)
    const given = readOption(input, 'name')
    const name = given === undefined ? undefined : requireName(given)
    const isNew = await clients.create(input.act, { id, tenantId, name, secret, expiresAtMs, ...scopesOf(input) })
    if (!isNew && !(await clients.add(input.act, { id, tenantId, secret, expiresAtMs }))) {
      throw new Refused(
        `the client id "${id}" is taken: it was revoked, or is another lender’s; choose another with --id`,
      )
    }
    input.print(`client id      ${id}`)
    input.print(`client secret  ${secret}`)
    input.print('the secret is not kept: store it now')
    if (!isNew)
      input.print(
        'this client existed: its name, its scopes and its other secrets stay; end one with "client end-secret"',
      )
    return 0
  },
}

const listClientsCommand: Command = {
  name: 'client list',
  usage: 'TENANT [--json]',
  summary:
    'shows a lender’s API clients, what they may do, the secrets that count, and when each was last used, to the hour',
  role: 'reader',
  async run(input) {
    const tenantId = await requireTenantId(input)
    const at = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
    // A client without a secret that counts has a line too.
    const rows = (await clientsOf(input).list(tenantId)).flatMap(({ id, name, scopes, disabledAtMs, secrets }) => {
      const client = { client: id, name, scopes: scopes.join(' '), revoked: at(disabledAtMs) }
      const none = { id: null, createdAtMs: null, expiresAtMs: null, lastUsedAtMs: null }
      return (secrets.length === 0 ? [none] : secrets).map((secret) => ({
        ...client,
        secret: secret.id,
        since: at(secret.createdAtMs),
        until: at(secret.expiresAtMs),
        used: at(secret.lastUsedAtMs),
      }))
    })
    printRows(input, ['client', 'name', 'scopes', 'revoked', 'secret', 'since', 'until', 'used'], rows)
    return 0
  },
}

const renameClientCommand: Command = {
  name: 'client rename',
  usage: 'TENANT CLIENT_ID NAME',
  summary: 'changes what people call a client; its id stays',
  role: 'operator',
  async run(input) {
    const tenantId = await requireTenantId(input)
    const clientId = requireWord(input, 1, 'the client’s id')
    const name = requireName(requireWord(input, 2, 'the name'))
    if (!(await clientsOf(input).rename(input.act, { clientId, tenantId, name })))
      throw new Refused(`"${tenantId}" has no client "${clientId}", or it is revoked`)
    input.print(`client ${clientId} is called ${name}`)
    return 0
  },
}

const replaceSecretCommand: Command = {
  name: 'client replace-secret',
  usage: 'TENANT CLIENT_ID [--overlap-hours HOURS] [--expires-days DAYS]',
  summary: `gives a client a new secret, shown once; its others end after ${OVERLAP_DEFAULT_SECONDS / HOUR} hours, or those given`,
  role: 'operator',
  async run(input) {
    const tenantId = await requireTenantId(input)
    const clientId = requireWord(input, 1, 'the client’s id')
    const othersEndAtMs = input.nowMs + overlapSecondsOf(input) * 1_000
    const wanted = { clientId, tenantId, othersEndAtMs, expiresAtMs: expiryOf(input) }
    const replaced = await clientsOf(input).replaceSecret(input.act, wanted)
    if (replaced === null) {
      const many = `or has ${SECRETS_MAX} secrets: end one first`
      throw new Refused(`"${tenantId}" has no client "${clientId}", or it is revoked, ${many}`)
    }
    input.print(`client secret  ${replaced.secret}`)
    input.print('the secret is not kept: store it now')
    input.print(`the others end ${new Date(othersEndAtMs).toISOString()}`)
    return 0
  },
}

const endSecretCommand: Command = {
  name: 'client end-secret',
  usage: 'TENANT CLIENT_ID SECRET_ID',
  summary:
    'ends one secret of a client, as "client list" names it; its tokens count until they expire, 15 minutes at most',
  role: 'operator',
  isFinal: () => true,
  async run(input) {
    const tenantId = await requireTenantId(input)
    const clientId = requireWord(input, 1, 'the client’s id')
    const secretId = requireWord(input, 2, 'the secret’s id')
    if (!(await clientsOf(input).endSecret(input.act, { clientId, secretId, tenantId })))
      throw new Refused(`${clientId} of ${tenantId} has no secret "${secretId}" that counts`)
    input.print(`secret ${secretId} of ${clientId} ended`)
    return 0
  },
}

const revokeClientCommand: Command = {
  name: 'client revoke',
  usage: 'CLIENT_ID',
  summary: 'ends API credentials; tokens they obtained stop working within a minute',
  role: 'operator',
  isFinal: () => true,
  async run(input) {
    const id = requireWord(input, 0, 'the client’s id')
    if (!(await clientsOf(input).disable(input.act, id)))
      throw new Refused(`there is no client "${id}", or it is revoked`)
    input.print(`client ${id} revoked`)
    return 0
  },
}

export const clientCommands: readonly Command[] = [
  createClientCommand,
  listClientsCommand,
  renameClientCommand,
  replaceSecretCommand,
  endSecretCommand,
  revokeClientCommand,
]

function scopesOf(input: CommandInput): { scopes?: readonly Scope[] } {
  const names = readOption(input, 'scopes')?.split(',')
  if (names === undefined) return {}
  const scopes = SCOPES.filter((scope) => names.includes(scope))
  if (scopes.length === names.length) return { scopes }
  throw new UsageError(`--scopes may name ${SCOPES.join(', ')}, with commas between them, each once`)
}

function requireName(given: string): string {
  const reading = read(ClientName, given)
  if (reading.ok) return reading.value
  throw new UsageError(`the name must have 1 to ${CLIENT_NAME_LENGTH_MAX} characters, none of them invisible`)
}

function overlapSecondsOf(input: CommandInput): number {
  const hours = readOption(input, 'overlap-hours')
  if (hours === undefined) return OVERLAP_DEFAULT_SECONDS
  const seconds = /^\d{1,3}$/.test(hours) ? Number(hours) * HOUR : Number.NaN
  if (seconds <= OVERLAP_MAX_SECONDS) return seconds
  throw new UsageError(`--overlap-hours must be a whole number from 0 to ${OVERLAP_MAX_SECONDS / HOUR}, got "${hours}"`)
}

function expiryOf(input: CommandInput): number | undefined {
  const days = readOption(input, 'expires-days')
  if (days === undefined) return undefined
  if (/^[1-9]\d{0,3}$/.test(days) && Number(days) <= SECRET_DAYS_MAX) return input.nowMs + Number(days) * DAY_MS
  throw new UsageError(`--expires-days must be a whole number of days from 1 to ${SECRET_DAYS_MAX}, got "${days}"`)
}

function clientsOf({ database, nowMs }: CommandInput): Clients {
  return createClients({ database, clock: () => nowMs })
}
