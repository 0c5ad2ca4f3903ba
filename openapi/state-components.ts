// How a report stands, and the list of them.
import { ATTEMPTS_MAX, SENDS_MAX } from '../contract/limits.ts'
import {
  Erased,
  ErasedResponse,
  PersonErased,
  PersonErasedResponse,
  PersonExport,
  PersonExportResponse,
  PersonQuery,
} from '../contract/person-query.ts'
import { ReportList, ReportListItem, ReportListResponse } from '../contract/report-list.ts'
import {
  BlockedReport,
  ChallengedReport,
  CompletedReport,
  ExpiredReport,
  FailedReport,
  OpenChallenge,
  PendingReport,
  ReportState,
  ReportStateResponse,
} from '../contract/report-state.ts'
import { ReportTimeline, ReportTimelineResponse, TimelineEvent } from '../contract/report-timeline.ts'
import { shortReference } from '../contract/short-reference.ts'
import { type Component, component, DATE, TIME, union } from './component.ts'
import { AGENCIES_SENTENCE, MATCH_FIELD } from './report-components.ts'
import { CHALLENGE_ID, CREATED_AT, CREDIT_REPORT_ID, ENDED_AT, EXPIRES_AT, REFERENCE } from './samples.ts'

const SHORT_REFERENCE = [
  'What a consumer is shown and reads out: eight letters and digits.',
  shortReference(CREDIT_REPORT_ID),
] as const

const common = {
  creditReportId: ['The report’s id.', CREDIT_REPORT_ID],
  reference: SHORT_REFERENCE,
  externalReference: ['Your own reference, as it was given.', REFERENCE],
  test: ['Whether it was made in test mode.', false],
  createdAt: ['When it was asked for.', CREATED_AT, TIME],
} as const
const ended = { endedAt: ['When it came to its end.', ENDED_AT, TIME] } as const
const afterChallenge = { challengeType: ['A one-time code was asked for.', 'otp'] } as const

