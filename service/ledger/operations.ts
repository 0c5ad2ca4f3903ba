import { Wallet } from '../../contract/wallet.ts'
import { COUNT, component } from '../../openapi/component.ts'
import type { Rows } from '../../openapi/operation.ts'

export const walletRows = {
  operations: {
    getWallet: {
      route: 'GET /:tenantId/v1/wallet',
      rule: { who: 'tenant', scope: 'wallet', permission: 'look' },
      tag: 'Wallet',
      summary: 'The balance of the wallet, and the prices',
      description: 'In credits, ten of which are one penny.',
      answers: {
        200: { says: 'The wallet.', data: Wallet },
      },
    },
  },
  words: ({ bureaus }) => ({
    answers: [
      component(
        'Wallet',
        Wallet,
        'A lender’s wallet and prices, in credits. Ten credits are one penny.',
        {
          tenantId: ['The tenant of the wallet.', 'demo-lender'],
          balanceCredits: ['Credits that can be spent now.', 999_460],
          heldCredits: ['Credits reserved for reports and texts in progress.', 500, COUNT],
          reportPriceCredits: ['The price of a report.', 500, COUNT],
          textPriceCredits: ['The price of a text, charged once it is delivered.', 40, COUNT],
          matchPriceCredits: ['The price of a match of person and number; absent without a match provider.', 50, COUNT],
          bureaus: ['The agencies that a report can be asked of.', [...bureaus]],
          simulated: [
            'Providers whose answers to live checks are invented: `bureau` or `sms`; absent where none is.',
            ['sms'],
          ],
        },
        { without: ['matchPriceCredits', 'simulated'] },
      ),
    ],
  }),
} satisfies Rows
