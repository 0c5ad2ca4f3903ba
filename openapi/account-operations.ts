import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX, REFERENCE_LENGTH_MAX } from '../contract/limits.ts'
import type { Operation, Parameter } from './operation.ts'
import { CREDIT_REPORT_ID as creditReportId } from './samples.ts'

export const PAGE_SIZE: Parameter = {
  name: 'limit',
  in: 'query',
  description: `How many entries to answer with; ${PAGE_SIZE_DEFAULT} when absent.`,
  schema: { type: 'integer', minimum: 1, maximum: PAGE_SIZE_MAX, default: PAGE_SIZE_DEFAULT },
  example: 20,
}
export const ID_TEXT = { type: 'string', minLength: 1, maxLength: REFERENCE_LENGTH_MAX }

export const accountOperations: Operation[] = [
  {
    id: 'getProfile',
    method: 'get',
    path: '/v1/my/profile',
    tag: 'Account',
    summary: 'The person who is signed in',
    description: 'Machine clients get 403: they are not a person.',
    access: { schemes: ['session', 'token'] },
    answers: {
      200: { says: 'The profile.', schema: 'Profile' },
    },
  },
  {
    id: 'listTenants',
    method: 'get',
    path: '/v1/my/tenants',
    tag: 'Account',
    summary: 'The lenders the caller may act for',
    description: 'A machine client has one; a person may have several.',
    access: {},
    answers: {
      200: {
        says: 'The tenants.',
        schema: { type: 'array', items: { $ref: '#/components/schemas/Tenant' } },
        examples: { tenants: [{ id: 'demo-lender', name: 'Demo Lender' }] },
      },
    },
  },
  {
    id: 'selectTenant',
    method: 'post',
    path: '/v1/my/tenants/select',
    tag: 'Account',
    summary: 'Remember a lender as the one to act for',
    description: 'For pages that show one lender at a time. Selecting grants nothing.',
    access: {},
    body: { schema: 'SelectTenant' },
    answers: {
      200: { says: 'The tenant that is now selected.', schema: 'Tenant' },
    },
  },
  {
    id: 'getWallet',
    method: 'get',
    path: '/{tenantId}/v1/wallet',
    tag: 'Wallet',
    summary: 'What the wallet holds, and the prices',
    description: 'In credits, ten of which are one penny.',
    access: { scope: 'wallet' },
    answers: {
      200: { says: 'The wallet.', schema: 'Wallet' },
    },
  },
  {
    id: 'listWalletLines',
    method: 'get',
    path: '/{tenantId}/v1/wallet/lines',
    tag: 'Wallet',
    summary: 'Every movement of credits, newest first',
    description: 'Lines are added and never changed: a balance is their sum.',
    access: { scope: 'wallet' },
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
]
