import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX, REFERENCE_LENGTH_MAX } from '../contract/limits.ts'
import type { Operations, Parameter } from './operation.ts'
import { CREDIT_REPORT_ID as creditReportId } from './samples.ts'

export const PAGE_SIZE: Parameter = {
  name: 'limit',
  in: 'query',
  description: `How many entries to answer with; ${PAGE_SIZE_DEFAULT} when absent.`,
  schema: { type: 'integer', minimum: 1, maximum: PAGE_SIZE_MAX, default: PAGE_SIZE_DEFAULT },
  example: 20,
}
export const ID_TEXT = { type: 'string', minLength: 1, maxLength: REFERENCE_LENGTH_MAX }

const viewer = { who: 'tenant', scope: 'wallet', role: 'viewer' } as const

export const walletOperations = {
  getWallet: {
    route: 'GET /:tenantId/v1/wallet',
    rule: viewer,
    tag: 'Wallet',
    summary: 'What the wallet holds, and the prices',
    description: 'In credits, ten of which are one penny.',
    answers: {
      200: { says: 'The wallet.', schema: 'Wallet' },
    },
  },
  listWalletLines: {
    route: 'GET /:tenantId/v1/wallet/lines',
    rule: viewer,
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
} satisfies Operations
