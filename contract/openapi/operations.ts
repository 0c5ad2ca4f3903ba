// Every operation of the service, one entry each. Adding a route means adding a row here; a test compares the two.
import * as z from 'zod/mini'
import { Profile, SelectTenant, Tenant, TenantList } from '../account.ts'
import { OtpResponse, OtpSubmit, ResendResponse, ResendSms } from '../challenge.ts'
import type { ErrorCode } from '../error.ts'
import { GenerateRequest, GenerateResponse } from '../generate.ts'
import { sampleReport, sampleRequest, sampleVerified } from '../samples.ts'
import { Wallet, WalletLines } from '../wallet.ts'

export type Operation = {
  id: string
  method: 'get' | 'post'
  path: string
  tag: string
  summary: string
  description?: string
  /** No token needed. */
  public?: boolean
  /** The body is a form, not JSON. */
  form?: boolean
  /** Accepts `Idempotency-Key`. */
  idempotent?: boolean
  /** Its answer may be about an open challenge. */
  challenges?: boolean
  query?: { [name: string]: string }
  body?: z.ZodMiniType
  example?: unknown
  /** @default 200 */
  status?: number
  /** What the success means. */
  says: string
  answer?: z.ZodMiniType
  answerType?: string
  examples?: { [name: string]: unknown }
  /** Beyond those every operation of its kind has. */
  errors?: ErrorCode[]
  /** By status: what it refuses in the words of RFC 6749, and when. */
  oauthErrors?: { [status: number]: { [error: string]: string } }
}

const creditReportId = sampleVerified.creditReportId
const challengeId = 'Zl8tN1sWq4Gd0yXk2bV9Aw'
const metered = (cost: number, data: unknown) => ({
  meta: { request: { timeTakenMs: 42 }, wallet: { balance: 999_500, cost } },
  data,
})

