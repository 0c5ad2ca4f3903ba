import {
  type Command,
  type CommandInput,
  printRows,
  readCredits,
  readOption,
  requireTenantId,
  UsageError,
} from '../../service/command.ts'
import type { TenantRow } from '../../service/ledger/tenant-tables.ts'
import { changeTenant, type Prices, readTenant } from '../../service/ledger/tenants.ts'
import type { Queries } from '../../service/store/database.ts'
import { type Caps, findCapProblems, PERIODS, PURPOSES, type Purpose, readSpend, setCaps } from './spend-caps.ts'

export const capsCommand: Command = {
  name: 'caps',
  usage:
    'TENANT [--report-hour CREDITS|none] [--report-day …] [--sms-hour …] [--sms-day …] [--requests-per-minute N|default] [--json]',
  summary: 'shows what a lender may spend in an hour and a day, and changes it',
  role: 'operator',
  async run(input) {
    const tenantId = await requireTenantId(input)
    const perMinute = readOption(input, 'requests-per-minute')
    const from: { [cap: string]: number | null } = {}
    const to: { [cap: string]: number | null } = {}
    const work = async (queries: Queries) => {
      const prices = (await readTenant(queries, tenantId, input.config)) ?? input.config
      let changes = perMinute === undefined ? 0 : 1
      const current = await readSpend(queries, tenantId, input.nowMs)
      for (const purpose of PURPOSES) {
        const given = { hour: readOption(input, `${purpose}-hour`), day: readOption(input, `${purpose}-day`) }
        if (given.hour === undefined && given.day === undefined) continue
        const was = (period: keyof Caps) =>
          current.find((spend) => spend.purpose === purpose && spend.period === period)?.capCredits ?? null
        const caps = {
          hour: readCap(given.hour, `--${purpose}-hour`, was('hour')),
          day: readCap(given.day, `--${purpose}-day`, was('day')),
        }
        requireUseful(purpose, caps, prices)
        await setCaps(queries, { tenantId, purpose, caps })
        for (const period of PERIODS) {
          from[`${purpose}-${period}`] = was(period)
          to[`${purpose}-${period}`] = caps[period]
        }
        changes += 1
      }
      if (perMinute !== undefined) {
        from['requests-per-minute'] = await readTenantLimit(queries, tenantId)
        to['requests-per-minute'] = readPerMinute(perMinute)
        await changeTenant(queries, tenantId, { rate_limit_per_minute: readPerMinute(perMinute) })
      }
      return changes
    }
    await input.act.transaction(work, () => ({ change: { from, to } }))
    await show(input, tenantId)
    return 0
  },
}

function readCap(given: string | undefined, what: string, current: number | null): number | null {
  if (given === undefined) return current
  return given === 'none' ? null : readCredits(given, what)
}

/** As on the lender's own page. */
function requireUseful(purpose: Purpose, caps: Caps, prices: Prices): void {
  const noCaps = { hour: null, day: null }
  const [problem] = findCapProblems({ report: noCaps, sms: noCaps, [purpose]: caps }, prices)
  if (problem === undefined) return
  const { period, why, priceCredits } = problem
  throw new UsageError(
    why === 'buys-nothing'
      ? `--${purpose}-${period} buys nothing: one costs ${priceCredits} credits; give that or more, or 0 to stop`
      : `--${purpose}-day must not be below --${purpose}-hour`,
  )
}

function readPerMinute(given: string): number | null {
  if (given === 'default') return null
  if (/^[1-9]\d{0,8}$/.test(given)) return Number(given)
  throw new UsageError(`--requests-per-minute must be a whole number from 1, or "default", got "${given}"`)
}

async function show(input: CommandInput, tenantId: string): Promise<void> {
  const { database, nowMs, config } = input
  const spend = (await readSpend(database, tenantId, nowMs)).map(({ purpose, period, capCredits, spentCredits }) => ({
    limit: `${purpose} credits per ${period}`,
    used: spentCredits,
    cap: capCredits,
  }))
  const perMinute = (await readTenantLimit(database, tenantId)) ?? config.rateLimitPerMinute
  printRows(input, ['limit', 'used', 'cap'], [...spend, { limit: 'requests per minute', used: null, cap: perMinute }])
}

async function readTenantLimit(queries: Queries, tenantId: string): Promise<number | null> {
  const row = await queries.first<Pick<TenantRow, 'rate_limit_per_minute'>>(
    'SELECT rate_limit_per_minute FROM tenant WHERE id = ?',
    tenantId,
  )
  return row?.rate_limit_per_minute ?? null
}
