import { blocked, complete, failed, type Journey, right, verified, wrong } from './journey.ts'

const REPORT_PRICE_CREDITS = 500
const SMS_PRICE_CREDITS = 40
const live = { group: 'live', stage: 'live' } as const

/** Live mode with the simulated providers: these cost the demo lender credits. */
export const liveJourneys: readonly Journey[] = [
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