export const stateComponents: Component[] = [
  component('ErasedResponse', ErasedResponse, 'The answer to an erasure.', {
    meta: 'About the request.',
    data: 'What was erased.',
  }),
  component('Erased', Erased, 'A report that was erased.', {
    creditReportId: ['The report’s id.', CREDIT_REPORT_ID],
    erased: ['Always true.', true],
  }),
  component(
    'PersonQuery',
    PersonQuery,
    'A person, as agencies tell people apart.',
    {
      lastName: ['The surname; capitals, accents, hyphens, titles and initials make no difference.', 'Example'],
      dateOfBirth: ['Date of birth, YYYY-MM-DD.', '1985-03-27', DATE],
      postcodes: ['Each postcode the person gave as the current one.', ['SW1A 1AA']],
      after: ['The `nextAfter` of the page before; ignored by an erasure.', CREDIT_REPORT_ID],
    },
    { example: { lastName: 'Example', dateOfBirth: '1985-03-27', postcodes: ['SW1A 1AA'] } },
  ),
  component('PersonExportResponse', PersonExportResponse, 'A page of what is known about a person.', {
    meta: 'About the request.',
    data: 'The page.',
  }),
  component(
    'PersonExport',
    PersonExport,
    'Reports about one person, newest first.',
    {
      creditReports: 'How each stands, with its content while it is kept.',
      nextAfter: ['Pass as `after` for the next, older page; absent on the last.', CREDIT_REPORT_ID],
    },
    { without: ['nextAfter'] },
  ),
  component('PersonErasedResponse', PersonErasedResponse, 'The answer to the erasure of a person.', {
    meta: 'About the request.',
    data: 'What was erased.',
  }),
  component('PersonErased', PersonErased, 'The reports that were erased.', {
    creditReportIds: ['Their ids; empty when there was nothing to erase.', [CREDIT_REPORT_ID]],
  }),
  component('ReportStateResponse', ReportStateResponse, 'How a report stands.', {
    meta: 'About the request; asking costs nothing.',
    data: 'How it stands.',
  }),
  union('ReportState', ReportState, 'How a report stands.'),
  component('PendingReport', PendingReport, 'The service is processing it; read it again shortly.', {
    status: ['In progress; the consumer has nothing to do.', 'pending'],
    ...common,
  }),
  component('ChallengedReport', ChallengedReport, 'It waits for the code from the text.', {
    status: ['The consumer must type the code.', 'authentication-required'],
    ...common,
    ...afterChallenge,
    challenge: 'The challenge, with what a page needs to show it.',
  }),
  component('OpenChallenge', OpenChallenge, 'A challenge that is open.', {
    challengeId: ['The challenge’s id.', CHALLENGE_ID],
    attemptsRemaining: ['How many more codes may be tried.', 3, { minimum: 0, maximum: ATTEMPTS_MAX }],
    textsRemaining: ['How many more texts may be sent.', 2, { minimum: 0, maximum: SENDS_MAX }],
    expiresAt: ['When it ends, unless another text is sent.', EXPIRES_AT, TIME],
  }),
  component('CompletedReport', CompletedReport, 'It is complete.', {
    status: ['The report is complete.', 'complete'],
    ...common,
    ...ended,
    challengeType: ['`none` when no code was needed.', 'otp'],
    agencies: AGENCIES_SENTENCE,
    match: MATCH_FIELD,
    creditReport: 'The report; absent once the time that reports are kept is over.',
  }),
  component('BlockedReport', BlockedReport, 'The risk assessment refused the person. Nothing was charged.', {
    status: ['The end: no report, no charge.', 'blocked'],
    reason: ['Why.', 'risk'],
    ...common,
    ...ended,
  }),
  component('FailedReport', FailedReport, 'There will be no report. Nothing was charged for it.', {
    status: ['The end: the codes were wrong, or a provider was away.', 'failed'],
    reason: ['Why.', 'attempts'],
    ...common,
    ...ended,
    ...afterChallenge,
  }),
  component('ExpiredReport', ExpiredReport, 'No right code came in time. Nothing was charged for the report.', {
    status: ['The end: the challenge ran out.', 'expired'],
    reason: ['`timeout`: no right code came; `agencies`: none of them answered.', 'timeout'],
    ...common,
    ...ended,
    ...afterChallenge,
  }),

  component('ReportTimelineResponse', ReportTimelineResponse, 'What happened to a report.', {
    meta: 'About the request.',
    data: 'The timeline.',
  }),
  component('ReportTimeline', ReportTimeline, 'A report, step by step, with nothing about the person.', {
    ...common,
    requestId: ['The `X-Request-Id` of the request that asked for it.', CHALLENGE_ID],
    status: ['How it stands.', 'failed'],
    reason: ['Why it was blocked, failed or expired.', 'attempts'],
    why: [
      'How it stands, as a sentence that can be read out to the consumer.',
      'The code was typed wrong 3 times, so the check was stopped to protect you. Your credit file was not searched. You can start again.',
    ],
    endedAt: ['When it came to its end; absent while it is in progress.', ENDED_AT, TIME],
    events: 'The steps, oldest first.',
  }),
  component(
    'TimelineEvent',
    TimelineEvent,
    'One step.',
    {
      type: ['What kind of step.', 'code'],
      at: ['When; absent where the time is not kept.', CREATED_AT, TIME],
      outcome: ['How it ended, in a word.', 'wrong'],
      who: ['Which agency, webhook address, person or API client.', 'https://lender.example/webhook'],
      nextAt: ['When it is tried again.', EXPIRES_AT, TIME],
      says: ['The step as a sentence.', 'Wrong code; 2 attempts are left.'],
    },
    { without: ['who', 'nextAt'] },
  ),
  component('ReportListResponse', ReportListResponse, 'A page of reports.', {
    meta: 'About the request.',
    data: 'The page.',
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
      ...common,
      status: ['How it stands.', 'complete'],
      reason: ['Why it was blocked, failed or expired.', 'attempts'],
      agencies: AGENCIES_SENTENCE,
      challengeType: ['Absent until it is known, and when the report was blocked.', 'otp'],
      endedAt: ['When it came to its end; absent while it is in progress.', ENDED_AT, TIME],
    },
    { without: ['reason'] },
  ),
]
