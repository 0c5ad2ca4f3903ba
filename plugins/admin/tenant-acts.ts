// The operator's changes of a lender.
import * as z from 'zod/mini'
import { isSeen, requiredString } from '../../contract/bounded-string.ts'
import { CREDITS_MAX } from '../../contract/limits.ts'
import { act } from '../../service/act/act.ts'
import { validationError } from '../../service/http/api-error.ts'
import { changeTenant, readTenant } from '../../service/ledger/tenants.ts'
import { isCheckoutHost } from '../../service/texts/code-text.ts'
import { problemOfSender } from '../../service/texts/sender.ts'
import { readPluginSettings } from '../settings.ts'

const NAME_LENGTH_MAX = 100
export const TenantName = requiredString(NAME_LENGTH_MAX).check(isSeen)
/** Null: none. */
export const CheckoutHost = z.nullable(
  z.string().check(z.refine(isCheckoutHost, 'must be a host name such as shop.example')),
)
/** Null: the installation's. */
export const Price = z.nullable(z.int().check(z.minimum(0), z.maximum(CREDITS_MAX)))

const common = { doors: ['admin'], permission: null, fresh: false } as const

const setBureaus = act({
  ...common,
  name: 'tenant.bureaus',
  says: 'Choose whether a lender’s reports need every bureau asked for, or take those that answer',
  reads: z.object({ bureaus: z.enum(['all', 'any']) }),
  words: ['bureaus'],
  async run(_core, { tenantId, acting }, input) {
    await changeTenant(acting, tenantId, { require_all_bureaus: input.bureaus === 'all' ? 1 : 0 })
    return input
  },
})

const renameTenant = act({
  ...common,
  name: 'tenant.rename',
  says: 'Change the name consumers see, and the site named in texts; the lender’s id stays',
  reads: z.object({ name: z.optional(TenantName), checkoutHost: z.optional(CheckoutHost) }),
  async run({ database, config }, { tenantId, acting }, { name, checkoutHost }) {
    await changeTenant(acting, tenantId, { name, checkout_host: checkoutHost })
    const tenant = await readTenant(database, tenantId, config)
    return { name: tenant?.name, checkoutHost: tenant?.checkoutHost }
  },
})

const setSender = act({
  ...common,
  name: 'tenant.sender',
  says: 'Choose the sender of a lender’s texts: 1 to 11 letters and digits, or a number of the gateway’s; "default": SMS_FROM',
  reads: z.object({ sender: z.nullable(z.string()) }),
  words: ['sender'],
  async run({ environment = {} }, { tenantId, acting }, { sender }) {
    const { sms } = readPluginSettings(environment).providers
    const problem = sender === null ? null : problemOfSender(sender, sms?.numbers ?? [])
    if (problem !== null) throw validationError([{ path: 'sender', expected: `cannot be "${sender}": ${problem}` }])
    await changeTenant(acting, tenantId, { sms_sender: sender })
    return { sender: sender ?? 'SMS_FROM' }
  },
})

const setPrices = act({
  ...common,
  name: 'tenant.price',
  says: 'Change a lender’s prices from now on; held and booked credits stay as they are',
  reads: z.object({ report: z.optional(Price), text: z.optional(Price) }),
  async run({ database, config }, { tenantId, acting }, { report, text }) {
    await changeTenant(acting, tenantId, { report_price_credits: report, text_price_credits: text })
    const tenant = await readTenant(database, tenantId, config)
    return { reportCredits: tenant?.reportPriceCredits, textCredits: tenant?.textPriceCredits }
  },
})

const suspendTenant = act({
  ...common,
  name: 'tenant.suspend',
  says: 'Refuse a lender’s new checks; open ones can finish, and bought reports can be read',
  reads: z.object({ reason: TenantName }),
  async run({ clock }, { tenantId, acting }, input) {
    await changeTenant(acting, tenantId, (was) => ({
      suspended_at_ms: was.suspended_at_ms ?? clock(),
      suspended_reason: input.reason,
    }))
    return input
  },
})

const resumeTenant = act({
  ...common,
  name: 'tenant.resume',
  says: 'Let a suspended lender begin checks again',
  reads: z.object({}),
  run: (_core, { tenantId, acting }) =>
    changeTenant(acting, tenantId, { suspended_at_ms: null, suspended_reason: null }),
})

export const tenantActs = [setBureaus, renameTenant, setSender, setPrices, suspendTenant, resumeTenant]
