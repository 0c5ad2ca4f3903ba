import * as z from 'zod/mini'
import { PAGE_SIZE_DEFAULT, REFERENCE_LENGTH_MAX } from '../contract/limits.ts'
import { PageSize } from '../contract/report-list.ts'
import { StatementQuery } from '../contract/statement.ts'
import { LowBalanceAlert, SpendCaps } from '../contract/wallet.ts'
import { type Operations, query } from './operation.ts'
import { CREDIT_REPORT_ID as creditReportId } from './samples.ts'

/** The words of `PageSize`. */
export const LIMIT = [
  `How many entries to answer with; ${PAGE_SIZE_DEFAULT} when absent.`,
  20,
  { type: 'integer', default: PAGE_SIZE_DEFAULT, multipleOf: null },
] as const
const cursor = z.optional(z.string())
const after = (example: string) => ['The `nextAfter` of the page before.', example, ID_TEXT] as const
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
    query: query(z.object({ before: cursor, creditReportId: cursor, limit: PageSize }), {
      limit: LIMIT,
      before: ['The `nextBefore` of the page before.', `hold_report_${creditReportId}`, ID_TEXT],
      creditReportId: [
        'Only the lines of one report and its texts: the receipt of one check.',
        creditReportId,
        ID_TEXT,
      ],
    }),
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
    query: query(StatementQuery, {
      month: ['A UTC month.', '2026-11'],
      limit: LIMIT,
      after: after(`capture_report_${creditReportId}`),
    }),
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
    query: query(z.object({ after: cursor, limit: PageSize }), {
      limit: LIMIT,
      after: after(`hold_report_${creditReportId}`),
    }),
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
    rule: { ...change, audit: 'caps.set', fresh: true },
    tag: 'Wallet',
    summary: 'Replace the spend caps',
    description:
      'All of them: `null` takes a cap off, 0 stops the buying. A cap under the price of one report or text would buy nothing and is refused, as is one for a day below the one for an hour.',
    body: { schema: 'SpendCaps', reads: SpendCaps },
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
    body: { schema: 'LowBalanceAlert', reads: LowBalanceAlert },
    answers: {
      200: { says: 'The alert as it is now.', schema: 'LowBalanceAlert' },
    },
    errors: ['validation-error'],
  },
} satisfies Operations
