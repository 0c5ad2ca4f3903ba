import { OtpSubmit, ResendSms } from '../../contract/challenge.ts'
import { GenerateRequest } from '../../contract/generate.ts'
import { TEST_MODE_CODE } from '../../contract/limits.ts'
import { OpenReport, OpenResult } from '../../contract/open-report.ts'
import { ReportList, ReportListQuery } from '../../contract/report-list.ts'
import { ReportState } from '../../contract/report-state.ts'
import { shortReference } from '../../contract/short-reference.ts'
import { answerWords } from '../../openapi/answer-words.ts'
import { DATE } from '../../openapi/component.ts'
import { query, type Rows } from '../../openapi/operation.ts'
import { LIMIT_WORDS } from '../../openapi/page-words.ts'
import { reportWords } from '../../openapi/report-words.ts'
import { requestWords } from '../../openapi/request-words.ts'
import {
  CHALLENGE_ID as challengeId,
  CREATED_AT as createdAt,
  CREDIT_REPORT_ID as creditReportId,
  ENDED_AT as endedAt,
  EXPIRES_AT as expiresAt,
  REFERENCE as externalReference,
} from '../../openapi/samples.ts'

const tag = 'Credit reports'
const rule = { who: 'tenant', scope: 'credit-reports', permission: 'report' } as const

const metered = (cost: number, data: object) => ({
  meta: { request: { timeTakenMs: 42 }, wallet: { balance: 999_500, cost } },
  data,
})

const standing = {
  creditReportId,
  reference: shortReference(creditReportId),
  externalReference,
  test: false,
  createdAt,
}

