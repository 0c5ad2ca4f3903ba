// What the service answers, but for the report itself.
import { Profile, Tenant } from '../contract/account.ts'
import { AuditActor, AuditEntry, AuditTrail, AuditVerified } from '../contract/audit.ts'
import { Failed, OtpResponse, OtpResult, ResendResponse, ResendResult, Retry, Verified } from '../contract/challenge.ts'
import { ErrorBody, Meta, MeteredMeta, RequestMeta, WalletMeta } from '../contract/envelope.ts'
import {
  AuthenticationRequired,
  Blocked,
  ChallengeReference,
  Complete,
  GenerateResponse,
  GenerateResult,
} from '../contract/generate.ts'
import { ATTEMPTS_MAX, SENDS_MAX } from '../contract/limits.ts'
import { OPEN_ATTEMPTS_MAX, OpenResponse, OpenResult } from '../contract/open-report.ts'
import { Statement, StatementLine, StatementTotal } from '../contract/statement.ts'
import {
  CapState,
  CapStates,
  Hold,
  Holds,
  LowBalanceAlert,
  PricedAgencies,
  Wallet,
  WalletLine,
  WalletLines,
} from '../contract/wallet.ts'
import { COUNT, type Component, component, type Keywords, TIME, union } from './component.ts'
import { AGENCIES_SENTENCE, MATCH_FIELD } from './report-components.ts'
import { CHALLENGE_ID, CREATED_AT, CREDIT_REPORT_ID, REFERENCE } from './samples.ts'

const CREDIT_REPORT_FIELD = ['The report’s id.', CREDIT_REPORT_ID] as const
const TEST_FIELD = ['Whether it was made in test mode.', false] as const
const ATTEMPTS: Keywords = { minimum: 0, maximum: ATTEMPTS_MAX }
const SENDS: Keywords = { minimum: 0, maximum: SENDS_MAX }

