import { complete, type Ending, type Journey, right, verified } from './journey.ts'

const challenged = { group: 'back', stage: 'plain', branch: 'challenge', scenario: 'default' } as const
const reload = { do: 'reload' } as const
const anotherTab = { do: 'another-tab' } as const
const wrongDate = { do: 'date-of-birth', date: 'wrong' } as const

const locked: Ending = { heading: 'Your report is locked', events: ['complete', 'complete'], costCredits: 0 }
const closed: Ending = { ...locked, heading: 'Your check is complete' }
const allowed = { ...challenged, branch: 'allow' } as const

/** The page as a consumer finds it on coming back. */
export const backJourneys: readonly Journey[] = [
  {
    ...allowed,
    id: 'draft',
    title: 'A draft',
    about: 'Half the form is filled in, then the page is loaded again: what was typed is still there.',
    isUnsent: true,
    steps: [reload],
    ends: { heading: 'Where do you live?', events: [], costCredits: 0 },
  },
  {
    ...challenged,
    id: 'code-reload',
    title: 'Reloaded at the code',
    about: 'The same text still works.',
    steps: [reload, right],
    ends: { ...verified(4), events: ['challenged', 'challenged', 'complete'] },
  },
  {
    ...allowed,
    id: 'report-reload',
    title: 'Reloaded at the report',
    about: 'The tab that opened the report may show it again.',
    steps: [reload],
    ends: { ...complete(4), events: ['complete', 'complete'] },
  },
  {
    ...allowed,
    id: 'locked',
    title: 'Locked in another tab',
    about: 'The check counts for the lender; the report wants the date of birth.',
    steps: [anotherTab],
    ends: locked,
  },
  {
    ...allowed,
    id: 'reopened',
    title: 'Opened again',
    about: 'The date of birth opens it.',
    steps: [anotherTab, { do: 'date-of-birth', date: 'right' }],
    ends: { ...complete(4), events: ['complete', 'complete'] },
  },
  {
    ...allowed,
    id: 'shut',
    title: 'Three wrong dates of birth',
    about: 'The report is closed for good; the check stays complete.',
    steps: [anotherTab, wrongDate, wrongDate, wrongDate],
    ends: closed,
  },
  {
    ...allowed,
    id: 'closed',
    title: 'Closed by the consumer',
    about: 'No one can open the report here again; the check stays complete.',
    steps: [{ do: 'close' }],
    ends: { ...closed, events: ['complete'] },
  },
]
