import { OtpSubmit, ResendSms } from '../contract/challenge.ts'
import { GenerateRequest } from '../contract/generate.ts'
import { TEST_MODE_CODE } from '../contract/limits.ts'
import { OpenReport } from '../contract/open-report.ts'
import { PersonQuery } from '../contract/person-query.ts'
import { ReportListQuery } from '../contract/report-list.ts'
import { shortReference } from '../contract/short-reference.ts'
import { DATE } from './component.ts'
import { type Operations, query } from './operation.ts'
import {
  CHALLENGE_ID as challengeId,
  CREATED_AT as createdAt,
  CREDIT_REPORT_ID as creditReportId,
  ENDED_AT as endedAt,
  EXPIRES_AT as expiresAt,
  REFERENCE as externalReference,
} from './samples.ts'
import { LIMIT } from './wallet-operations.ts'

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

export const reportOperations = {
  generateCreditReport: {
    route: 'POST /:tenantId/v1/credit-reports',
    rule: { ...rule, countLater: true, audit: 'report.generate', filesOnly: true, fresh: true },
    tag,
    summary: 'Generate a credit report',
    description:
      'Completes at once, is blocked, or asks for a one-time code. In test mode (`test: true`) nothing is charged, no text leaves, and the text before the @ of the e-mail picks the synthetic data: `test001` nothing on file, `test002` one hire purchase, `test003` three different accounts, `test004` two settled accounts, anything else four accounts.',
    idempotent: true,
    challenges: true,
    body: { schema: 'GenerateRequest', reads: GenerateRequest },
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
    description: 'With nothing about the people in them. Erased reports are not listed.',
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
      day: ['Only the reports that were asked for on this day in the United Kingdom.', '2026-11-15', DATE],
      after: ['The `nextAfter` of the page before.', creditReportId, { format: 'uuid' }],
      limit: LIMIT,
    }),
    answers: {
      200: { says: 'A page of reports.', schema: 'ReportListResponse' },
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
        says: 'How it stands.',
        schema: 'ReportStateResponse',
        examples: ({ creditReport, agencies }) => ({
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
          blocked: metered(0, { status: 'blocked', reason: 'risk', ...standing, endedAt }),
          failed: metered(0, { status: 'failed', reason: 'attempts', ...standing, endedAt, challengeType: 'otp' }),
          expired: metered(0, { status: 'expired', reason: 'timeout', ...standing, endedAt, challengeType: 'otp' }),
        }),
      },
    },
    errors: ['validation-error', 'credit-report-not-found'],
  },
  getCreditReportTimeline: {
    route: 'GET /:tenantId/v1/credit-reports/:creditReportId/timeline',
    rule: { ...rule, permission: 'look' },
    tag,
    summary: 'What happened to a credit report, step by step',
    description:
      'For support: agencies, texts and receipts, codes, the end and why, webhooks, and who was given the report. Never the report, and nothing about the person. Webhooks are listed for seven days after delivery. An erased report still has its timeline.',
    answers: { 200: { says: 'The steps, oldest first.', schema: 'ReportTimelineResponse' } },
    errors: ['validation-error', 'credit-report-not-found'],
  },
  eraseCreditReport: {
    route: 'DELETE /:tenantId/v1/credit-reports/:creditReportId',
    rule: { ...rule, scope: 'people-erase', permission: 'data', audit: 'report.erase', fresh: true },
    tag,
    summary: 'Erase what is known about the consumer of a report',
    description:
      'For good: content, your reference and the index by person go, an open challenge ends, and what was held is given back. The ledger keeps its lines, which name no person. Once more does nothing and answers the same; a read answers 404.',
    answers: { 200: { says: 'It is erased.', schema: 'ErasedResponse' } },
    errors: ['validation-error', 'credit-report-not-found'],
  },
  exportPerson: {
    route: 'POST /:tenantId/v1/people/export',
    rule: { ...rule, scope: 'people-export', permission: 'data', audit: 'person.export', fresh: true },
    tag,
    summary: 'Everything your reports hold about one person',
    description:
      'Newest first, each as it stands and with its content while that is kept. Found by a keyed index of surname, date of birth and current postcode; no name is kept to search by. Each report that is given out has its line in the audit trail.',
    body: { schema: 'PersonQuery', reads: PersonQuery },
    answers: { 200: { says: 'The reports; none where nothing is known.', schema: 'PersonExportResponse' } },
    errors: ['validation-error'],
  },
  erasePerson: {
    route: 'POST /:tenantId/v1/people/erase',
    rule: { ...rule, scope: 'people-erase', permission: 'data', audit: 'person.erase', fresh: true },
    tag,
    summary: 'Erase everything your reports hold about one person',
    description: 'Each report as `DELETE` erases it. A request that was cut short goes on when it is sent again.',
    body: { schema: 'PersonQuery', reads: PersonQuery },
    answers: { 200: { says: 'The ids of the reports that were erased.', schema: 'PersonErasedResponse' } },
    errors: ['validation-error'],
  },
  submitOtp: {
    route: 'POST /:tenantId/v1/credit-reports/:creditReportId/otp-challenge',
    rule: { ...rule, audit: 'report.code', filesOnly: true, fresh: true },
    tag,
    summary: 'Answer a challenge with the code from the text',
    description: `Three wrong codes end the challenge for good, however many texts were sent. The code of an older text, more than five minutes old, is a \`retry\` with \`attemptsRemaining\` unchanged. In test mode the code is ${TEST_MODE_CODE}.`,
    challenges: true,
    body: { schema: 'OtpSubmit', reads: OtpSubmit },
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
    body: { schema: 'OpenReport', reads: OpenReport },
    answers: { 200: { says: 'Whether the date is right.', schema: 'OpenResponse' } },
    errors: ['credit-report-not-found'],
  },
  resendSms: {
    route: 'POST /:tenantId/v1/credit-reports/:creditReportId/resend-sms',
    rule: { ...rule, audit: 'report.resend', filesOnly: true },
    tag,
    summary: 'Send the code again',
    description:
      'Starts the five minutes anew and leaves the attempts as they are. A challenge sends three texts at most.',
    idempotent: true,
    challenges: true,
    body: { schema: 'ResendSms', reads: ResendSms },
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
} satisfies Operations
