import { REASONS_SENTENCE } from '../../contract/ending-words.ts'
import { ReportTimeline, TimelineEvent } from '../../contract/report-timeline.ts'
import { component, TIME } from '../../openapi/component.ts'
import type { Rows } from '../../openapi/operation.ts'
import { REPORT_FIELDS } from '../../openapi/report-words.ts'
import { CHALLENGE_ID, CREATED_AT, ENDED_AT, EXPIRES_AT } from '../../openapi/samples.ts'

const tag = 'Credit reports'

export const lookUpRows = {
  operations: {
    getCreditReportTimeline: {
      route: 'GET /:tenantId/v1/credit-reports/:creditReportId/timeline',
      rule: { who: 'tenant', scope: 'credit-reports', permission: 'look' },
      tag,
      summary: 'What happened to a credit report, step by step',
      description:
        'For support: agencies, texts and receipts, codes, the end and why, webhooks, and who was given the report. Never the report, and nothing about the person. Webhooks are listed for seven days after delivery. An erased report still has its timeline.',
      answers: { 200: { says: 'The steps, oldest first.', data: ReportTimeline } },
      errors: ['validation-error', 'credit-report-not-found'],
    },
  },
  words: () => ({
    answers: [
      component('ReportTimeline', ReportTimeline, 'A report, step by step, with nothing about the person.', {
        ...REPORT_FIELDS,
        requestId: ['The `X-Request-Id` of the request that asked for it.', CHALLENGE_ID],
        status: ['How it stands.', 'failed'],
        reason: [REASONS_SENTENCE, 'attempts'],
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
    ],
  }),
} satisfies Rows
