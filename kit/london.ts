// Days as people in the United Kingdom count them, YYYY-MM-DD.
import { calendarDateOf } from '../contract/calendar-date.ts'
import { DAY_MS, HOUR_MS } from './clock.ts'
import { dateFormat } from './date-format.ts'

/** Both included. */
export type Days = { from: string; to: string }

const hour = dateFormat({ hour: 'numeric', hourCycle: 'h23', timeZone: 'Europe/London' })

/** The day of a moment. */
export function londonDate(timeMs: number): string {
  const utcDate = calendarDateOf(timeMs)
  return startOfDay(addDays(utcDate, 1)) <= timeMs ? addDays(utcDate, 1) : utcDate
}

/**
 * The first millisecond of a day: clocks change at 01:00 UTC, so midnight has the offset of its UTC day's beginning.
 */
export function startOfDay(day: string): number {
  const utcMs = Date.parse(`${day}T00:00:00Z`)
  return utcMs - Number(hour(utcMs)) * HOUR_MS
}

export function addDays(day: string, days: number): string {
  return calendarDateOf(Date.parse(day) + days * DAY_MS)
}
