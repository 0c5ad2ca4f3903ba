import { requiredString } from '../../contract/bounded-string.ts'
import { read } from '../../contract/problems.ts'
import { createTenant, readTenant, setRequireAllBureaus } from '../tenants/store.ts'
import type { TenantRow } from '../tenants/tables.ts'
import { isCheckoutHost } from '../texts/code-text.ts'
import { newClientSecret } from '../tokens/client-secret.ts'
import { type Clients, createClients, SCOPES, type Scope } from '../tokens/clients.ts'
import { NEW_TENANT_CAPS, PURPOSES, setCaps } from '../wallet/spend.ts'
import type { WalletRow } from '../wallet/tables.ts'
import { type Command, type CommandInput, readCredits, readOption, requireWord, UsageError } from './command.ts'

// Ids are path segments and parts of other ids: nothing in them may need escaping.
const idShape = /^[a-z0-9](?:[a-z0-9-]{1,38}[a-z0-9])$/
const NAME_LENGTH_MAX = 100

const createTenantCommand: Command = {
  name: 'tenant create',
  usage: 'ID --name NAME [--report-price CREDITS] [--sms-price CREDITS] [--checkout-host HOST]',
  summary: 'adds a lender with an empty wallet',
  role: 'operator',
  async run(input) {
    const id = requireId(requireWord(input, 0, 'the tenant’s id'))
    const name = requireName(input)
    const checkoutHost = readOption(input, 'checkout-host')
    if (checkoutHost !== undefined && !isCheckoutHost(checkoutHost)) {
      throw new UsageError(`--checkout-host must be a host name such as shop.example, got "${checkoutHost}"`)
    }
    const created = await input.act.transaction(async (queries) => {
      const isNew = await createTenant(queries, {
        id,
        name,
        prices: pricesOf(input),
        ...(checkoutHost === undefined ? {} : { checkoutHost }),
        nowMs: input.nowMs,
      })
      if (isNew) {
        for (const purpose of PURPOSES)
          await setCaps(queries, { tenantId: id, purpose, caps: NEW_TENANT_CAPS[purpose] })
      }
      return isNew
    })
    if (!created) throw new UsageError(`there is a tenant "${id}" already; it was left as it is`)
    input.print(`tenant ${id} created`)
    return 0
  },
}

const tenantBureausCommand: Command = {
  name: 'tenant bureaus',
  usage: 'TENANT all|any',
  summary: 'says whether a lender’s reports need every bureau asked for, or take those that answer',
  role: 'operator',
  async run(input) {
    const tenantId = await requireTenantId(input)
    const choice = requireWord(input, 1, '"all" or "any"')
    if (choice !== 'all' && choice !== 'any') throw new UsageError(`expected "all" or "any", got "${choice}"`)
    const tenant = await readTenant(input.database, tenantId, input.config)
    await input.act.transaction(
      (queries) => setRequireAllBureaus(queries, tenantId, choice === 'all'),
      () => ({ change: { from: tenant?.requireAllBureaus ? 'all' : 'any', to: choice } }),
    )
    input.print(`reports of ${tenantId} need ${choice === 'all' ? 'every bureau' : 'at least one bureau'}`)
    return 0
  },
}

const listTenantsCommand: Command = {
  name: 'tenant list',
  usage: '',
  summary: 'shows every lender with its balance',
  role: 'reader',
  async run(input) {
    const { database, print } = input
    const rows = await database.all<Pick<TenantRow, 'id' | 'name'> & WalletRow>(
      'SELECT id, name, balance_credits, held_credits FROM tenant JOIN wallet ON tenant_id = id ORDER BY id',
    )
    for (const row of rows) print(`${row.id}  ${row.balance_credits} credits, ${row.held_credits} held  ${row.name}`)
    return 0
  },
}

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
      throw new UsageError(
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
  usage: 'TENANT',
  summary: 'shows a lender’s API clients, what they may do, and the secrets that count',
  role: 'reader',
  async run(input) {
    const tenantId = await requireTenantId(input)
    const at = (ms: number) => new Date(ms).toISOString()
    for (const client of await clientsOf(input).list(tenantId)) {
      const state = client.disabledAtMs === null ? client.scopes.join(' ') : `revoked ${at(client.disabledAtMs)}`
      input.print(`${client.id}  ${state}`)
      for (const { id, createdAtMs, expiresAtMs } of client.secrets)
        input.print(
          `  secret ${id}  since ${at(createdAtMs)}${expiresAtMs === null ? '' : `, until ${at(expiresAtMs)}`}`,
        )
    }
    return 0
  },
}

const endSecretCommand: Command = {
  name: 'client end-secret',
  usage: 'TENANT CLIENT_ID SECRET_ID',
  summary:
    'ends one secret of a client, as "client list" names it; its tokens count until they expire, 15 minutes at most',
  role: 'operator',
  async run(input) {
    const tenantId = await requireTenantId(input)
    const clientId = requireWord(input, 1, 'the client’s id')
    const secretId = requireWord(input, 2, 'the secret’s id')
    if (!(await clientsOf(input).endSecret(input.act, { clientId, secretId, tenantId })))
      throw new UsageError(`${clientId} of ${tenantId} has no secret "${secretId}" that counts`)
    input.print(`secret ${secretId} of ${clientId} ended`)
    return 0
  },
}

const revokeClientCommand: Command = {
  name: 'client revoke',
  usage: 'CLIENT_ID',
  summary: 'ends API credentials; tokens they obtained stop working within a minute',
  role: 'operator',
  async run(input) {
    const id = requireWord(input, 0, 'the client’s id')
    if (!(await clientsOf(input).disable(input.act, id))) throw new UsageError(`there is no client "${id}" at work`)
    input.print(`client ${id} revoked`)
    return 0
  },
}

export const tenantCommands: readonly Command[] = [
  createTenantCommand,
  tenantBureausCommand,
  listTenantsCommand,
  createClientCommand,
  listClientsCommand,
  endSecretCommand,
  revokeClientCommand,
]

/** The first word, as the id of a tenant that exists. */
export async function requireTenantId(input: CommandInput): Promise<string> {
  const id = requireWord(input, 0, 'the tenant’s id')
  if ((await readTenant(input.database, id, input.config)) === null) throw new UsageError(`there is no tenant "${id}"`)
  return id
}

function requireId(id: string): string {
  if (idShape.test(id)) return id
  throw new UsageError(`an id has 3 to 40 lower-case letters, digits and hyphens, got "${id}"`)
}

function pricesOf(input: CommandInput) {
  const report = readOption(input, 'report-price')
  const sms = readOption(input, 'sms-price')
  return {
    ...(report === undefined ? {} : { reportPriceCredits: readCredits(report, '--report-price') }),
    ...(sms === undefined ? {} : { smsPriceCredits: readCredits(sms, '--sms-price') }),
  }
}

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
  if (/^[1-9]\d{0,3}$/.test(days)) return input.nowMs + Number(days) * 86_400_000
  throw new UsageError(`--expires-days must be a whole number of days from 1 to 9999, got "${days}"`)
}

function clientsOf({ database, nowMs }: CommandInput): Clients {
  return createClients({ database, clock: () => nowMs })
}

/** It goes into texts, pages and mails. */
function requireName(input: CommandInput): string {
  const given = readOption(input, 'name')
  if (given === undefined) throw new UsageError('--name is missing: what consumers call the lender')
  const name = read(requiredString(NAME_LENGTH_MAX), given)
  if (!name.ok) throw new UsageError(`--name ${name.problems[0]?.expected}`)
  return name.value
}
