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
      summary: 'The spend caps, and what is spent of them',
      description: 'Of the UTC hour and day that run now. A purpose that never had a cap or a charge is absent.',
      answers: {
        200: { says: 'The caps.', data: CapStates },
      },
    },
    setSpendCaps: operationOf(setSpendCaps, {
      route: 'PATCH /:tenantId/v1/wallet/caps',
      tag: 'Wallet',
      description:
        '`null` takes a cap off, 0 stops the buying, and what is absent stays as it is. A cap under the price of one report or text would buy nothing and is refused, as is one for a day below the one for an hour.',
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
      summary: 'Below which balance the webhook `wallet.low` is sent',
      description: 'The alert that `PUT` sets.',
      answers: {
        200: { says: 'The alert.', data: LowBalanceAlert },
      },
    },
    setLowBalance: operationOf(setLowBalanceAlert, {
      route: 'PUT /:tenantId/v1/wallet/low-balance',
      tag: 'Wallet',
      description:
        '`null` takes it off. A balance that is below a new alert, and was not below the old one, is reported at once.',
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
        report: 'What may be spent on reports.',
        text: 'What may be spent on texts.',
      }),
      component('PurposeCaps', PurposeCaps, 'How many credits may be spent in a UTC hour and day.', {
        hour: ['In an hour; `null`: no cap; absent: as it is.', 100_000],
        day: ['In a day; `null`: no cap; absent: as it is.', 500_000],
      }),
    ],
    answers: [
      component('CapStates', CapStates, 'The spend caps, and what is spent of them.', {
        caps: 'One for each purpose and period.',
      }),
      component('CapState', CapState, 'A spend cap.', {
        purpose: ['What the credits are for.', 'report'],
        period: ['In which time, in UTC.', 'hour'],
        capCredits: ['How many credits may be spent in it; `null`: no cap.', 100_000, COUNT],
        spentCredits: ['How many were, in the hour or day that runs now.', 500, COUNT],
      }),
      component('LowBalanceAlert', LowBalanceAlert, 'The low-balance alert.', {
        thresholdCredits: ['A balance below this is reported by the webhook `wallet.low`; `null`: no alert.', 50_000],
      }),
    ],
  }),
} satisfies Rows
