// Nobody alive borrowed before this; an older date is a bureau's way of writing "unknown".
const EARLIEST = '1900'

/** A date or timestamp of the wire in UTC milliseconds; undefined when it is missing or no real date. */
export function readDate(value = ''): number | undefined {
  if (!/^\d{4}-\d\d-\d\d/.test(value) || value < EARLIEST) return undefined
  const timeMs = Date.parse(value)
  // Engines turn 31 February into 3 March; a day that does not survive the round trip was never real.
  const isReal = new Date(value.slice(0, 10)).getUTCDate() === Number(value.slice(8, 10))
  return isReal && !Number.isNaN(timeMs) ? timeMs : undefined
}

/** The day it is for the reader at a moment, in UTC milliseconds: what bureaus send has no time zone, but the reader's own clock has. */
export function localDay(timeMs: number): number {
  const now = new Date(timeMs)
  return Date.UTC(now.getFullYear(), now.getMonth(), now.getDate())
}
