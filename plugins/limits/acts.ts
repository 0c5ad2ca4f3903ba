// A lender's changes of its spending limits.
import * as z from 'zod/mini'
import { LowBalanceAlert, SpendCaps } from '../../contract/wallet.ts'
import { act } from '../../service/act/act.ts'
import { setLowBalance } from './spend-alerts.ts'
import { changeCaps, readCaps } from './spend-caps.ts'

const REQUESTS_PER_MINUTE_MAX = 999_999_999
const PerMinute = z.int().check(z.minimum(1), z.maximum(REQUESTS_PER_MINUTE_MAX))
const common = { doors: ['console', 'api', 'admin'], permission: 'money', scope: 'settings' } as const

export const setSpendCaps = act({
  ...common,
  name: 'caps',
  says: 'Change the spend caps of an hour and a day, and show them all',
  reads: z.extend(SpendCaps, { requestsPerMinute: z.optional(z.nullable(PerMinute)) }),
  operatorOnly: ['requestsPerMinute'],
  fresh: true,
  audit: 'caps.set',
  async run({ database, config, clock }, { tenantId, isOperator, acting }, change) {
    await changeCaps(acting, { tenantId, change, prices: config, nowMs: clock() })
    const { requestsPerMinute, ...caps } = await readCaps(database, { tenantId, nowMs: clock() })
    return isOperator ? { ...caps, requestsPerMinute: requestsPerMinute ?? config.rateLimitPerMinute } : caps
  },
})

export const setLowBalanceAlert = act({
  ...common,
  name: 'tenant.low-balance',
  says: 'Set or remove the low-balance alert',
  reads: LowBalanceAlert,
  words: ['thresholdCredits'],
  fresh: false,
  audit: 'low-balance.set',
  async run({ clock }, { tenantId, acting }, { thresholdCredits }) {
    await setLowBalance(acting, { tenantId, credits: thresholdCredits, nowMs: clock() })
    return { thresholdCredits }
  },
})

export const limitActs = [setSpendCaps, setLowBalanceAlert]
