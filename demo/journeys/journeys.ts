// Every way through the widget, once. The preview lists and plays these, and so do the browser tests: a journey added
// here is shown and tested without another line.

import { SCENARIOS, type Scenario } from '../../contract/tenant-proxy.ts'
import type { StageName } from '../stages.ts'
import { backJourneys } from './back.ts'
import { codeJourneys } from './code.ts'
import { blocked, complete, failed, type Journey, right, verified, wrong } from './journey.ts'
import { lenderJourneys } from './lender.ts'
import { networkJourneys } from './network.ts'
import { refusedJourneys } from './refused.ts'

const data: { [scenario in Scenario]: { title: string; records: number } } = {
  test001: { title: 'Nothing on file', records: 0 },
  test002: { title: 'One hire purchase', records: 1 },
  test003: { title: 'Three different accounts', records: 3 },
  test004: { title: 'Two settled accounts', records: 2 },
  default: { title: 'Four accounts', records: 4 },
}

const branches = {
  allow: { about: 'No challenge: the report is there at once.', steps: [], ends: complete },
  challenge: { about: 'A code by text, then the report.', steps: [right], ends: verified },
  block: { about: 'The risk check says no; nothing is charged.', steps: [], ends: () => blocked },
} as const

/** Every scenario of test mode on every branch. */
const dataJourneys: readonly Journey[] = SCENARIOS.flatMap((scenario) =>
  (['allow', 'challenge', 'block'] as const).map((branch) => {
    const { title, records } = data[scenario]
    const { about, steps, ends } = branches[branch]
    return {
      id: `${scenario}-${branch}`,
      group: 'data',
      title: `${title}, ${branch}`,
      about,
      stage: 'plain',
      branch,
      scenario,
      steps,
      ends: ends(records),
    }
  }),
)

const REPORT_PRICE_CREDITS = 500
const SMS_PRICE_CREDITS = 40
const live = { group: 'live', stage: 'live' } as const

/** Live mode with the simulated providers: these cost the demo lender credits. */
const liveJourneys: readonly Journey[] = [
  {
    ...live,
    id: 'live-allow',
    title: 'Allowed',
    about: 'Last name “Allow”: one report is charged.',
    lastName: 'Allow',
    steps: [],
    ends: { ...complete(4), costCredits: REPORT_PRICE_CREDITS },
  },
  {
    ...live,
    id: 'live-challenge',
    title: 'Challenged',
    about: 'The code is in a text: one report and one text are charged.',
    steps: [right],
    ends: { ...verified(4), costCredits: REPORT_PRICE_CREDITS + SMS_PRICE_CREDITS },
  },
  {
    ...live,
    id: 'live-failed',
    title: 'Failed: only the text is paid',
    about: 'Three wrong codes. What was held for the report is given back; the text was delivered.',
    steps: [wrong, wrong, wrong],
    ends: { ...failed, costCredits: SMS_PRICE_CREDITS },
  },
  {
    ...live,
    id: 'live-block',
    title: 'Blocked: nothing is paid',
    about: 'Last name “Block”.',
    lastName: 'Block',
    steps: [],
    ends: blocked,
  },
]

const files: [stage: StageName, title: string, about: string, records: number][] = [
  ['arrears', 'Arrears and defaults', 'Seven accounts on which payments went wrong.', 7],
  ['hundreds', '300 accounts', 'Hundreds of accounts and dozens of searches.', 300],
  ['agency-away', 'One agency does not answer', 'The report says which, and that there may be more.', 4],
  ['no-file', 'One agency has no file', 'The marks of each account say who reports it.', 4],
  ['gaps', 'Missing and absurd values', 'Fields that are absent, null, too long or not what they should be.', 4],
]

/** Credit files that are no pleasure to show. */
const fileJourneys: readonly Journey[] = files.map(([stage, title, about, records]) => ({
  group: 'files',
  id: `file-${stage}`,
  title,
  about,
  stage,
  branch: 'allow',
  scenario: 'default',
  steps: [],
  ends: complete(records),
}))

export const journeys: readonly Journey[] = [
  ...dataJourneys,
  ...fileJourneys,
  ...codeJourneys,
  ...backJourneys,
  ...lenderJourneys,
  ...liveJourneys,
  ...refusedJourneys,
  ...networkJourneys,
]

export function findJourney(id: string | null): Journey | undefined {
  return journeys.find((journey) => journey.id === id)
}
