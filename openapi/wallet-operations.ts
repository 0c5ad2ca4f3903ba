import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX, REFERENCE_LENGTH_MAX } from '../contract/limits.ts'
import { LowBalanceAlert, SpendCaps } from '../contract/wallet.ts'
import type { Operations, Parameter } from './operation.ts'
import { CREDIT_REPORT_ID as creditReportId } from './samples.ts'

export const PAGE_SIZE: Parameter = {
  name: 'limit',
  in: 'query',
  description: `How many entries to answer with; ${PAGE_SIZE_DEFAULT} when absent.`,
  schema: { type: 'integer', minimum: 1, maximum: PAGE_SIZE_MAX, default: PAGE_SIZE_DEFAULT },
  example: 20,
}
/** The cursor of a list. */
const after = (example: string): Parameter => ({
  name: 'after',
  in: 'query',
  description: 'The `nextAfter` of the page before.',
  schema: ID_TEXT,
  example,
})
export const ID_TEXT = { type: 'string', minLength: 1, maxLength: REFERENCE_LENGTH_MAX }

const change = { who: 'tenant', scope: 'settings', permission: 'money' } as const
const look = { who: 'tenant', scope: 'wallet', permission: 'look' } as const

export const walletOperations = {
  getWallet: {
    route: 'GET /:tenantId/v1/wallet',
    rule: look,
    tag: 'Wallet',
    summary: 'What the wallet holds, and the prices',
    description: 'In credits, ten of which are one penny.',
    answers: {
      200: { says: 'The wallet.', schema: 'Wallet' },
    },
  },
  listWalletLines: {
    route: 'GET /:tenantId/v1/wallet/lines',
    rule: look,
    tag: 'Wallet',
    summary: 'Every movement of credits, newest first',
    description: 'Lines are added and never changed: a balance is their sum.',
    parameters: [
      PAGE_SIZE,
      {
        name: 'before',
        in: 'query',
        description: 'The `nextBefore` of the page before.',
        schema: ID_TEXT,
        example: `hold_report_${creditReportId}`,
      },
      {
        name: 'creditReportId',
        in: 'query',
        description: 'Only the lines of one report and its texts: the receipt of one check.',
        schema: ID_TEXT,
        example: creditReportId,
      },
    ],
    answers: {
      200: { says: 'A page of lines.', schema: 'WalletLines' },
    },
    errors: ['validation-error'],
  },
  getStatement: {
    route: 'GET /:tenantId/v1/wallet/statement',
    rule: look,
    tag: 'Wallet',
    summary: 'What a month opened and closed with, and its lines',
    description:
      'Top-ups and charges of a UTC month, oldest first: `openingCredits` and the lines make `closingCredits`, which is the balance and what is held together. A hold is no charge and has no line. Each page carries the totals as they are at that moment.',
    parameters: [
      {
        name: 'month',
        in: 'query',
        description: 'A UTC month.',
        schema: { type: 'string', pattern: '^20[0-9]{2}-(?:0[1-9]|1[0-2])$' },
        example: '2026-11',
        required: true,
      },
      PAGE_SIZE,
      after(`capture_report_${creditReportId}`),
    ],
    answers: {
      200: { says: 'The totals, and a page of lines.', schema: 'Statement' },
    },
    errors: ['validation-error'],
  },
  listHolds: {
    route: 'GET /:tenantId/v1/wallet/holds',
    rule: look,
    tag: 'Wallet',
    summary: 'What is held now, oldest first',
    description: 'Each is charged when its report or text is delivered, and else given back.',
    parameters: [PAGE_SIZE, after(`hold_report_${creditReportId}`)],
    answers: {
      200: { says: 'A page of holds.', schema: 'Holds' },
    },
    errors: ['validation-error'],
  },
  getSpendCaps: {
    route: 'GET /:tenantId/v1/wallet/caps',
    rule: look,
    tag: 'Wallet',
    summary: 'The spend caps, and what is spent of them',
    description: 'Of the UTC hour and day that run now. A purpose that never had a cap or a charge is absent.',
    answers: {
      200: { says: 'The caps.', schema: 'CapStates' },
    },
  },
  setSpendCaps: {
    route: 'PUT /:tenantId/v1/wallet/caps',
    rule: { ...change, audit: 'caps.set' },
    tag: 'Wallet',
    summary: 'Replace the spend caps',
    description:
      'All of them: `null` takes a cap off, 0 stops the buying. A cap under the price of one report or text would buy nothing and is refused, as is one for a day below the one for an hour.',
    body: { schema: 'SpendCaps', reads: SpendCaps, required: true },
    answers: {
      200: { says: 'The caps as they are now.', schema: 'CapStates' },
    },
    errors: ['validation-error'],
  },
  getLowBalance: {
    route: 'GET /:tenantId/v1/wallet/low-balance',
    rule: look,
    tag: 'Wallet',
    summary: 'Below which balance the webhook `wallet.low` is sent',
    description: 'The alert that `PUT` sets.',
    answers: {
      200: { says: 'The alert.', schema: 'LowBalanceAlert' },
    },
  },
  setLowBalance: {
    route: 'PUT /:tenantId/v1/wallet/low-balance',
    rule: { ...change, audit: 'low-balance.set' },
    tag: 'Wallet',
    summary: 'Set the low-balance alert',
    description:
      '`null` takes it off. A balance that is below a new alert, and was not below the old one, is reported at once.',
    body: { schema: 'LowBalanceAlert', reads: LowBalanceAlert, required: true },
    answers: {
      200: { says: 'The alert as it is now.', schema: 'LowBalanceAlert' },
    },
    errors: ['validation-error'],
  },
} satisfies Operations
