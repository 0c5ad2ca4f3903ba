// Nobody alive borrowed before this; an older date is a bureau's way of writing "unknown".
const EARLIEST = '1900'

/** A date or timestamp of the wire in UTC milliseconds; undefined when it is missing or no real date. */
export function readDate(value = ''): number | undefined {
  const day = value.slice(0, 10)
  const dayMs = Date.parse(day)
  const timeMs = Date.parse(value)
  // Engines turn 31 February into 3 March and read many other spellings; a day that does not survive the round trip was never real.
  const isReal = !Number.isNaN(dayMs + timeMs) && new Date(dayMs).toISOString().startsWith(day)
  return isReal && day >= EARLIEST ? timeMs : undefined
}
