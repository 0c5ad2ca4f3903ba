// Days as a reader in the UK counts them, in UTC milliseconds of their first moment, whatever time zone the browser is
// in.

// No one alive borrowed before this; an older date is a bureau's way of writing "unknown".
const EARLIEST = '1900'
const DAY = /^\d{4}-\d\d-\d\d/
const WITH_ZONE = /T.*(Z|[+-]\d\d:?\d\d)$/i
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The day of a date or timestamp of the wire; undefined when it is missing or no real date. */
export function readDate(value: string): number | undefined {
  const [day] = DAY.exec(value) ?? []
  if (!day || value < EARLIEST) return undefined
  const dayMs = new Date(day).getTime()
  // Engines turn 31 February into 3 March; a day that does not survive the round trip was never real.
  if (new Date(dayMs).getUTCDate() !== Number(day.slice(8))) return undefined
  // Without a zone it is a day in the UK already.
  const timeMs = WITH_ZONE.test(value) ? new Date(value).getTime() : dayMs
  return Number.isNaN(timeMs) ? undefined : ukDay(timeMs)
}

/** The day it is in the UK at a moment. */
export function ukDay(timeMs: number): number {
  const year = new Date(timeMs).getUTCFullYear()
  // By rule, because the first use of Intl.DateTimeFormat holds a page up.
  const isSummer = timeMs >= lastSunday(year, 2) && timeMs < lastSunday(year, 9)
  const ukMs = timeMs + (isSummer ? HOUR_MS : 0)
  return Math.floor(ukMs / DAY_MS) * DAY_MS
}

/** When British clocks change: one in the morning, UTC, on the last Sunday of a month with 31 days. */
function lastSunday(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month, 31, 1))
  return last.getTime() - last.getUTCDay() * DAY_MS
}
