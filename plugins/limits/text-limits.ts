// Limits on texts, against SMS pumping (premium numbers that earn by being texted) and harassment by codes.
import { normaliseUkMobile } from '../../contract/mobile-number.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kit/clock.ts'

/**
 * Traits that texts can share: all but `everywhere` among the texts of one lender, so that no lender is limited by
 * another.
 */
export type Trait =
  | 'number'
  /** The number, among the texts of all lenders. */
  | 'everywhere'
  | 'prefix'
  /** The prefix, from one address: one address may not use up a range that thousands share. */
  | 'source'
  | 'address'
  /** The /56 of an IPv6 address, and its /48. */
  | 'block'
  | 'site'
  | 'device'
  /**
   * The person from one address: what a stranger begins elsewhere must not refuse them. With a matched number: the
   * person and it.
   */
  | 'person'
  | 'tenant'

/** Within any `windowMs`, at most `max` of what `COUNTED` says about texts with the same trait. */
export type TextLimit = { same: Trait; max: number; windowMs: number }

/** The counted unit. A household behind one address may ask often for its own few numbers, but not for many. */
export const COUNTED: { readonly [trait in Trait]: 'texts' | 'numbers' | 'reports' } = {
  number: 'texts',
  everywhere: 'texts',
  prefix: 'texts',
  source: 'texts',
  address: 'numbers',
  block: 'numbers',
  site: 'numbers',
  device: 'numbers',
  person: 'reports',
  tenant: 'texts',
}

export const TRAITS = Object.keys(COUNTED) as readonly Trait[]

export const TEXT_LIMITS: readonly TextLimit[] = [
  { same: 'number', max: 5, windowMs: 10 * MINUTE_MS },
  { same: 'number', max: 10, windowMs: DAY_MS },
  { same: 'everywhere', max: 25, windowMs: 10 * MINUTE_MS },
  { same: 'everywhere', max: 50, windowMs: DAY_MS },
  { same: 'prefix', max: 30, windowMs: 10 * MINUTE_MS },
  { same: 'source', max: 10, windowMs: 10 * MINUTE_MS },
  // Under CONVERSION_TEXTS_MIN: one address cannot make a range look pumped.
  { same: 'source', max: 15, windowMs: DAY_MS },
  { same: 'address', max: 5, windowMs: 10 * MINUTE_MS },
  { same: 'address', max: 20, windowMs: DAY_MS },
  { same: 'block', max: 20, windowMs: 10 * MINUTE_MS },
  { same: 'block', max: 80, windowMs: DAY_MS },
  { same: 'site', max: 80, windowMs: 10 * MINUTE_MS },
  { same: 'site', max: 320, windowMs: DAY_MS },
  { same: 'device', max: 3, windowMs: DAY_MS },
  { same: 'person', max: 5, windowMs: DAY_MS },
  { same: 'tenant', max: 300, windowMs: MINUTE_MS },
  { same: 'tenant', max: 5_000, windowMs: DAY_MS },
]

/** Nothing older has a say, and nothing older is kept. */
export const CLAIM_LIFETIME_MS = DAY_MS

/** A range of numbers that asks for codes and hardly ever types one in is being pumped. */
export const CONVERSION_WINDOW_MS = HOUR_MS
export const CONVERSION_TEXTS_MIN = 20
export const CONVERSION_TEXTS_PER_CODE_MAX = 10

/** A tenant this close to its limit for the day is worth a look before it gets there. */
export const TENANT_ALERT_SHARE = 0.8

/** Destinations of texts unless an installation says otherwise. */
export const DESTINATIONS: readonly string[] = ['+44']

/** For +44 mobiles only: personal numbers (070), pagers and premium lines are how pumping earns. */
export function isDestination(mobileNumber: string, destinations: readonly string[] = DESTINATIONS): boolean {
  return destinations.some((destination) =>
    destination === '+44' ? normaliseUkMobile(mobileNumber) === mobileNumber : mobileNumber.startsWith(destination),
  )
}
