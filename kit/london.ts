// Days as people in the United Kingdom count them, YYYY-MM-DD.
import { calendarDateOf } from '../contract/calendar-date.ts'
import { DAY_MS, HOUR_MS } from './clock.ts'

const hour = new Intl.DateTimeFormat('en-GB', { hour: 'numeric', hourCycle: 'h23', timeZone: 'Europe/London' })

/** The day of a moment. */
export function londonDate(timeMs: number): string {
  const utcDate = calendarDateOf(timeMs)
  return startOfDay(addDays(utcDate, 1)) <= timeMs ? addDays(utcDate, 1) : utcDate
}

/** The first millisecond of a day: clocks change at 01:00 UTC, so midnight has the offset of its UTC day's beginning. */
export function startOfDay(day: string): number {
  const utcMs = Date.parse(`${day}T00:00:00Z`)
  return utcMs - Number(hour.format(utcMs)) * HOUR_MS
}

/** From the first millisecond of `from` up to the end of `to`. */
export function timesOf({ from, to }: { from: string; to: string }): { fromMs: number; beforeMs: number } {
  return { fromMs: startOfDay(from), beforeMs: startOfDay(addDays(to, 1)) }
}

export function addDays(day: string, days: number): string {
  return calendarDateOf(Date.parse(day) + days * DAY_MS)
}
