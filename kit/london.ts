// Days as people in the United Kingdom count them, YYYY-MM-DD.
import { calendarDateOf } from '../contract/calendar-date.ts'
import { DAY_MS, HOUR_MS } from './clock.ts'
import { dateFormat } from './date-format.ts'

/** Both included. */
export type Days = { from: string; to: string }

const hour = dateFormat({ hour: 'numeric', hourCycle: 'h23', timeZone: 'Europe/London' })

/** Asked for a row at a time, in the order of time; a format for each would cost more than reading the row. */
let newest = { utcHour: Number.NaN, aheadMs: 0 }

/** UK time is ahead of UTC by this much. Clocks change on the hour. */
function aheadAt(timeMs: number): number {
  const utcHour = Math.floor(timeMs / HOUR_MS)
  if (newest.utcHour !== utcHour) {
    const hours = (((Number(hour(timeMs)) - utcHour) % 24) + 24) % 24
    newest = { utcHour, aheadMs: hours * HOUR_MS }
  }
  return newest.aheadMs
}

/** A moment by UK clocks, such as `2026-11-17T10:00:00.000`. */
export function londonTime(timeMs: number): string {
  return new Date(timeMs + aheadAt(timeMs)).toISOString().slice(0, -'Z'.length)
}

/** The day of a moment. */
export function londonDate(timeMs: number): string {
  return londonTime(timeMs).slice(0, 'YYYY-MM-DD'.length)
}

/**
 * The first millisecond of a day: clocks change at 01:00 UTC, so midnight is as far ahead as its UTC day's beginning.
 */
export function startOfDay(day: string): number {
  const utcMs = Date.parse(`${day}T00:00:00Z`)
  return utcMs - aheadAt(utcMs)
}

export function addDays(day: string, days: number): string {
  return calendarDateOf(Date.parse(day) + days * DAY_MS)
}
