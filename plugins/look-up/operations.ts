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
      summary: 'The steps of a credit report',
      description:
        'For support: agencies, texts and receipts, codes, the end and its reason, webhooks, and who read the report. Never the report, and nothing about the person. Webhooks are listed for seven days after delivery. An erased report still has its timeline.',
      answers: { 200: { says: 'The steps, oldest first.', data: ReportTimeline } },
      errors: ['validation-error', 'credit-report-not-found'],
    },
  },
  words: () => ({
    answers: [
      component('ReportTimeline', ReportTimeline, 'A report, step by step, with nothing about the person.', {
        ...REPORT_FIELDS,
        requestId: ['The `X-Request-Id` of the request that asked for it.', CHALLENGE_ID],
        status: ['The status.', 'failed'],
        reason: [REASONS_SENTENCE, 'attempts'],
        why: [
          'The status as a sentence that can be read out to the consumer.',
          'The code was typed wrong 3 times, so the check was stopped to protect you. Your credit file was not searched. You can start again.',
        ],
        endedAt: ['The time it ended; absent while it is in progress.', ENDED_AT, TIME],
        events: 'The steps, oldest first.',
      }),
      component(
        'TimelineEvent',
        TimelineEvent,
        'One step.',
        {
          type: ['The type of the step.', 'code'],
          at: ['The time; absent where it is not kept.', CREATED_AT, TIME],
          outcome: ['The outcome of the step, in a word.', 'wrong'],
          who: ['The agency, webhook address, person or API client.', 'https://lender.example/webhook'],
          nextAt: ['The time of the next try.', EXPIRES_AT, TIME],
          says: ['The step as a sentence.', 'Wrong code; 2 attempts are left.'],
        },
        { without: ['who', 'nextAt'] },
      ),
    ],
  }),
} satisfies Rows
