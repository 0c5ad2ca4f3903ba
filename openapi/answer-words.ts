// Words of what the routes of a check answer, but for the report itself.
import { Failed, OtpResponse, OtpResult, ResendResponse, ResendResult, Retry, Verified } from '../contract/challenge.ts'
import { REASONS_SENTENCE, reasonSentence } from '../contract/ending-words.ts'
import { MeteredMeta, WalletMeta } from '../contract/envelope.ts'
import {
  AuthenticationRequired,
  Blocked,
  ChallengeReference,
  Complete,
  GenerateResponse,
  GenerateResult,
} from '../contract/generate.ts'
import { ATTEMPTS_MAX, SENDS_MAX } from '../contract/limits.ts'
import { OPEN_ATTEMPTS_MAX, OpenResult } from '../contract/open-report.ts'
import { ReportList, ReportListItem } from '../contract/report-list.ts'
import {
  BlockedReport,
  ChallengedReport,
  CompletedReport,
  ExpiredReport,
  FailedReport,
  OpenChallenge,
  PendingReport,
  ReportState,
} from '../contract/report-state.ts'
import { COUNT, type Component, component, type Keywords, TIME, union } from './component.ts'
import { AGENCIES_SENTENCE, MATCH_FIELD, REPORT_FIELDS } from './report-words.ts'
import { CHALLENGE_ID, CREDIT_REPORT_ID, ENDED_AT, EXPIRES_AT } from './samples.ts'

const CREDIT_REPORT_FIELD = ['The report’s id.', CREDIT_REPORT_ID] as const
const TEST_FIELD = ['Whether it was made in test mode.', false] as const
const ATTEMPTS: Keywords = { minimum: 0, maximum: ATTEMPTS_MAX }
const SENDS: Keywords = { minimum: 0, maximum: SENDS_MAX }
const ended = { endedAt: ['The time it ended.', ENDED_AT, TIME] } as const
const afterChallenge = { challengeType: ['A one-time code was asked for.', 'otp'] } as const