export const operations: Operation[] = [
  {
    id: 'generateCreditReport',
    method: 'post',
    path: '/{tenantId}/v1/credit-reports',
    tag: 'Credit reports',
    summary: 'Generate a credit report',
    description:
      'Completes at once, is blocked, or asks for a one-time code. In test mode (`test: true`) nothing is charged, no text leaves, and the text before the @ of the e-mail picks the synthetic data: `test001` nothing on file, `test002` one hire purchase, `test003` three different accounts, `test004` two settled accounts, anything else four accounts.',
    idempotent: true,
    challenges: true,
    body: GenerateRequest,
    example: sampleRequest,
    says: 'The report, a challenge, or a block.',
    answer: GenerateResponse,
    examples: {
      complete: metered(500, { status: 'complete', challengeType: 'none', creditReportId, creditReport: sampleReport }),
      'authentication-required': metered(500, {
        status: 'authentication-required',
        challengeType: 'otp',
        creditReportId,
        challenge: { challengeId },
      }),
      blocked: metered(0, { status: 'blocked', creditReportId }),
    },
    errors: ['insufficient-funds', 'request-in-progress'],
  },
  {
    id: 'submitOtp',
    method: 'post',
    path: '/{tenantId}/v1/credit-reports/{creditReportId}/otp-challenge',
    tag: 'Credit reports',
    summary: 'Answer a challenge with the code from the text',
    description:
      'Three wrong codes end the challenge for good, however many texts were sent. In test mode the code is 123456.',
    challenges: true,
    body: OtpSubmit,
    example: { challengeId, code: '123456' },
    says: 'The report, another try, or the end of the challenge.',
    answer: OtpResponse,
    examples: {
      complete: metered(0, sampleVerified),
      retry: metered(0, {
        status: 'retry',
        creditReportId,
        errorMessage: 'That code does not match.',
        attemptsRemaining: 2,
      }),
      failed: metered(0, { status: 'failed', creditReportId, errorMessage: 'All attempts have been used.' }),
    },
    errors: ['credit-report-not-found', 'challenge-not-found', 'challenge-expired'],
  },
  {
    id: 'resendSms',
    method: 'post',
    path: '/{tenantId}/v1/credit-reports/{creditReportId}/resend-sms',
    tag: 'Credit reports',
    summary: 'Send the code again',
    description:
      'Starts the five minutes anew and leaves the attempts as they are. A challenge sends three texts at most.',
    idempotent: true,
    challenges: true,
    body: ResendSms,
    example: { challengeId },
    says: 'Another text is on its way.',
    answer: ResendResponse,
    examples: { sent: { meta: { request: { timeTakenMs: 17 } }, data: { remainingSmsCount: 1, smsSentCount: 2 } } },
    errors: [
      'insufficient-funds',
      'credit-report-not-found',
      'challenge-not-found',
      'request-in-progress',
      'challenge-expired',
    ],
  },
  {
    id: 'getProfile',
    method: 'get',
    path: '/v1/my/profile',
    tag: 'Account',
    summary: 'The person who is signed in',
    says: 'The profile. Machine clients get 403: they are not a person.',
    answer: Profile,
    examples: {
      profile: {
        id: 'd4f0f5a2-7a3e-4f43-9a55-3f0d1b2c4e5f',
        firstName: 'Sam',
        lastName: 'Lee',
        email: 'sam@demo-lender.example',
        totpEnabled: false,
        createdAt: '2026-01-05T10:00:00.000Z',
      },
    },
  },
  {
    id: 'listTenants',
    method: 'get',
    path: '/v1/my/tenants',
    tag: 'Account',
    summary: 'The lenders the caller may act for',
    says: 'The tenants.',
    answer: TenantList,
    examples: { tenants: [{ id: 'demo-lender', name: 'Demo Lender' }] },
  },
  {
    id: 'selectTenant',
    method: 'post',
    path: '/v1/my/tenants/select',
    tag: 'Account',
    summary: 'Remember a lender as the one to act for',
    body: SelectTenant,
    example: { tenantId: 'demo-lender' },
    says: 'The tenant that is now selected. Selecting grants nothing.',
    answer: Tenant,
    examples: { selected: { id: 'demo-lender', name: 'Demo Lender' } },
  },
  {
    id: 'getWallet',
    method: 'get',
    path: '/{tenantId}/v1/wallet',
    tag: 'Wallet',
    summary: 'What the wallet holds, and the prices',
    says: 'The wallet.',
    answer: Wallet,
    examples: {
      wallet: {
        tenantId: 'demo-lender',
        balanceCredits: 999_460,
        heldCredits: 500,
        reportPriceCredits: 500,
        smsPriceCredits: 40,
      },
    },
  },
  {
    id: 'listWalletLines',
    method: 'get',
    path: '/{tenantId}/v1/wallet/lines',
    tag: 'Wallet',
    summary: 'Every movement of credits, newest first',
    query: {
      limit: 'How many lines, 1 to 200; 50 when absent.',
      before: 'The `nextBefore` of the page before.',
      creditReportId: 'Only the lines of one report and its texts: the receipt of one check.',
    },
    says: 'A page of lines.',
    answer: WalletLines,
    examples: {
      page: {
        lines: [
          {
            id: '18',
            kind: 'capture',
            purpose: 'report',
            credits: 500,
            creditReportId,
            holdId: '17',
            createdAt: '2026-11-15T09:30:00.000Z',
          },
        ],
      },
    },
    errors: ['validation-error'],
  },
  {
    id: 'getFingerprintScript',
    method: 'get',
    path: '/v1/fingerprints/device',
    tag: 'Devices',
    summary: 'The fingerprint script',
    description: 'Calls `window.service.deviceFingerprint({ sessionId })` once the service knows the device.',
    public: true,
    says: 'The script.',
    answerType: 'text/javascript',
  },
  {
    id: 'openDeviceSession',
    method: 'post',
    path: '/v1/fingerprints/device/sessions',
    tag: 'Devices',
    summary: 'Where the fingerprint script reports to',
    public: true,
    says: 'The session id, as plain text.',
    answerType: 'text/plain',
    errors: ['payload-too-large', 'rate-limited'],
  },
  {
    id: 'createToken',
    method: 'post',
    path: '/v1/oauth/token',
    tag: 'Tokens',
    summary: 'Trade client credentials for a token',
    description:
      'RFC 6749 client credentials, by Basic authentication or in the body. Errors have the shape of that RFC, but for those that any route may answer.',
    public: true,
    form: true,
    body: z.object({
      grant_type: z.literal('client_credentials'),
      client_id: z.optional(z.string()),
      client_secret: z.optional(z.string()),
      scope: z.optional(z.string()),
    }),
    says: 'A token for 15 minutes.',
    answer: z.object({
      access_token: z.string(),
      token_type: z.literal('Bearer'),
      expires_in: z.int(),
      scope: z.optional(z.string()),
    }),
    examples: { token: { access_token: 'eyJhbGciOi…', token_type: 'Bearer', expires_in: 900 } },
    errors: ['payload-too-large'],
    oauthErrors: {
      400: {
        invalid_request: 'Not a form, or something in it is missing or given twice.',
        invalid_scope: 'The client may not have this scope.',
        unsupported_grant_type: 'Only client credentials are traded here.',
      },
      401: { invalid_client: 'Unknown client or wrong secret.' },
      429: { temporarily_unavailable: 'Too many wrong secrets; ask again after `Retry-After`.' },
    },
  },
  {
    id: 'checkHealth',
    method: 'get',
    path: '/healthz',
    tag: 'Operations',
    summary: 'Whether the process serves',
    public: true,
    says: 'It does.',
    answer: z.object({ status: z.literal('ok') }),
    examples: { ok: { status: 'ok' } },
  },
  {
    id: 'checkReadiness',
    method: 'get',
    path: '/readyz',
    tag: 'Operations',
    summary: 'Whether the database answers',
    public: true,
    says: 'It does.',
    answer: z.object({ status: z.literal('ready') }),
    examples: { ready: { status: 'ready' } },
  },
]
