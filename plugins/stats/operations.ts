// Numbers about a lender's checks: what its mount reports, and what became of them.
import { DoctorReport } from '../../contract/doctor.ts'
import {
  DayEnds,
  DaySpending,
  EndCount,
  FormStepCount,
  FunnelStep,
  RefusedTexts,
  STATS_DAYS_MAX,
  STEP_COUNT_MAX,
  STEP_SECONDS_MAX,
  Stats,
  StatsQuery,
  StepCount,
  StepCounts,
  TextCounts,
  TurnedAwayCount,
  Waiting,
} from '../../contract/stats.ts'
import { COUNT, component, DATE } from '../../openapi/component.ts'
import { query, type Rows } from '../../openapi/operation.ts'

export const statsRows = {
  operations: {
    countSteps: {
      route: 'POST /:tenantId/v1/steps',
      rule: { who: 'tenant', scope: 'credit-reports', permission: 'report' },
      tag: 'Activity',
      summary: 'Count steps of the form',
      description:
        'For the mount on the lender’s server, every few seconds: which screens of the form consumers saw, and how long they took. Nothing about any person. Sent once: a message that got no answer is not repeated.',
      body: { schema: 'StepCounts', reads: StepCounts, ignoresUnknown: true },
      answers: { 204: { says: 'Counted.' } },
      errors: ['validation-error'],
    },
    getStats: {
      route: 'GET /:tenantId/v1/stats',
      rule: { who: 'tenant', scope: 'credit-reports', permission: 'look' },
      tag: 'Activity',
      summary: 'Figures about checks',
      description: `Of whole days in the United Kingdom, at most ${STATS_DAYS_MAX}. A check belongs to the day it was asked for, as in the list of reports, whose \`status\` and \`reason\` find the checks behind each number. The last few seconds may be missing, and a crash of the service loses as much.`,
      query: query(StatsQuery, {
        from: ['The first day.', '2026-11-01', DATE],
        to: ['The last day.', '2026-11-17', DATE],
        mode: ['Live checks, or those of test mode; live when absent.', 'live'],
      }),
      answers: { 200: { says: 'The numbers.', data: Stats } },
      errors: ['validation-error'],
    },
    reportDoctor: {
      route: 'POST /:tenantId/v1/doctor',
      rule: { who: 'tenant', scope: 'credit-reports', permission: 'integration' },
      tag: 'Activity',
      summary: 'Report what the doctor found',
      description:
        'For the mount on the lender’s server, when its doctor runs: codes of what is wrong with its set-up, shown on the portal’s page Set-up. The newest report of each mode is kept; codes that the service does not know are ignored.',
      body: { schema: 'DoctorReport', reads: DoctorReport, ignoresUnknown: true },
      answers: { 204: { says: 'Kept.' } },
      errors: ['validation-error'],
    },
  },
  words: () => ({
    requests: [
      component('StepCounts', StepCounts, 'Screens of the form that consumers saw since the last message.', {
        test: ['Whether the mount is in test mode.', false],
        steps: 'One entry for each screen.',
      }),
      component('StepCount', StepCount, 'One screen of the form.', {
        step: ['The screen; `sending`: the answers were sent.', 'address'],
        count: ['The number of times it was shown.', 3, { minimum: 1, maximum: STEP_COUNT_MAX }],
        seconds: [
          'The time the screen before it was shown, summed over all of them.',
          95,
          { minimum: 0, maximum: STEP_COUNT_MAX * STEP_SECONDS_MAX },
        ],
      }),
      component('DoctorReport', DoctorReport, 'The findings of a mount’s doctor.', {
        test: ['Whether the mount is in test mode.', false],
        findings: ['Codes of what is wrong; empty when all is well.', ['clock']],
      }),
    ],
    answers: [
      component('Stats', Stats, 'Figures about a lender’s checks on some days.', {
        from: ['The first day in the United Kingdom.', '2026-11-01', DATE],
        to: ['The last day.', '2026-11-17', DATE],
        mode: ['Live checks, or those of test mode.', 'live'],
        form: 'The screens of the form that consumers saw; empty where the page does not report them.',
        funnel: 'The number of checks that reached each step. No step is larger than the one before it.',
        withoutCode: ['Checks complete without a code: they count in both steps of the code.', 27, COUNT],
        ends: 'The number of checks by end; ends that did not happen are left out.',
        turnedAway: 'Requests that were refused before they were a check: they are in no list.',
        texts: 'The number of texts by delivery status.',
        waiting: 'The time consumers waited.',
        days: 'The number of checks by end and by the day of the request; days without any are left out.',
        spending: 'The credits spent, by the day of the charge; absent in test mode, which costs nothing.',
      }),
      component('FormStepCount', FormStepCount, 'One screen of the form.', {
        step: ['The screen; `sending`: the answers were sent.', 'answers'],
        count: ['Consumers who reached the screen.', 92, COUNT],
        seconds: ['Mean seconds from the screen before; absent where that is not known.', 41.5, COUNT],
      }),
      component('FunnelStep', FunnelStep, 'One step of the funnel.', {
        step: ['The step.', 'code-right'],
        count: ['Checks that reached the step, including those that needed no code.', 78, COUNT],
        seconds: ['Mean seconds from the step before; absent where that is not known.', 38.2, COUNT],
      }),
      component('EndCount', EndCount, 'One way in which checks ended.', {
        end: ['`complete`, or the `reason` of the report.', 'complete'],
        count: ['The number of checks.', 78, COUNT],
      }),
      component('TurnedAwayCount', TurnedAwayCount, 'Requests that were refused before they were a check.', {
        reason: ['`funds`: too few credits; `spend-cap`: a spend cap was reached.', 'funds'],
        count: ['The number of requests.', 1, COUNT],
      }),
      component('TextCounts', TextCounts, 'The number of texts by delivery status.', {
        accepted: ['Accepted by the gateway.', 64, COUNT],
        delivered: ['Delivered.', 60, COUNT],
        undelivered: ['Not delivered.', 2, COUNT],
        refused: 'The reasons, where the gateway gave one.',
      }),
      component('RefusedTexts', RefusedTexts, 'Texts that were refused for one reason.', {
        reason: [
          'The sender’s name; a number that takes no texts; a phone that cannot be reached; the network’s filter; anything else.',
          'sender',
        ],
        count: ['The number of texts.', 2, COUNT],
      }),
      component('Waiting', Waiting, 'A duration, estimated from classes of times.', {
        what: [
          '`generate`: for the answer to the details. `agencies`: for the agencies, as part of it or after the code.',
          'generate',
        ],
        count: ['The number of waits.', 100, COUNT],
        p50Ms: ['The median in milliseconds.', 480, COUNT],
        p95Ms: ['The 95th percentile in milliseconds.', 1_900, COUNT],
      }),
      component('DayEnds', DayEnds, 'The number of checks of a day, by end.', {
        day: ['The day in the United Kingdom.', '2026-11-17', DATE],
        complete: ['Complete.', 24, COUNT],
        blocked: ['Blocked.', 2, COUNT],
        failed: ['Failed.', 3, COUNT],
        expired: ['Expired.', 2, COUNT],
      }),
      component('DaySpending', DaySpending, 'The credits spent on a day.', {
        day: ['The day in the United Kingdom.', '2026-11-17', DATE],
        credits: ['Charged for reports, matches and texts, less what was given back.', 15_400],
      }),
    ],
  }),
} satisfies Rows
