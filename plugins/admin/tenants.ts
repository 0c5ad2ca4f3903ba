import {
  printRows,
  readCredits,
  readName,
  readOption,
  requireId,
  requireWord,
  UsageError,
} from '../../kit/command-line.ts'
import { type Command, type CommandInput, Refused, requireTenantId } from '../../service/command.ts'
import type { WalletRow } from '../../service/ledger/tables.ts'
import type { TenantRow } from '../../service/ledger/tenant-tables.ts'
import { changeTenant, createTenant, readTenant } from '../../service/ledger/tenants.ts'
import { isCheckoutHost } from '../../service/texts/code-text.ts'
import { problemOfSender, setSender } from '../../service/texts/sender.ts'
import type { LowBalanceRow } from '../limits/spend-alerts.ts'
import { readPluginSettings } from '../settings.ts'

const createTenantCommand: Command = {
  name: 'tenant create',
  usage: 'ID --name NAME [--report-price CREDITS] [--sms-price CREDITS] [--checkout-host HOST]',
  summary: 'adds a lender with an empty wallet',
  role: 'operator',
  async run(input) {
    const id = requireId(requireWord(input, 0, 'the tenant’s id'))
    const name = readName(readOption(input, 'name'), '--name, what consumers call the lender,')
    const checkoutHost = hostOf(input)
    const created = await input.act.transaction(async (queries) => {
      const prices = {
        reportPriceCredits: priceOf(input, 'report-price'),
        smsPriceCredits: priceOf(input, 'sms-price'),
      }
      const isNew = await createTenant(queries, { id, name, prices, checkoutHost, nowMs: input.nowMs })
      if (isNew) await input.plugins.enrol(queries, id)
      return isNew
    })
    if (!created) throw new Refused(`there is a tenant "${id}" already; it was left as it is`)
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
      (queries) => changeTenant(queries, tenantId, { require_all_bureaus: choice === 'all' ? 1 : 0 }),
      () => ({ change: { from: tenant?.requireAllBureaus ? 'all' : 'any', to: choice } }),
    )
    input.print(`reports of ${tenantId} need ${choice === 'all' ? 'every bureau' : 'at least one bureau'}`)
    return 0
  },
}

const renameTenantCommand: Command = {
  name: 'tenant rename',
  usage: 'TENANT [--name NAME] [--checkout-host HOST|none]',
  summary: 'changes what consumers call a lender, and the site its texts name; its id stays',
  role: 'operator',
  async run(input) {
    const tenantId = await requireTenantId(input)
    const name = readOption(input, 'name')
    const host = hostOf(input)
    if (name === undefined && host === undefined) throw new UsageError('--name or --checkout-host is missing')
    await change(input, tenantId, {
      ...(name === undefined ? {} : { name: readName(name, '--name') }),
      ...(host === undefined ? {} : { checkout_host: host }),
    })
    input.print(`tenant ${tenantId} changed; new texts carry the new words`)
    return 0
  },
}

const tenantSenderCommand: Command = {
  name: 'tenant sender',
  usage: 'TENANT NAME|default',
  summary: 'says who a lender’s texts come from: 1 to 11 letters and digits, or a number of the gateway’s',
  role: 'operator',
  async run(input) {
    const tenantId = await requireTenantId(input)
    const given = requireWord(input, 1, 'the name, or "default"')
    const sender = given === 'default' ? null : given
    const { sms } = readPluginSettings(input.environment).providers
    const problem = sender === null ? null : problemOfSender(sender, sms?.numbers ?? [])
    if (problem !== null) throw new UsageError(`"${given}" cannot be a sender: ${problem}`)
    let from: string | null = null
    await input.act.transaction(
      async (queries) => {
        from = await setSender(queries, { tenantId, sender })
      },
      () => ({ change: { from, to: sender } }),
    )
    input.print(
      sender === null ? `texts of ${tenantId} come from SMS_FROM` : `texts of ${tenantId} come from ${sender}`,
    )
    return 0
  },
}

const tenantPriceCommand: Command = {
  name: 'tenant price',
  usage: 'TENANT [--report CREDITS|default] [--sms CREDITS|default]',
  summary: 'changes what a lender pays from now on; what is held or booked stays as it is',
  role: 'operator',
  async run(input) {
    const tenantId = await requireTenantId(input)
    const [report, sms] = [priceOf(input, 'report'), priceOf(input, 'sms')]
    if (report === undefined && sms === undefined) throw new UsageError('--report or --sms is missing')
    await change(input, tenantId, {
      ...(report === undefined ? {} : { report_price_credits: report }),
      ...(sms === undefined ? {} : { sms_price_credits: sms }),
    })
    const tenant = await readTenant(input.database, tenantId, input.config)
    input.print(`a report costs ${tenant?.reportPriceCredits} credits, a text ${tenant?.smsPriceCredits}`)
    return 0
  },
}