export const answerComponents = (bureaus: readonly string[]): Component[] => [
  component('RequestMeta', RequestMeta, 'About the request itself.', {
    timeTakenMs: ['How long the service worked on it, in milliseconds.', 42, COUNT],
  }),
  component('WalletMeta', WalletMeta, 'What the operation did to the wallet. Ten credits are one penny.', {
    balance: ['Credits that can be spent after the operation: holds are taken off.', 999_500],
    cost: [
      'Credits this operation charged. For a report that waits for its code they are held, and given back if it never completes.',
      500,
      COUNT,
    ],
  }),
  component('Meta', Meta, 'About the request.', { request: 'About the request itself.' }),
  component('MeteredMeta', MeteredMeta, 'About the request and what it cost.', {
    request: 'About the request itself.',
    wallet: 'What it cost, and what is left.',
  }),

  component('GenerateResponse', GenerateResponse, 'The answer to a generate request.', {
    meta: 'About the request and what it cost.',
    data: 'The report, a challenge, or a block.',
  }),
  union('GenerateResult', GenerateResult, 'How a generate request came out.'),
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
  union('OtpResult', OtpResult, 'What became of a code.'),
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
      errorMessage: ['What was wrong, in words.', 'The code is wrong: 2 attempts are left.'],
      attemptsRemaining: ['How many more codes may be tried.', 2, ATTEMPTS],
    },
  ),
  component('Failed', Failed, 'The challenge is over for good. What was held is given back.', {
    status: ['The end: no report.', 'failed'],
    creditReportId: CREDIT_REPORT_FIELD,
    test: TEST_FIELD,
    errorMessage: ['Why, in words.', 'The code was wrong too many times: no attempts are left.'],
  }),
  component('OpenResponse', OpenResponse, 'The answer to a date of birth.', {
    meta: 'About the request.',
    data: 'Whether it is right.',
  }),
  component('OpenResult', OpenResult, 'Whether a date of birth is right.', {
    creditReportId: CREDIT_REPORT_FIELD,
    status: ['`open` when it is right, `wrong` when it is not or no attempt is left.', 'open'],
    attemptsRemaining: ['How many wrong dates are left.', 3, { minimum: 0, maximum: OPEN_ATTEMPTS_MAX }],
  }),
  component('ResendResponse', ResendResponse, 'The answer to a resend. It says nothing about the wallet.', {
    meta: 'About the request.',
    data: 'How many texts were sent and are left.',
  }),
  component('ResendResult', ResendResult, 'How many texts were sent and are left.', {
    remainingSmsCount: ['How many more texts this challenge may send.', 1, SENDS],
    smsSentCount: ['How many texts it has sent, the first included.', 2, SENDS],
  }),

  component('Profile', Profile, 'A person who signs in.', {
    id: ['The person’s id.', 'd4f0f5a2-7a3e-4f43-9a55-3f0d1b2c4e5f', { format: 'uuid' }],
    firstName: ['First name.', 'Sam'],
    lastName: ['Last name.', 'Lee'],
    email: ['E-mail, which is also the name to sign in with.', 'sam@demo-lender.example'],
    totpEnabled: ['Whether signing in asks for a code from an authenticator.', false],
    createdAt: ['When the account was made.', '2026-01-05T10:00:00.000Z', TIME],
  }),
  component('Tenant', Tenant, 'A lender.', {
    id: ['The lender’s id, as used in paths.', 'demo-lender'],
    name: ['The lender’s name.', 'Demo Lender'],
  }),

  component(
    'Wallet',
    Wallet,
    'A lender’s wallet and prices, in credits. Ten credits are one penny.',
    {
      tenantId: ['Whose wallet it is.', 'demo-lender'],
      balanceCredits: ['Credits that can be spent now.', 999_460],
      heldCredits: ['Credits reserved for reports and texts in progress.', 500, COUNT],
      reportPriceCredits: ['What a report costs.', 500, COUNT],
      smsPriceCredits: ['What a text costs, once it is delivered.', 40, COUNT],
      matchPriceCredits: ['What a match of person and number costs; absent without a match provider.', 50, COUNT],
      bureaus: ['The agencies that a report can be asked of.', [...bureaus]],
      simulated: [
        'Providers whose answers to live checks are invented: `bureau` or `sms`; absent where none is.',
        ['sms'],
      ],
    },
    { without: ['matchPriceCredits', 'simulated'] },
  ),
  component(
    'WalletLine',
    WalletLine,
    'One movement of credits. Lines are never changed.',
    {
      id: ['The line’s id.', `capture_report_${CREDIT_REPORT_ID}`],
      kind: ['`top-up` adds, `hold` reserves, `capture` spends what was held, `release` gives it back.', 'capture'],
      purpose: ['What the credits were for.', 'report'],
      credits: ['How many credits moved.', 500, COUNT],
      creditReportId: ['The report it was about; absent for a top-up.', CREDIT_REPORT_ID],
      externalReference: ['Your own reference of that report, if it has one.', REFERENCE],
      agencies:
        'What the price of a report went by; on its `capture`, and on the `top-up` that gives a share of it back.',
      holdId: ['The hold that a `capture` or `release` settles.', `hold_report_${CREDIT_REPORT_ID}`],
      createdAt: ['When it was booked.', CREATED_AT, TIME],
      reason: [
        'Only of a correction: why credits were given (`top-up`) or taken (`hold` and `capture`). It belongs to no report.',
        'booked twice',
      ],
    },
    { without: ['reason'] },
  ),
  component('PricedAgencies', PricedAgencies, 'How much of a report was delivered.', {
    asked: ['Agencies of the request.', 3, COUNT],
    delivered: [
      'Those that gave their file or said that they have none; the share of the others is given back.',
      3,
      COUNT,
    ],
  }),
  component('WalletLines', WalletLines, 'A page of lines, newest first.', {
    lines: 'The lines.',
    nextBefore: ['Pass as `before` for the next, older page; absent on the last.', `hold_report_${CREDIT_REPORT_ID}`],
  }),

  component('Statement', Statement, 'A month, and a page of its lines, oldest first.', {
    month: ['The UTC month.', '2026-11'],
    openingCredits: ['The balance, with what was held, when the month began.', 1_000_000],
    closingCredits: ['The same when it ended, or now.', 999_500],
    heldCredits: ['How much of the closing was held for reports and texts in progress.', 0, COUNT],
    totals: 'What the month’s lines add up to, by item.',
    lines: 'The lines of this page.',
    nextAfter: ['Pass as `after` for the next, later page; absent on the last.', `capture_report_${CREDIT_REPORT_ID}`],
  }),
  component('StatementTotal', StatementTotal, 'What the lines of one kind add up to.', {
    item: ['What the lines are about.', 'report'],
    lines: ['How many there are.', 1, COUNT],
    credits: ['Above 0: paid in or given back. Below 0: charged.', -500],
  }),
  component(
    'StatementLine',
    StatementLine,
    'A top-up or a charge.',
    {
      id: ['The line’s id.', `capture_report_${CREDIT_REPORT_ID}`],
      item: [
        '`top-up`, `report`, `match` (of person and number), `text`, `given-back` (the share of agencies that did not answer) or `correction`.',
        'report',
      ],
      credits: ['Above 0: paid in or given back. Below 0: charged.', -500],
      creditReportId: ['The report it was about; absent for a top-up.', CREDIT_REPORT_ID],
      externalReference: ['Your own reference of that report, if it has one.', REFERENCE],
      agencies: 'What the price of a report went by.',
      createdAt: ['When it was booked.', CREATED_AT, TIME],
      reason: ['Only of a correction: why credits were given or taken.', 'booked twice'],
    },
    { without: ['reason'] },
  ),
  component('Holds', Holds, 'A page of what is held, oldest first.', {
    holds: 'The holds.',
    nextAfter: ['Pass as `after` for the next, younger page; absent on the last.', `hold_report_${CREDIT_REPORT_ID}`],
  }),
  component('Hold', Hold, 'Credits held for a report or text in progress.', {
    id: ['The line’s id.', `hold_report_${CREDIT_REPORT_ID}`],
    purpose: ['What it is held for.', 'report'],
    credits: ['How many credits.', 500, COUNT],
    creditReportId: ['The report it is about.', CREDIT_REPORT_ID],
    externalReference: ['Your own reference of that report, if it has one.', REFERENCE],
    createdAt: ['Since when.', CREATED_AT, TIME],
  }),
  component('CapStates', CapStates, 'The spend caps, and what is spent of them.', {
    caps: 'One for each purpose and period.',
  }),
  component('CapState', CapState, 'A spend cap.', {
    purpose: ['What the credits are for.', 'report'],
    period: ['In which time, in UTC.', 'hour'],
    capCredits: ['How many credits may be spent in it; `null`: no cap.', 100_000, COUNT],
    spentCredits: ['How many were, in the hour or day that runs now.', 500, COUNT],
  }),
  component('LowBalanceAlert', LowBalanceAlert, 'The low-balance alert.', {
    thresholdCredits: [
      'A balance below this is reported by the webhook `wallet.low`; `null`: no alert.',
      50_000,
      COUNT,
    ],
  }),

  component('AuditTrail', AuditTrail, 'A page of the audit trail, newest first.', {
    events: 'The events.',
    verified: 'The last whole check of the trail; absent before the first.',
    nextBefore: ['Pass as `before` for the next, older page; absent on the last.', '4711'],
  }),
  component(
    'AuditVerified',
    AuditVerified,
    'The last whole check of the trail’s chain of hashes.',
    {
      position: ['Events of the installation up to this number are as they were written.', 5312, COUNT],
      at: ['When it was checked.', CREATED_AT, TIME],
      problem: ['What it found; absent when nothing is wrong.', 'event 17 was changed'],
    },
    { without: ['problem'] },
  ),
  component(
    'AuditEntry',
    AuditEntry,
    'Something that was done, or refused.',
    {
      id: ['The event’s id.', '4712'],
      createdAt: ['When.', CREATED_AT, TIME],
      actor: 'Who did it.',
      action: ['What.', 'caps.set'],
      object: ['The id of what it was done to.', CREDIT_REPORT_ID],
      from: ['What was changed, as it was, in JSON.', '{"report-hour":100000}'],
      to: ['The same afterwards.', '{"report-hour":200000}'],
      address: ['The IP address it came from.', '203.0.113.7'],
      outcome: ['`done`, `begun`, `failed`, or the HTTP status of what changed nothing.', 'done'],
    },
    { without: ['object'] },
  ),
  component('AuditActor', AuditActor, 'Who did it, as they were called then.', {
    kind: [
      '`unknown`: nothing proved who it was, as when a password is wrong; the name is that of the account.',
      'person',
    ],
    id: ['The id of the person, API client or operator.', 'd4f0f5a2-7a3e-4f43-9a55-3f0d1b2c4e5f'],
    name: ['A person’s name.', 'Sam Lee'],
    email: ['A person’s e-mail address.', 'sam@demo-lender.example'],
  }),

  component('ServiceError', ErrorBody, 'Why a request was refused.', {
    code: ['What went wrong, for programs. A newer service may know more codes.', 'validation-error'],
    message: ['What was expected, for people; never anything personal.', 'firstName: is required'],
  }),
]
