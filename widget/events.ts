// Events for the lender's page. Never anything personal, never a token: ids, codes and screen names only.
import type { Fault } from './flow/fault.ts'
import type { Flow, Screen, ScreenName, ScreenNamed } from './flow/flow.ts'

/** The events of the element, by name, with their `detail`. They bubble and cross shadow roots. */
export type WidgetEvents = {
  /** The first screen can be used. */
  'credit-report-ready': { version: string }
  /** Another screen is shown. */
  'credit-report-step': { from: ScreenName; to: ScreenName }
  /** A code was sent, or one sent earlier is still good. */
  'credit-report-challenged': { creditReportId: string }
  /** A hint that the check is complete; after a reload again. What counts is what the lender's server received. */
  'credit-report-complete': { creditReportId: string }
  /** The consumer pressed the button named by `next-label`. */
  'credit-report-next': { creditReportId: string }
  'credit-report-blocked': { creditReportId: string }
  'credit-report-failed': { creditReportId: string }
  'credit-report-expired': Record<never, never>
  /** Something is in the way; `code` is stable, `status` is 0 when no answer came. */
  'credit-report-error': { code: string; status: number; requestId?: string }
}

export type WidgetEvent = {
  [Name in keyof WidgetEvents]: { name: Name; detail: WidgetEvents[Name] }
}[keyof WidgetEvents]

/** The events to send when the flow has gone from one state to the next. */
export function eventsBetween(before: Flow, after: Flow): WidgetEvent[] {
  const { screen } = after
  if (before.screen.name === screen.name) return []
  const step: WidgetEvent = { name: 'credit-report-step', detail: { from: before.screen.name, to: screen.name } }
  // A report that is locked or closed was reported when it came.
  const arrival = isComplete(before.screen) && isComplete(screen) ? null : tellArrival(screen)
  return arrival ? [step, arrival] : [step]
}

export function errorEvent({ code, status, requestId }: Pick<Fault, 'code' | 'status' | 'requestId'>): WidgetEvent {
  return { name: 'credit-report-error', detail: { code, status, ...(requestId && { requestId }) } }
}

/** The check is done, whether or not its report is on screen. */
export function isComplete(screen: Screen): screen is ScreenNamed<'report' | 'locked' | 'closed'> {
  return screen.name === 'report' || screen.name === 'locked' || screen.name === 'closed'
}

function tellArrival(screen: Screen): WidgetEvent | null {
  switch (screen.name) {
    case 'code':
      return { name: 'credit-report-challenged', detail: { creditReportId: screen.challenge.creditReportId } }
    case 'report':
    case 'locked':
    case 'closed':
      return { name: 'credit-report-complete', detail: { creditReportId: screen.creditReportId } }
    case 'expired':
      return { name: 'credit-report-expired', detail: {} }
    case 'ended':
      if (screen.why !== 'blocked' && screen.why !== 'failed') return null
      return { name: `credit-report-${screen.why}`, detail: { creditReportId: screen.creditReportId ?? '' } }
    default:
      return null
  }
}
