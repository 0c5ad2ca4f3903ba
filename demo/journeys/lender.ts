import { complete, type Journey, right, verified } from './journey.ts'

/** The same check, as different lenders set it up. */
export const lenderJourneys: readonly Journey[] = [
  {
    group: 'lender',
    id: 'known',
    title: 'An applicant the lender knows',
    about: '`start`, from `proxy.begin()`: the details are shown, cannot be changed, and the proxy holds to them.',
    stage: 'known',
    steps: [right],
    ends: verified(4),
  },
  {
    group: 'lender',
    id: 'hard-search',
    title: 'A hard search',
    about: 'What the consumer reads above “Agree” with `search="hard"`.',
    stage: 'plain',
    branch: 'allow',
    scenario: 'default',
    search: 'hard',
    steps: [],
    ends: complete(4),
  },
]
