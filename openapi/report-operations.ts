import { REFERENCE_LENGTH_MAX, TEST_MODE_CODE } from '../contract/limits.ts'
import { PAGE_SIZE } from './account-operations.ts'
import type { Operation } from './operation.ts'
import {
  agenciesFrom,
  CHALLENGE_ID as challengeId,
  CREATED_AT as createdAt,
  CREDIT_REPORT_ID as creditReportId,
  ENDED_AT as endedAt,
  EXPIRES_AT as expiresAt,
  REFERENCE as externalReference,
  reportFrom,
} from './samples.ts'

const tag = 'Credit reports'
const access = { scope: 'credit-reports' } as const

const metered = (cost: number, data: object) => ({
  meta: { request: { timeTakenMs: 42 }, wallet: { balance: 999_500, cost } },
  data,
})

const standing = { creditReportId, externalReference, test: false, createdAt }

export function reportOperations(bureaus: readonly string[]): Operation[] {
  const creditReport = reportFrom(bureaus)
  const agencies = agenciesFrom(bureaus)
  return [
    {
      id: 'generateCreditReport',
      method: 'post',
      path: '/{tenantId}/v1/credit-reports',
      tag,
      summary: 'Generate a credit report',
      description:
        'Completes at once, is blocked, or asks for a one-time code. In test mode (`test: true`) nothing is charged, no text leaves, and the text before the @ of the e-mail picks the synthetic data: `test001` nothing on file, `test002` one hire purchase, `test003` three different accounts, `test004` two settled accounts, anything else four accounts.',
      access,
      idempotent: true,
      challenges: true,
      body: { schema: 'GenerateRequest' },
      answers: {
        200: {
          says: 'The report, a challenge, or a block.',
          schema: 'GenerateResponse',
          examples: {
            complete: metered(500, {
              status: 'complete',
              challengeType: 'none',
              creditReportId,
              agencies,
              creditReport,
            }),
            'authentication-required': metered(500, {
              status: 'authentication-required',
              challengeType: 'otp',
              creditReportId,
              challenge: { challengeId },
            }),
            blocked: metered(0, { status: 'blocked', creditReportId }),
          },
        },
      },
      errors: ['insufficient-funds', 'request-in-progress', 'spend-cap-reached'],
    },
    {
      id: 'listCreditReports',
      method: 'get',
      path: '/{tenantId}/v1/credit-reports',
      tag,
      summary: 'List credit reports, newest first',
      description: 'With nothing about the people in them. Erased reports are not listed.',
      access,
      parameters: [
        {
          name: 'externalReference',
          in: 'query',
          description: 'Only the reports that were asked for under this reference.',
          schema: { type: 'string', maxLength: REFERENCE_LENGTH_MAX },
          example: externalReference,
        },
        {
          name: 'after',
          in: 'query',
          description: 'The `nextAfter` of the page before.',
          schema: { type: 'string', format: 'uuid' },
          example: creditReportId,
        },
        PAGE_SIZE,
      ],
      answers: {
        200: { says: 'A page of reports.', schema: 'ReportListResponse' },
      },
      errors: ['validation-error'],
    },
    {
      id: 'getCreditReport',
      method: 'get',
      path: '/{tenantId}/v1/credit-reports/{creditReportId}',
      tag,
      summary: 'How a credit report stands',
      description:
        'For whoever missed the answer that said so; free. A complete report is in it while reports are kept. An erased report is not found.',
      access,
      challenges: true,
      answers: {
        200: {
          says: 'How it stands.',
          schema: 'ReportStateResponse',
          examples: {
            complete: metered(0, {
              status: 'complete',
              ...standing,
              endedAt,
              challengeType: 'otp',
              agencies,
              creditReport,
            }),
            'authentication-required': metered(0, {
              status: 'authentication-required',
              ...standing,
              challengeType: 'otp',
              challenge: { challengeId, attemptsRemaining: 3, textsRemaining: 2, expiresAt },
            }),
            pending: metered(0, { status: 'pending', ...standing }),
            blocked: metered(0, { status: 'blocked', ...standing, endedAt }),
            failed: metered(0, { status: 'failed', ...standing, endedAt, challengeType: 'otp' }),
            expired: metered(0, { status: 'expired', ...standing, endedAt, challengeType: 'otp' }),
          },
        },
      },
      errors: ['validation-error', 'credit-report-not-found'],
    },
    {
      id: 'eraseCreditReport',
      method: 'delete',
      path: '/{tenantId}/v1/credit-reports/{creditReportId}',
      tag,
      summary: 'Erase what is known about the consumer of a report',
      description:
        'For good: content, your reference and the index by person go, an open challenge ends, and what was held is given back. The ledger keeps its lines, which name no person. Once more does nothing and answers the same; a read answers 404. A person needs the role of an owner.',
      access,
      answers: { 200: { says: 'It is erased.', schema: 'ErasedResponse' } },
      errors: ['validation-error', 'credit-report-not-found'],
    },
    {
      id: 'exportPerson',
      method: 'post',
      path: '/{tenantId}/v1/people/export',
      tag,
      summary: 'Everything your reports hold about one person',
      description:
        'Newest first, each as it stands and with its content while that is kept. Found by a keyed index of surname, date of birth and current postcode; no name is kept to search by. Each report that is given out has its line in the audit trail.',
      access,
      body: { schema: 'PersonQuery' },
      answers: { 200: { says: 'The reports; none where nothing is known.', schema: 'PersonExportResponse' } },
      errors: ['validation-error'],
    },
    {
      id: 'erasePerson',
      method: 'post',
      path: '/{tenantId}/v1/people/erase',
      tag,
      summary: 'Erase everything your reports hold about one person',
      description: 'Each report as `DELETE` erases it. A request that was cut short goes on when it is sent again.',
      access,
      body: { schema: 'PersonQuery' },
      answers: { 200: { says: 'The ids of the reports that were erased.', schema: 'PersonErasedResponse' } },
      errors: ['validation-error'],
    },
    {
      id: 'submitOtp',
      method: 'post',
      path: '/{tenantId}/v1/credit-reports/{creditReportId}/otp-challenge',
      tag,
      summary: 'Answer a challenge with the code from the text',
      description: `Three wrong codes end the challenge for good, however many texts were sent. The code of an older text, more than five minutes old, is a \`retry\` with \`attemptsRemaining\` unchanged. In test mode the code is ${TEST_MODE_CODE}.`,
      access,
      challenges: true,
      body: { schema: 'OtpSubmit' },
      answers: {
        200: {
          says: 'The report, another attempt, or the end of the challenge.',
          schema: 'OtpResponse',
          examples: {
            complete: metered(0, { status: 'complete', creditReportId, agencies, creditReport }),
            retry: metered(0, {
              status: 'retry',
              creditReportId,
              errorMessage: 'That code does not match.',
              attemptsRemaining: 2,
            }),
            failed: metered(0, { status: 'failed', creditReportId, errorMessage: 'All attempts have been used.' }),
          },
        },
      },
      errors: ['credit-report-not-found', 'challenge-not-found', 'challenge-expired'],
    },
    {
      id: 'resendSms',
      method: 'post',
      path: '/{tenantId}/v1/credit-reports/{creditReportId}/resend-sms',
      tag,
      summary: 'Send the code again',
      description:
        'Starts the five minutes anew and leaves the attempts as they are. A challenge sends three texts at most.',
      access,
      idempotent: true,
      challenges: true,
      body: { schema: 'ResendSms' },
      answers: {
        200: { says: 'Another text is on its way.', schema: 'ResendResponse' },
      },
      errors: [
        'insufficient-funds',
        'credit-report-not-found',
        'challenge-not-found',
        'request-in-progress',
        'challenge-expired',
        'spend-cap-reached',
      ],
    },
  ]
}
