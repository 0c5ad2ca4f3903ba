import type { Branch } from '../../contract/generate.ts'
import type { Scenario } from '../../contract/tenant-proxy.ts'
import type { StageName } from '../stages.ts'

/** One way through the widget: what the lender's server is like, what the consumer does, how it must end. */
export type Journey = {
  id: string
  group: JourneyGroup
  title: string
  /** A sentence for the person who chooses it. */
  about: string
  stage: StageName
  /** The branch that test mode is asked to take. */
  branch?: Branch
  scenario?: Scenario
  /** The simulated risk provider of live mode decides by it. @default 'Example' */
  lastName?: string
  /** The page does not let the fingerprint script through. */
  fingerprint?: 'blocked'
  /** The element's `search`, whatever the knobs say. */
  search?: 'hard'
  /** The steps begin at the address, before anything is sent. */
  isUnsent?: true
  steps: readonly Step[]
  ends: Ending
}

/** The acts of the consumer once the details are sent. */
export type Step =
  /** Types a code. In live mode the right one is in the newest text. */
  | { do: 'code'; code: 'right' | 'wrong' }
  /** Asks for another text. */
  | { do: 'resend' }
  /** Puts the phone down: the clocks of service and proxy move without waiting. */
  | { do: 'wait'; seconds: number }
  /** Loads the page again, or opens it in a tab that knows nothing. */
  | { do: 'reload' | 'another-tab' }
  /** Opens a locked report. */
  | { do: 'date-of-birth'; date: 'right' | 'wrong' }
  /** Closes the report. */
  | { do: 'close' }

export type Ending = {
  /** The heading of the last screen. */
  heading: string
  /** The element's events, in order, without `credit-report-`; `ready` and `step` are left out. */
  events: readonly string[]
  /** The `code` of the error event. */
  errorCode?: string
  /** The lender's whole cost, texts included. */
  costCredits: number
  /** Accounts in the report. */
  records?: number
}

export const GROUPS = {
  data: 'Data scenarios',
  files: 'Difficult credit files',
  code: 'Security code',
  back: 'Leaving and coming back',
  lender: 'The lender’s data and words',
  live: 'Live, simulated providers',
  refused: 'Refusals',
  network: 'Networks and browsers',
} as const
export type JourneyGroup = keyof typeof GROUPS

export const right: Step = { do: 'code', code: 'right' }
export const wrong: Step = { do: 'code', code: 'wrong' }
export const resend: Step = { do: 'resend' }
/** Longer than the widget's cool-down between texts. */
export const coolDown: Step = { do: 'wait', seconds: 31 }

export function complete(records: number): Ending {
  return { heading: 'Your credit report', events: ['complete'], costCredits: 0, records }
}

export function verified(records: number): Ending {
  return { ...complete(records), events: ['challenged', 'complete'] }
}

export const blocked: Ending = {
  heading: 'We cannot carry on with this check online',
  events: ['blocked'],
  costCredits: 0,
}

export const failed: Ending = {
  heading: 'We could not confirm it is you',
  events: ['challenged', 'failed'],
  costCredits: 0,
}

export const expired: Ending = {
  heading: 'That code has expired',
  events: ['challenged', 'expired'],
  costCredits: 0,
}

/** The lender's side cannot serve this check; the consumer reads the same words whatever the cause. */
export function unavailable(errorCode: string): Ending {
  return { heading: 'This check is not available right now', events: ['error'], errorCode, costCredits: 0 }
}

export function broken(errorCode: string): Ending {
  return { heading: 'Sorry, something went wrong at our end', events: ['error'], errorCode, costCredits: 0 }
}
