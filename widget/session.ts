// One consumer's way through one element, as the screens see it.
import type { ReadonlySignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Prefill } from './fields/answers.ts'
import type { suggestEmail } from './fields/suggest-email.ts'
import type { Ask, Flow, FlowEvent, Step } from './flow/flow.ts'
import type { placeOf } from './flow/form-steps.ts'
import type { AddressLookup } from './frame.ts'

export type SessionOptions = {
  endpoint: string
  /** The address of the fingerprint script, when the page says so. */
  fingerprintSrc: string | null
  /** The page's nonce where the element carries it, else empty: markup that got into the page cannot know it. */
  pageNonce: string
  /** The address of the widget's script; empty where a bundler brought it. */
  scriptSrc: string
  historyMonths: number
  isMobileRequired: boolean
  /** Countries whose mobile numbers are taken: ISO codes, or `any`. */
  mobileCountries: readonly string[]
  prefill: Prefill
  /** Prefilled answers cannot be changed. */
  isLocked: boolean
  /** The start that the lender's server sealed for this check; null for none. */
  start: string | null
  /** Typed answers survive a reload, where the lender's server keeps it. */
  keepsDrafts: boolean
  /** Screens are counted, where the lender's server takes that. */
  sendsSteps: boolean
  /** The consent of the consumer, for the lender's records. */
  consent: () => { version?: string; locale: string; ticked: boolean }
  /** The words of every screen, loaded once; rejects when they could not be. */
  loadWords: () => Promise<void>
  /** Hears of everything that went wrong, also where the consumer does not. */
  onFault: (fault: { code: string; status: number; requestId?: string }) => void
}

export type Session = {
  flow: ReadonlySignal<Flow>
  /** Everything after the first screen; null until it is loaded. */
  check: ReadonlySignal<Check | null>
  send(event: FlowEvent): void
  /** Prefilled answers are shown as text, which takes the checks of the `check` chunk. */
  isLocked: boolean
  /** The consumer has begun: nothing may take the form away now, and focus may follow the screens. */
  touch(): void
  isTouched(): boolean
  /**
   * Loads what follows and looks for a check that was begun; to be called once the first screen is painted. Resolves to
   * false when it could not be loaded; the next call tries again, as long as a start is awaited too.
   */
  begin(): Promise<boolean>
  /** Tells the page what went wrong, where no event of the flow would. */
  tellFault: SessionOptions['onFault']
  /** Asks the server how the code stands. */
  sync(): void
  end(): void
}

/**
 * Everything that follows the first screen: what the `check` chunk makes. The first screen does without until it is
 * loaded.
 */
export type Check = {
  /** Advances the flow by any event; pure. */
  advance(flow: Flow, event: FlowEvent): Step
  /** Does what a step asks for. */
  carryOut(ask: Ask, proof?: string): void
  /** Looks for a check this browser has in progress. */
  begin(): void
  /** Finds addresses on the lender's own server, where that offers it. */
  lookUp: AddressLookup
  suggestEmail: typeof suggestEmail
  placeOf: typeof placeOf
  /** Listens to what happens in the element until `signal` ends it. */
  attend(root: ShadowRoot, signal: AbortSignal): void
  /** The element at which a focus trap's Shift+Tab comes in; undefined for any other focus. */
  findLastStop(root: ShadowRoot): HTMLElement | undefined
  /** Says that what was typed before a reload is back. */
  Kept: (props: { session: Session }) => JSX.Element
  Screen: (props: { session: Session; flow: Flow }) => JSX.Element | null
}