const suspendTenantCommand: Command = {
  name: 'tenant suspend',
  usage: 'TENANT --reason REASON',
  summary: 'refuses a lender’s new checks; those that are open can finish, and what it bought can be read',
  role: 'operator',
  async run(input) {
    const tenantId = await requireTenantId(input)
    const reason = readName(readOption(input, 'reason'), '--reason')
    await change(input, tenantId, { suspended_at_ms: input.nowMs, suspended_reason: reason })
    input.print(`tenant ${tenantId} is suspended: its new checks are 403 "forbidden"`)
    return 0
  },
}

const resumeTenantCommand: Command = {
  name: 'tenant resume',
  usage: 'TENANT',
  summary: 'lets a suspended lender begin checks again',
  role: 'operator',
  async run(input) {
    const tenantId = await requireTenantId(input)
    await change(input, tenantId, { suspended_at_ms: null, suspended_reason: null })
    input.print(`tenant ${tenantId} is active`)
    return 0
  },
}

const showTenantCommand: Command = {
  name: 'tenant show',
  usage: 'TENANT [--json]',
  summary: 'shows a lender with its prices, limits and balance',
  role: 'reader',
  async run(input) {
    const [tenant] = await readTenants(input, await requireTenantId(input))
    if (input.options.json === true) input.print(JSON.stringify(tenant))
    else
      printRows(
        input,
        ['setting', 'value'],
        Object.entries(tenant ?? {}).map(([setting, value]) => ({ setting, value })),
      )
    return 0
  },
}

const listTenantsCommand: Command = {
  name: 'tenant list',
  usage: '[--json]',
  summary: 'shows every lender with its balance',
  role: 'reader',
  async run(input) {
    const columns = ['id', 'balanceCredits', 'heldCredits', 'suspendedAt', 'name'] as const
    printRows(input, columns, await readTenants(input))
    return 0
  },
}

export const tenantCommands: readonly Command[] = [
  createTenantCommand,
  tenantBureausCommand,
  renameTenantCommand,
  tenantSenderCommand,
  tenantPriceCommand,
  suspendTenantCommand,
  resumeTenantCommand,
  showTenantCommand,
  listTenantsCommand,
]

/** Every tenant, or one, as an operator sees it. */
async function readTenants({ database, config }: CommandInput, id?: string) {
  const rows = await database.all<TenantRow & WalletRow & LowBalanceRow>(
    `SELECT * FROM tenant JOIN wallet ON tenant_id = id ${id === undefined ? '' : 'WHERE id = ?'} ORDER BY id`,
    ...(id === undefined ? [] : [id]),
  )
  const at = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    balanceCredits: row.balance_credits,
    heldCredits: row.held_credits,
    reportPriceCredits: row.report_price_credits ?? config.reportPriceCredits,
    smsPriceCredits: row.sms_price_credits ?? config.smsPriceCredits,
    checkoutHost: row.checkout_host,
    smsSender: row.sms_sender,
    requireAllBureaus: row.require_all_bureaus === 1,
    requestsPerMinute: row.rate_limit_per_minute ?? config.rateLimitPerMinute,
    lowBalanceCredits: row.low_balance_credits,
    createdAt: at(row.created_at_ms),
    suspendedAt: at(row.suspended_at_ms),
    suspendedReason: row.suspended_reason,
  }))
}

type Changing = Parameters<Extract<Command, { role: 'operator' }>['run']>[0]
type TenantChange = Parameters<typeof changeTenant>[2]

/** With what it was before in the audit trail. */
async function change(input: Changing, tenantId: string, to: TenantChange): Promise<void> {
  const from: { [column: string]: string | number | null } = {}
  await input.act.transaction(
    async (queries) => {
      const row = await queries.first<TenantRow>('SELECT * FROM tenant WHERE id = ?', tenantId)
      for (const [column, was] of Object.entries(row ?? {})) if (column in to) from[column] = was
      await changeTenant(queries, tenantId, to)
    },
    () => ({ change: { from, to } }),
  )
}

function hostOf(input: CommandInput): string | null | undefined {
  const given = readOption(input, 'checkout-host')
  if (given === undefined) return undefined
  if (given === 'none') return null
  if (isCheckoutHost(given)) return given
  throw new UsageError(`--checkout-host must be a host name such as shop.example, got "${given}"`)
}

/** Null: the installation's. */
function priceOf(input: CommandInput, option: string): number | null | undefined {
  const given = readOption(input, option)
  if (given === undefined) return undefined
  return given === 'default' ? null : readCredits(given, `--${option}`)
}
