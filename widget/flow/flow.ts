// The state machine of the widget: its screens, what can happen on them, and what is remembered on the way. The steps
// themselves are in three files, each pure (no clock, network or storage): `details-steps.ts` for the first screen,
// `form-steps.ts` up to "Agree", `check-steps.ts` after it. The last two come with the `check` chunk and every screen
// but the first; nothing in the first needs them.
//
//   details-steps, form-steps                                     check-steps
//   ────────────────────────────────────────────────────────
// ──────────────────────────────────────────────────────────
//   details ──▶ address ──▶ (address …) ──▶ answers ──▶ sending ──┬──▶ report
//    │ ▲ ▲         ▲     until the history      │  ▲              ├──▶ code ──┬──▶ report
//    │ │ └─────────┴──── is long enough ◀───────┘  │              │    ▲      ├──▶ ended (failed)
//    ▼ │ change          change                    │              │    ▼      └──▶ expired ──▶ sending
//   ended (underAge)                            trouble ◀─────────┤  mobile ──▶ sending
//                                                                 └──▶ ended (blocked, unavailable)
//   report ⇄ locked (idle, another tab; date of birth) ──▶ closed
//
// The typed answers live beside the screen, so no way through the drawing can lose it. An event that makes no sense on
// the screen it meets changes nothing.
import type { ChallengeState, Draft } from '../../contract/tenant-proxy.ts'
import type { Answers, Prefill } from '../fields/answers.ts'
import { type MobileRules, UK_MOBILE } from '../fields/person.ts'
import type { Problem } from '../fields/problem.ts'
import type { Typed } from '../fields/typed.ts'
import type { StringKey } from '../strings/en.ts'
import type { Challenge } from './challenge.ts'
import type { Clock } from './deadline.ts'
import type { Fault } from './fault.ts'
import type { Answer } from './wire.ts'

export type Screen =
  | { name: 'details'; problems: Problem[]; fromAnswers?: boolean }
  | { name: 'address'; index: number; problems: Problem[]; fromAnswers?: boolean }
  | { name: 'answers'; problems: Problem[] }
  | { name: 'sending' }
  | { name: 'code'; challenge: Challenge; busy: 'verify' | 'resend' | null; problems: Problem[]; notice: Notice | null }
  | { name: 'mobile'; challenge: Challenge; problems: Problem[] }
  /** `isLeft`: its contents went with the page that was left, and can be asked for when the consumer comes back. */
  | { name: 'report'; creditReportId: string; data: Delivered; preparedAtMs: number; isLeft?: boolean }
  /** The check is complete, and its report opens again with the date of birth: until `untilMs`, where that is known. */
  | {
      name: 'locked'
      creditReportId: string
      isIdle: boolean
      untilMs?: number
      isBusy: boolean
      problems: Problem[]
      notice: Notice | null
    }
  /**
   * The check is complete, and its report is closed here for good; `unreached` while the lender's server does not know
   * that yet.
   */
  | { name: 'closed'; creditReportId: string; state: 'closing' | 'closed' | 'unreached' }
  | { name: 'expired' }
  | { name: 'ended'; why: 'underAge' }
  | { name: 'ended'; why: 'blocked' | 'failed' | 'unavailable'; creditReportId?: string }
  | { name: 'trouble'; why: Trouble; fault: Fault; retryAtMs?: number; challenge?: Challenge }

export type ScreenName = Screen['name']
export type ScreenNamed<Name extends ScreenName> = Extract<Screen, { name: Name }>
type Trouble = 'busy' | 'offline' | 'unreached' | 'broken' | 'device' | 'session' | 'cookies'
/** A message on the screen that is shown; `timeMs` fills `{time}`. */
type Notice = { words: StringKey; timeMs?: number }
type Delivered = Pick<Answer['data'], 'creditReport' | 'summary' | 'agencies' | 'opening'>

export type Flow = {
  screen: Screen
  answers: Answers
  /** The answers after applying `prefill` only; equal to `answers` until the consumer edits something. */
  known: Answers
  /** Answers the lender knows and the consumer cannot change. */
  fixed: Answers
  /** For a page with a `start`: its details are still to come from the lender's server, or are here. */
  start: 'none' | 'awaited' | 'here'
  /** The proxy runs in test mode: everything shown is synthetic. */
  test: boolean
  /** The lender's server finds addresses by postcode. */
  findsAddresses: boolean
  /** The agencies a check asks; empty where the lender's server does not say. */
  bureaus: readonly string[]
  /** The months of addresses the lender wants; 0 asks for no dates. */
  historyMonths: number
  mobile: MobileRules
  /** The address that was removed last, until something else is done. */
  removed: { address: Typed; index: number } | null
  /** The person whose draft came back after a reload, until something else is done. Else null. */
  kept: string | null
  /**
   * This tab has begun a check, and the lender's server has not said yet how it stands: until then there is no form.
   */
  isResumed: boolean
  /** The consumer has agreed to these answers on this page, so that they may be sent again. */
  hasAgreed: boolean
  /** Every word that was shown above "Agree" when it was pressed. */
  shown: string
  /** The number of times a screen was begun anew; each time its inputs are new too. */
  round: number
}

