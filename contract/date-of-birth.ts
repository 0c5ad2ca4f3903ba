import * as z from 'zod/mini'
import { calendarDateOf, isCalendarDate } from './calendar-date.ts'

export const CalendarDate = z
  .string()
  .check(z.refine(isCalendarDate, { error: 'must be a real date written YYYY-MM-DD', abort: true }))
export type CalendarDate = z.infer<typeof CalendarDate>

/** The oldest people alive were born after it. */
export const DATE_OF_BIRTH_MIN = '1900-01-01'
/**
 * From 16 a person can sign in Scotland. How old a borrower must be is the lender's decision; the widget asks for 18.
 */
export const AGE_MIN_YEARS = 16

/** A date of birth of a person old enough for a credit report, by this clock. */
export function dateOfBirth(nowMs: () => number) {
  return CalendarDate.check(
    z.refine((date) => date >= DATE_OF_BIRTH_MIN, `must not be before ${DATE_OF_BIRTH_MIN}`),
    z.refine((date) => date <= latestDateOfBirth(nowMs()), `must be at least ${AGE_MIN_YEARS} years ago`),
  )
}

/** A person born on this date turns 16 today (UTC). */
export function latestDateOfBirth(nowMs: number): string {
  const today = calendarDateOf(nowMs)
  return `${Number(today.slice(0, 4)) - AGE_MIN_YEARS}${today.slice(4)}`
}
