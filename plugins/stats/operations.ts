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
        'For the mount on the lender’s server, every few seconds: which screens of the form consumers saw, and how long they took. Nothing about anyone. Sent once: a message that got no answer is not repeated.',
      body: { schema: 'StepCounts', reads: StepCounts, ignoresUnknown: true },
      answers: { 204: { says: 'Counted.' } },
      errors: ['validation-error'],
    },
    getStats: {
      route: 'GET /:tenantId/v1/stats',
      rule: { who: 'tenant', scope: 'credit-reports', permission: 'look' },
      tag: 'Activity',
      summary: 'What became of checks, in numbers',
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
        count: ['How often it was shown.', 3, { minimum: 1, maximum: STEP_COUNT_MAX }],
        seconds: [
          'How long the screen before it was shown, of all of them together.',
          95,
          { minimum: 0, maximum: STEP_COUNT_MAX * STEP_SECONDS_MAX },
        ],
      }),
      component('DoctorReport', DoctorReport, 'What the doctor of a mount found.', {
        test: ['Whether the mount is in test mode.', false],
        findings: ['Codes of what is wrong; empty when all is well.', ['clock']],
      }),
    ],
    answers: [
      component('Stats', Stats, 'What became of a lender’s checks on some days.', {
        from: ['The first day in the United Kingdom.', '2026-11-01', DATE],
        to: ['The last day.', '2026-11-17', DATE],
        mode: ['Live checks, or those of test mode.', 'live'],
        form: 'The screens of the form that consumers saw; empty where the page does not report them.',
        funnel: 'How far checks came. No step is larger than the one before it.',
        withoutCode: ['Complete without a code: they count as through both steps of the code.', 27, COUNT],
        ends: 'How checks ended; what did not happen is left out.',
        turnedAway: 'Requests that were refused before they were a check: they are in no list.',
        texts: 'What became of texts.',
        waiting: 'How long consumers waited.',
        days: 'How checks ended, by the day they were asked for; days without any are left out.',
        spending: 'What was spent, by the day it was charged, to the credit; absent in test mode, which costs nothing.',
      }),
      component('FormStepCount', FormStepCount, 'One screen of the form.', {
        step: ['The screen; `sending`: the answers were sent.', 'answers'],
        count: ['Consumers who came so far.', 92, COUNT],
        seconds: ['Mean seconds from the screen before; absent where that is not known.', 41.5, COUNT],
      }),
      component('FunnelStep', FunnelStep, 'One step of the funnel.', {
        step: ['The step.', 'code-right'],
        count: ['Checks that got so far, those that needed no code among them.', 78, COUNT],
        seconds: ['Mean seconds from the step before; absent where that is not known.', 38.2, COUNT],
      }),
      component('EndCount', EndCount, 'One way in which checks ended.', {
        end: ['`complete`, or the `reason` of the report.', 'complete'],
        count: ['How many.', 78, COUNT],
      }),
      component('TurnedAwayCount', TurnedAwayCount, 'Requests that were refused before they were a check.', {
        reason: ['`funds`: too few credits; `spend-cap`: a spend cap was reached.', 'funds'],
        count: ['How many.', 1, COUNT],
      }),
      component('TextCounts', TextCounts, 'What became of texts.', {
        accepted: ['The gateway took them.', 64, COUNT],
        delivered: ['They arrived.', 60, COUNT],
        undelivered: ['They did not.', 2, COUNT],
        refused: 'Why they did not, where the gateway said so.',
      }),
      component('RefusedTexts', RefusedTexts, 'Texts that were refused for one reason.', {
        reason: [
          'The sender’s name; a number that takes no texts; a phone that cannot be reached; the network’s filter; anything else.',
          'sender',
        ],
        count: ['How many.', 2, COUNT],
      }),
      component('Waiting', Waiting, 'How long something took, estimated from classes of times.', {
        what: ['`generate`: until the details are answered. `agencies`: of it, or after the code.', 'generate'],
        count: ['How often.', 100, COUNT],
        p50Ms: ['Half took at most so many milliseconds.', 480, COUNT],
        p95Ms: ['Nineteen of twenty took at most so many milliseconds.', 1_900, COUNT],
      }),
      component('DayEnds', DayEnds, 'How checks ended on a day.', {
        day: ['The day in the United Kingdom.', '2026-11-17', DATE],
        complete: ['Complete.', 24, COUNT],
        blocked: ['Blocked.', 2, COUNT],
        failed: ['Failed.', 3, COUNT],
        expired: ['Expired.', 2, COUNT],
      }),
      component('DaySpending', DaySpending, 'What was spent on a day.', {
        day: ['The day in the United Kingdom.', '2026-11-17', DATE],
        credits: ['Charged for reports, matches and texts, less what was given back.', 15_400],
      }),
    ],
  }),
} satisfies Rows
