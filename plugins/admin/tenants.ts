import * as z from 'zod/mini'
import { printRows, requireId, requireWord } from '../../kit/command-line.ts'
import { type Command, type CommandInput, Refused, requireTenantId } from '../../service/command.ts'
import type { WalletRow } from '../../service/ledger/tables.ts'
import type { TenantRow } from '../../service/ledger/tenant-tables.ts'
import { createTenant } from '../../service/ledger/tenants.ts'
import { readFields, usageOf } from '../act-command.ts'
import type { LowBalanceRow } from '../limits/spend-alerts.ts'
import { CheckoutHost, Price, TenantName } from './tenant-acts.ts'

const newTenant = {
  reads: z.object({
    name: TenantName,
    reportPrice: z.optional(Price),
    textPrice: z.optional(Price),
    checkoutHost: z.optional(CheckoutHost),
  }),
}

const createTenantCommand: Command = {
  name: 'tenant create',
  usage: `ID ${usageOf(newTenant)}`,
  summary: 'Add a lender with an empty wallet',
  role: 'operator',
  async run(input) {
    const id = requireId(requireWord(input, 0, 'the tenant’s id'))
    const {
      name,
      reportPrice: reportPriceCredits,
      textPrice: textPriceCredits,
      checkoutHost,
    } = readFields(newTenant, input)
    const prices = { reportPriceCredits, textPriceCredits }
    const created = await input.act.transaction(async (queries) => {
      const isNew = await createTenant(queries, { id, name, prices, checkoutHost, nowMs: input.nowMs })
      if (isNew) await input.plugins.enrol(queries, id)
      return isNew
    })
    if (!created) throw new Refused(`there is a tenant "${id}" already; it was left as it is`)
    input.print(`tenant ${id} created`)
    return 0
  },
}

const showTenantCommand: Command = {
  name: 'tenant show',
  usage: 'TENANT [--json]',
  summary: 'Show a lender with its prices, limits and balance',
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
  summary: 'Show every lender with its balance',
  role: 'reader',
  async run(input) {
    const columns = ['id', 'balanceCredits', 'heldCredits', 'suspendedAt', 'name'] as const
    printRows(input, columns, await readTenants(input))
    return 0
  },
}

export const tenantCommands: readonly Command[] = [createTenantCommand, showTenantCommand, listTenantsCommand]

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
    textPriceCredits: row.text_price_credits ?? config.textPriceCredits,
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