export const answerWords: Component[] = [
  component(
    'WalletMeta',
    WalletMeta,
    'The charge of the operation and the balance after it. Ten credits are one penny.',
    {
      balance: ['Credits that can be spent after the operation: holds are taken off.', 999_500],
      cost: [
        'Credits this operation charged. For a report that waits for its code they are held, and given back if it never completes.',
        500,
        COUNT,
      ],
    },
  ),
  component('MeteredMeta', MeteredMeta, 'About the request and what it cost.', {
    request: 'About the request itself.',
    wallet: 'The charge and the balance after it.',
  }),
  component('GenerateResponse', GenerateResponse, 'The answer to a generate request.', {
    meta: 'About the request and what it cost.',
    data: 'The report, a challenge, or a block.',
  }),
  union('GenerateResult', GenerateResult, 'The result of a generate request.'),
  component('Complete', Complete, 'No code was needed; here is the report.', {
    status: ['The report is complete.', 'complete'],
    challengeType: ['No challenge was made.', 'none'],
    creditReportId: CREDIT_REPORT_FIELD,
    test: TEST_FIELD,
    agencies: AGENCIES_SENTENCE,
    match: MATCH_FIELD,
    creditReport: 'The report.',
  }),
  component('AuthenticationRequired', AuthenticationRequired, 'A code was sent to the consumer’s mobile.', {
    status: ['The consumer must type the code.', 'authentication-required'],
    challengeType: ['A one-time code.', 'otp'],
    creditReportId: CREDIT_REPORT_FIELD,
    test: TEST_FIELD,
    challenge: 'The challenge to answer.',
  }),
  component('Blocked', Blocked, 'The risk assessment refused the person. Nothing is charged.', {
    status: ['The end: no report, no charge.', 'blocked'],
    creditReportId: CREDIT_REPORT_FIELD,
    test: TEST_FIELD,
  }),
  component('ChallengeReference', ChallengeReference, 'A challenge.', {
    challengeId: ['The challenge’s id.', CHALLENGE_ID],
  }),
  component('OtpResponse', OtpResponse, 'The answer to a code.', {
    meta: 'About the request; a code costs nothing.',
    data: 'The report, another attempt, or the end.',
  }),
  union('OtpResult', OtpResult, 'The result of a code.'),
  component('Verified', Verified, 'The code was right; here is the report.', {
    status: ['The report is complete.', 'complete'],
    creditReportId: CREDIT_REPORT_FIELD,
    test: TEST_FIELD,
    agencies: AGENCIES_SENTENCE,
    match: MATCH_FIELD,
    creditReport: 'The report.',
  }),
  component(
    'Retry',
    Retry,
    'The code was wrong and attempts are left, or it is that of an older text, which costs no attempt.',
    {
      status: ['The consumer may try again.', 'retry'],
      creditReportId: CREDIT_REPORT_FIELD,
      test: TEST_FIELD,
      errorMessage: ['The reason, in words.', 'The code is wrong: 2 attempts are left.'],
      attemptsRemaining: ['The number of codes that may still be tried.', 2, ATTEMPTS],
    },
  ),
  component('Failed', Failed, 'The challenge is over for good. What was held is given back.', {
    status: ['The end: no report.', 'failed'],
    creditReportId: CREDIT_REPORT_FIELD,
    test: TEST_FIELD,
    errorMessage: ['The reason, in words.', 'The code was wrong too many times: no attempts are left.'],
  }),
  component('OpenResult', OpenResult, 'The result of a date of birth.', {
    creditReportId: CREDIT_REPORT_FIELD,
    status: ['`open` when it is right, `wrong` when it is not or no attempt is left.', 'open'],
    attemptsRemaining: [
      'The number of wrong dates that are still allowed.',
      3,
      { minimum: 0, maximum: OPEN_ATTEMPTS_MAX },
    ],
  }),
  component('ResendResponse', ResendResponse, 'The answer to a resend. It says nothing about the wallet.', {
    meta: 'About the request.',
    data: 'The number of texts sent, and of those left.',
  }),
  component('ResendResult', ResendResult, 'The number of texts sent, and of those left.', {
    remainingSmsCount: ['The number of texts this challenge may still send.', 1, SENDS],
    smsSentCount: ['The number of texts sent, the first included.', 2, SENDS],
  }),
  union('ReportState', ReportState, 'The status of a report.'),
  component('PendingReport', PendingReport, 'The service is processing it; read it again shortly.', {
    status: ['In progress; the consumer has nothing to do.', 'pending'],
    ...REPORT_FIELDS,
  }),
  component('ChallengedReport', ChallengedReport, 'It waits for the code from the text.', {
    status: ['The consumer must type the code.', 'authentication-required'],
    ...REPORT_FIELDS,
    ...afterChallenge,
    challenge: 'The challenge, with what a page needs to show it.',
  }),
  component('OpenChallenge', OpenChallenge, 'A challenge that is open.', {
    challengeId: ['The challenge’s id.', CHALLENGE_ID],
    attemptsRemaining: ['The number of codes that may still be tried.', 3, { minimum: 0, maximum: ATTEMPTS_MAX }],
    textsRemaining: ['The number of texts that may still be sent.', 2, { minimum: 0, maximum: SENDS_MAX }],
    expiresAt: ['The time the challenge ends, unless another text is sent.', EXPIRES_AT, TIME],
  }),
  component('CompletedReport', CompletedReport, 'It is complete.', {
    status: ['The report is complete.', 'complete'],
    ...REPORT_FIELDS,
    ...ended,
    challengeType: ['`none` when no code was needed.', 'otp'],
    agencies: AGENCIES_SENTENCE,
    match: MATCH_FIELD,
    creditReport: 'The report; absent once its retention is over.',
  }),
  component('BlockedReport', BlockedReport, 'The risk assessment refused the person. Nothing was charged.', {
    status: ['The end: no report, no charge.', 'blocked'],
    reason: [reasonSentence('blocked'), 'risk'],
    ...REPORT_FIELDS,
    ...ended,
  }),
  component('FailedReport', FailedReport, 'There will be no report. Nothing was charged for it.', {
    status: ['The end: the codes were wrong, or a provider was away.', 'failed'],
    reason: [reasonSentence('failed'), 'attempts'],
    ...REPORT_FIELDS,
    ...ended,
    ...afterChallenge,
  }),
  component('ExpiredReport', ExpiredReport, 'No right code came in time. Nothing was charged for the report.', {
    status: ['The end: the challenge ran out.', 'expired'],
    reason: [reasonSentence('expired'), 'timeout'],
    ...REPORT_FIELDS,
    ...ended,
    ...afterChallenge,
  }),
  component('ReportList', ReportList, 'A page of reports, newest first.', {
    creditReports: 'The reports, with nothing about the people in them.',
    nextAfter: ['Pass as `after` for the next, older page; absent on the last.', CREDIT_REPORT_ID],
  }),
  component(
    'ReportListItem',
    ReportListItem,
    'One report.',
    {
      ...REPORT_FIELDS,
      status: ['The status.', 'complete'],
      reason: [REASONS_SENTENCE, 'attempts'],
      agencies: AGENCIES_SENTENCE,
      challengeType: ['Absent until it is known, and when the report was blocked.', 'otp'],
      endedAt: ['The time it ended; absent while it is in progress.', ENDED_AT, TIME],
    },
    { without: ['reason'] },
  ),
]
