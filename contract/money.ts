// Two kinds of whole numbers that must never mix: pence in a consumer's report, credits in a lender's wallet.
import * as z from 'zod/mini'
import { CREDITS_PER_PENNY } from './limits.ts'

export const Money = z.object({
  /** In the smallest unit of the currency: pence for GBP. */
  amount: z.int(),
  currency: z.string(),
})
export type Money = z.infer<typeof Money>

/** `123456` → `£1,234.56`. */
export function showPence(pence: number, currency = 'GBP', locale = 'en-GB'): string {
  return new Intl.NumberFormat([locale, 'en-GB'], { style: 'currency', currency }).format(pence / 100)
}

let poundFormat: Intl.NumberFormat | undefined

/**
 * `500` → `£0.50`. Credits finer than a penny keep their tenths: `1` → `£0.001`. The formatter is made once, when first
 * used: a page has hundreds of amounts.
 */
export function showCredits(credits: number): string {
  poundFormat ??= new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP', maximumFractionDigits: 3 })
  return poundFormat.format(credits / CREDITS_PER_PENNY / 100)
}