/** The next request to the lender's server. */
export type Ask = 'begin' | 'generate' | 'verify' | 'resend' | 'sync' | 'see' | 'open' | 'lock' | 'close' | 'forget'
/** `proof`: the code or the date of birth that goes with it. */
export type Step = { flow: Flow; ask?: Ask | undefined; proof?: string }

/** Events before anything is sent, or on any screen. */
export type FormEvent =
  /** `by`: it cannot be changed, because the element is locked or the page has a start. */
  | { type: 'prefill'; prefill: Prefill; by?: 'locked' | 'start' | undefined }
  /**
   * `stays`: the consumer is not sent to another screen. `resumes`: these answers have been sent, and their answer is
   * still to come.
   */
  | { type: 'draft'; draft: Draft; today: string; stays: boolean; resumes: boolean }
  | { type: 'start-again' }
  | { type: 'mobile-countries'; callingCodes: MobileRules['callingCodes'] }
  | { type: 'details'; typed: Typed; today: string }
  | { type: 'address'; typed: Typed; today: string }
  | { type: 'abroad' }
  | { type: 'back'; typed: Typed }
  | { type: 'change'; address?: number }
  | { type: 'remove'; address: number; today: string }
  | { type: 'undo' }
  | { type: 'submit'; agreed: boolean; shown: string }
  | { type: 'leave' }
  | { type: 'reset' }

/** Events once the consumer has agreed. */
type CheckEvent =
  | { type: 'change-number' }
  | { type: 'change-details' }
  | { type: 'start-over' }
  | { type: 'mobile'; typed: Typed }
  | { type: 'code'; code: string }
  | { type: 'resend' }
  | { type: 'time-up' }
  | { type: 'again' }
  | { type: 'idle' }
  /** The report is still being read. */
  | { type: 'seen' }
  | { type: 'open'; typed: Typed; today: string }
  | { type: 'close' }
  | { type: 'closing'; creditReportId: string }
  | { type: 'closed' }
  /** Another tab has closed all that this browser could see. */
  | { type: 'closed-elsewhere' }
  | { type: 'answered'; answer: Answer; now: Clock; fresh: boolean }
  | { type: 'resent'; challenge: ChallengeState; now: Clock }
  | { type: 'fault'; fault: Fault; during: Ask; nowMs: number }

export type FlowEvent = FormEvent | CheckEvent

export const noAnswers: Answers = { person: {}, addresses: [], abroadBefore: false }

export function startFlow(historyMonths: number, mobile = UK_MOBILE, start: Flow['start'] = 'none'): Flow {
  return {
    screen: details,
    answers: noAnswers,
    known: noAnswers,
    fixed: noAnswers,
    start,
    test: false,
    findsAddresses: false,
    bureaus: [],
    historyMonths,
    mobile,
    removed: null,
    kept: null,
    isResumed: false,
    hasAgreed: false,
    shown: '',
    round: 0,
  }
}

export const details: ScreenNamed<'details'> = { name: 'details', problems: [] }

export function show(flow: Flow, screen: Screen, ask?: Ask): Step {
  return { flow: { ...flow, screen }, ask }
}

/** A page that was reloaded after its check had begun. */
export function awaitCheck(flow: Flow): Flow {
  return { ...flow, screen: { name: 'sending' }, isResumed: true }
}

export function send(flow: Flow): Step {
  return show({ ...flow, isResumed: false }, { name: 'sending' }, 'generate')
}

export function withAnswers(flow: Flow, answers: Partial<Answers>): Flow {
  return { ...flow, answers: { ...flow.answers, ...answers } }
}

/** Answers about the person, added to what is known. */
export function withPerson(flow: Flow, typed: Typed): Flow {
  return withAnswers(flow, { person: { ...flow.answers.person, ...typed } })
}

/**
 * An empty form. What the server knows of a check that was begun is forgotten with it, or a reload would bring it back.
 */
export function startOver(flow: Flow): Step {
  const isBegun = !BEFORE_SENDING.includes(flow.screen.name)
  return { flow: { ...emptied(flow), round: flow.round + 1 }, ask: isBegun ? 'forget' : undefined }
}

/** Without anything of the consumer's; what the lender decides stays. */
export function emptied({ historyMonths, mobile, start, test, findsAddresses, bureaus }: Flow): Flow {
  return { ...startFlow(historyMonths, mobile, start === 'none' ? start : 'awaited'), test, findsAddresses, bureaus }
}

const BEFORE_SENDING: readonly ScreenName[] = ['details', 'address', 'answers']
