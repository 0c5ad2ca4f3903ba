import { DAY_MS } from '../../kit/clock.ts'
import { newClientSecret } from '../tokens/client-secret.ts'
import { type Clients, createClients, SCOPES, type Scope } from '../tokens/clients.ts'
import { type Command, type CommandInput, printRows, Refused, readOption, requireWord, UsageError } from './command.ts'
import { requireId, requireTenantId } from './tenants.ts'

const createClientCommand: Command = {
  name: 'client create',
  usage: 'TENANT [--id CLIENT_ID] [--scopes SCOPE,…] [--expires-days DAYS]',
  summary: 'adds API credentials for a lender, or one more secret to a client it has; the secret is shown once',
  role: 'operator',
  async run(input) {
    const tenantId = await requireTenantId(input)
    const id = requireId(readOption(input, 'id') ?? tenantId)
    const secret = newClientSecret()
    const clients = clientsOf(input)
    const expiresAtMs = expiryOf(input)
    const isNew = await clients.create(input.act, { id, tenantId, secret, expiresAtMs, ...scopesOf(input) })
    if (!isNew && !(await clients.add(input.act, { id, tenantId, secret, expiresAtMs }))) {
      throw new Refused(
        `the client id "${id}" is taken: it was revoked, or is another lender’s; choose another with --id`,
      )
    }
    input.print(`client id      ${id}`)
    input.print(`client secret  ${secret}`)
    input.print('the secret is not kept: store it now')
    if (!isNew)
      input.print('this client existed: its scopes and its other secrets stay; end one with "client end-secret"')
    return 0
  },
}

const listClientsCommand: Command = {
  name: 'client list',
  usage: 'TENANT [--json]',
  summary: 'shows a lender’s API clients, what they may do, and the secrets that count',
  role: 'reader',
  async run(input) {
    const tenantId = await requireTenantId(input)
    const at = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
    // A client without a secret that counts has a line too.
    const rows = (await clientsOf(input).list(tenantId)).flatMap(({ id, scopes, disabledAtMs, secrets }) => {
      const client = { client: id, scopes: scopes.join(' '), revoked: at(disabledAtMs) }
      const none = { id: null, createdAtMs: null, expiresAtMs: null }
      return (secrets.length === 0 ? [none] : secrets).map((secret) => ({
        ...client,
        secret: secret.id,
        since: at(secret.createdAtMs),
        until: at(secret.expiresAtMs),
      }))
    })
    printRows(input, ['client', 'scopes', 'revoked', 'secret', 'since', 'until'], rows)
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

function expiryOf(input: CommandInput): number | undefined {
  const days = readOption(input, 'expires-days')
  if (days === undefined) return undefined
  if (/^[1-9]\d{0,3}$/.test(days)) return input.nowMs + Number(days) * DAY_MS
  throw new UsageError(`--expires-days must be a whole number of days from 1 to 9999, got "${days}"`)
}

function clientsOf({ database, nowMs }: CommandInput): Clients {
  return createClients({ database, clock: () => nowMs })
}
