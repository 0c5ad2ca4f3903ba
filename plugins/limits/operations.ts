import { CapState, CapStates, LowBalanceAlert, PurposeCaps, SpendCaps } from '../../contract/wallet.ts'
import { COUNT, component } from '../../openapi/component.ts'
import type { Rows } from '../../openapi/operation.ts'
import { operationOf } from '../../service/act/act.ts'
import { setLowBalanceAlert, setSpendCaps } from './acts.ts'

const look = { who: 'tenant', scope: 'wallet', permission: 'look' } as const

export const capRows = {
  operations: {
    getSpendCaps: {
      route: 'GET /:tenantId/v1/wallet/caps',
      rule: look,
      tag: 'Wallet',
      summary: 'The spend caps, and the credits spent',
      description: 'For the current UTC hour and day. A purpose that never had a cap or a charge is absent.',
      answers: {
        200: { says: 'The caps.', data: CapStates },
      },
    },
    setSpendCaps: operationOf(setSpendCaps, {
      route: 'PATCH /:tenantId/v1/wallet/caps',
      tag: 'Wallet',
      description:
        '`null` removes a cap, 0 stops spending, and an absent field keeps its value. A cap below the price of one report or text is refused, as is a cap for a day below the one for an hour.',
      body: { schema: 'SpendCaps', reads: SpendCaps },
      answers: {
        200: { says: 'The caps as they are now.', data: CapStates },
      },
      errors: ['validation-error'],
    }),
    getLowBalance: {
      route: 'GET /:tenantId/v1/wallet/low-balance',
      rule: look,
      tag: 'Wallet',
      summary: 'The balance below which the webhook `wallet.low` is sent',
      description: 'The alert that `PUT` sets.',
      answers: {
        200: { says: 'The alert.', data: LowBalanceAlert },
      },
    },
    setLowBalance: operationOf(setLowBalanceAlert, {
      route: 'PUT /:tenantId/v1/wallet/low-balance',
      tag: 'Wallet',
      description:
        '`null` removes it. A balance that is below a new alert, and was not below the old one, is reported at once.',
      body: { schema: 'LowBalanceAlert', reads: LowBalanceAlert },
      answers: {
        200: { says: 'The alert as it is now.', data: LowBalanceAlert },
      },
      errors: ['validation-error'],
    }),
  },
  words: () => ({
    requests: [
      component('SpendCaps', SpendCaps, 'Spend caps to change.', {
        report: 'The caps for reports.',
        text: 'The caps for texts.',
      }),
      component('PurposeCaps', PurposeCaps, 'The most credits that may be spent in a UTC hour and day.', {
        hour: ['In an hour; `null`: no cap; absent: as it is.', 100_000],
        day: ['In a day; `null`: no cap; absent: as it is.', 500_000],
      }),
    ],
    answers: [
      component('CapStates', CapStates, 'The spend caps, and the credits spent.', {
        caps: 'One for each purpose and period.',
      }),
      component('CapState', CapState, 'A spend cap.', {
        purpose: ['The purpose of the credits.', 'report'],
        period: ['The period, in UTC.', 'hour'],
        capCredits: ['The most credits that may be spent in it; `null`: no cap.', 100_000, COUNT],
        spentCredits: ['The credits spent in the current hour or day.', 500, COUNT],
      }),
      component('LowBalanceAlert', LowBalanceAlert, 'The low-balance alert.', {
        thresholdCredits: ['A balance below this is reported by the webhook `wallet.low`; `null`: no alert.', 50_000],
      }),
    ],
  }),
} satisfies Rows
