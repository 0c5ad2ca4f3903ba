import { coolDown, type Ending, expired, failed, type Journey, resend, right, verified, wrong } from './journey.ts'

const challenged = { group: 'code', stage: 'plain', branch: 'challenge', scenario: 'default' } as const

const summary = (ends: Ending): Ending => ({ heading: 'Your check is complete', events: ends.events, costCredits: 0 })

/** Test mode's answers about a number, by last name. */
const matchJourneys: readonly Journey[] = (
  [
    ['Match', 'The number is known: the whole report', verified(4)],
    ['Mismatch', 'The number is not known: figures only', summary(verified(4))],
    ['Nomatch', 'No one can say: figures only', summary(verified(4))],
  ] as const
).map(([lastName, title, ends]) => ({
  id: `match-${lastName.toLowerCase()}`,
  group: 'code',
  title,
  about: `Last name “${lastName}”, as a match provider would answer.`,
  stage: 'plain',
  branch: 'challenge',
  scenario: 'default',
  lastName,
  steps: [right],
  ends,
}))

/** Everything between the text and the report. */
export const codeJourneys: readonly Journey[] = [
  {
    ...challenged,
    id: 'wrong-1',
    title: 'Wrong code once',
    about: 'Two attempts left, then the right code.',
    steps: [wrong, right],
    ends: verified(4),
  },
  {
    ...challenged,
    id: 'wrong-2',
    title: 'Wrong code twice',
    about: 'The last attempt is announced before it is made.',
    steps: [wrong, wrong, right],
    ends: verified(4),
  },
  {
    ...challenged,
    id: 'wrong-3',
    title: 'Wrong code three times',
    about: 'The challenge fails for good.',
    steps: [wrong, wrong, wrong],
    ends: failed,
  },
  {
    ...challenged,
    id: 'resend-1',
    title: 'One more text',
    about: 'Five new minutes; the attempts stay as they were.',
    steps: [coolDown, resend, right],
    ends: verified(4),
  },
  {
    ...challenged,
    id: 'resend-2',
    title: 'Two more texts',
    about: 'Three texts are all a challenge sends.',
    steps: [coolDown, resend, coolDown, resend, right],
    ends: verified(4),
  },
  {
    ...challenged,
    id: 'resend-keeps-attempts',
    title: 'A new text gives no new attempts',
    about: 'Two wrong codes, another text, one more wrong code: the end.',
    steps: [wrong, wrong, coolDown, resend, wrong],
    ends: failed,
  },
  {
    ...challenged,
    id: 'almost-expired',
    stage: 'time-travel',
    title: 'Right code at 4:30',
    about: 'Half a minute before the end the code still works.',
    steps: [{ do: 'wait', seconds: 270 }, right],
    ends: verified(4),
  },
  {
    ...challenged,
    id: 'expired',
    stage: 'time-travel',
    title: 'Nothing typed until 5:01',
    about: 'The code expires; the details are kept.',
    steps: [{ do: 'wait', seconds: 301 }],
    ends: expired,
  },
  ...matchJourneys,
]