export const checkRows = {
  operations: {
    generateCreditReport: {
      route: 'POST /:tenantId/v1/credit-reports',
      rule: { ...rule, countLater: true, audit: 'report.generate', filesOnly: true, fresh: true },
      tag,
      summary: 'Generate a credit report',
      description:
        'Completes at once, is blocked, or asks for a one-time code. In test mode (`test: true`) nothing is charged, no text leaves, and the text before the @ of the e-mail picks the synthetic data: `test001` nothing on file, `test002` one hire purchase, `test003` three different accounts, `test004` two settled accounts, anything else four accounts.',
      idempotent: true,
      challenges: true,
      body: { schema: 'GenerateRequest', reads: GenerateRequest, ignoresUnknown: true },
      answers: {
        200: {
          says: 'The report, a challenge, or a block.',
          schema: 'GenerateResponse',
          examples: ({ creditReport, agencies }) => ({
            complete: metered(500, {
              status: 'complete',
              challengeType: 'none',
              creditReportId,
              test: false,
              agencies,
              creditReport,
            }),
            'authentication-required': metered(500, {
              status: 'authentication-required',
              challengeType: 'otp',
              creditReportId,
              test: false,
              challenge: { challengeId },
            }),
            blocked: metered(0, { status: 'blocked', creditReportId, test: false }),
          }),
        },
      },
      errors: ['insufficient-funds', 'request-in-progress', 'spend-cap-reached'],
    },
    listCreditReports: {
      route: 'GET /:tenantId/v1/credit-reports',
      rule: { ...rule, permission: 'look' },
      tag,
      summary: 'List credit reports, newest first',
      description: 'Contains nothing about the people. Erased reports are not listed.',
      query: query(ReportListQuery, {
        externalReference: ['Only the reports that were asked for under this reference.', externalReference],
        reference: [
          'Only the report with this short reference, which a consumer is shown and reads out. Spaces, hyphens and case make no difference.',
          'K7QM 2F9H',
        ],
        status: [
          'Only the reports with this status. Like `reason` and `test`, it cannot be combined with a reference.',
          'failed',
        ],
        reason: ['Only the reports that were blocked, failed or expired for this reason.', 'attempts'],
        test: ['Only the reports of test mode, or only live ones.', false, { type: 'boolean', anyOf: null }],
        from: ['Only the reports that were asked for on this day in the United Kingdom or later.', '2026-11-01', DATE],
        to: ['Only the reports that were asked for on this day in the United Kingdom or earlier.', '2026-11-15', DATE],
        after: ['The `nextAfter` of the page before.', creditReportId, { format: 'uuid' }],
        limit: LIMIT_WORDS,
      }),
      answers: {
        200: { says: 'A page of reports.', data: ReportList },
      },
      errors: ['validation-error'],
    },
    getCreditReport: {
      route: 'GET /:tenantId/v1/credit-reports/:creditReportId',
      rule: { ...rule, audit: 'report.read', fresh: true },
      tag,
      summary: 'Get a credit report and its status',
      description:
        'For a caller that missed an earlier answer; free. A complete report is included while reports are kept. An erased report is not found.',
      challenges: true,
      answers: {
        200: {
          says: 'The status.',
          data: ReportState,
          examples: ({ creditReport, agencies }) => ({
            complete: {
              status: 'complete',
              ...standing,
              endedAt,
              challengeType: 'otp',
              agencies,
              creditReport,
            },
            'authentication-required': {
              status: 'authentication-required',
              ...standing,
              challengeType: 'otp',
              challenge: { challengeId, attemptsRemaining: 3, textsRemaining: 2, expiresAt },
            },
            pending: { status: 'pending', ...standing },
            blocked: { status: 'blocked', reason: 'risk', ...standing, endedAt },
            failed: { status: 'failed', reason: 'attempts', ...standing, endedAt, challengeType: 'otp' },
            expired: { status: 'expired', reason: 'timeout', ...standing, endedAt, challengeType: 'otp' },
          }),
        },
      },
      errors: ['validation-error', 'credit-report-not-found'],
    },
    submitOtp: {
      route: 'POST /:tenantId/v1/credit-reports/:creditReportId/otp-challenge',
      rule: { ...rule, audit: 'report.code', filesOnly: true, fresh: true },
      tag,
      summary: 'Answer a challenge with the code from the text',
      description: `Three wrong codes end the challenge for good, however many texts were sent. The code of an older text, more than five minutes old, is a \`retry\` with \`attemptsRemaining\` unchanged. In test mode the code is ${TEST_MODE_CODE}.`,
      challenges: true,
      body: { schema: 'OtpSubmit', reads: OtpSubmit, ignoresUnknown: true },
      answers: {
        200: {
          says: 'The report, another attempt, or the end of the challenge.',
          schema: 'OtpResponse',
          examples: ({ creditReport, agencies }) => ({
            complete: metered(0, { status: 'complete', creditReportId, test: false, agencies, creditReport }),
            retry: metered(0, {
              status: 'retry',
              creditReportId,
              test: false,
              errorMessage: 'The code is wrong: 2 attempts are left.',
              attemptsRemaining: 2,
            }),
            failed: metered(0, {
              status: 'failed',
              creditReportId,
              test: false,
              errorMessage: 'The code was wrong too many times: no attempts are left.',
            }),
          }),
        },
      },
      errors: ['credit-report-not-found', 'challenge-not-found', 'challenge-expired'],
    },
    openCreditReport: {
      route: 'POST /:tenantId/v1/credit-reports/:creditReportId/open',
      rule,
      tag,
      summary: 'Compare a date of birth before a report is shown again',
      description:
        'For a browser that completed a check and asks to see its report again. Three wrong dates close the report for good, on however many of your processes they arrive: then every date is `wrong` with `attemptsRemaining` 0. The right date costs no attempt. A report that is not complete, erased or no longer kept is not found.',
      body: { schema: 'OpenReport', reads: OpenReport, ignoresUnknown: true },
      answers: { 200: { says: 'The result of the date.', data: OpenResult } },
      errors: ['credit-report-not-found'],
    },
    resendSms: {
      route: 'POST /:tenantId/v1/credit-reports/:creditReportId/resend-sms',
      rule: { ...rule, audit: 'report.resend', filesOnly: true },
      tag,
      summary: 'Send the code again',
      description:
        'Starts the five minutes again and leaves the attempts unchanged. A challenge sends at most three texts.',
      idempotent: true,
      challenges: true,
      body: { schema: 'ResendSms', reads: ResendSms, ignoresUnknown: true },
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
  },
  words: (rules) => ({
    requests: requestWords(rules),
    answers: [...answerWords, ...reportWords(rules.bureaus)],
  }),
} satisfies Rows
