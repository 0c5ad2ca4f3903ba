// Days, weeks and months of UTC days, as `2026-11-17`.
import { calendarDateOf, isCalendarDate } from '../../contract/calendar-date.ts'
import { DAY_MS } from '../../kit/clock.ts'

export const BYS = ['day', 'week', 'month'] as const
export type By = (typeof BYS)[number]

export type Period = {
  from: string
  to: string
  /** In words, for the head of a page. */
  name: string
  /** A day of the period before and of the one after; null when that lies in the future. */
  before: string
  after: string | null
}

/** `at`: a day of it; today where that is none, or has not come yet. */
export function periodOf(by: By, at: string | undefined, nowMs: number): Period {
  const today = calendarDateOf(nowMs)
  const day = at !== undefined && isCalendarDate(at) && at <= today && at >= FIRST_DAY ? at : today
  const from = startOf(by, day)
  const to = lastOf(by, from)
  const after = addDays(to, 1)
  return { from, to, name: nameOf(by, from, to), before: addDays(from, -1), after: after > today ? null : after }
}

/** Before any service: it keeps the dates that are calculated within four digits. */
const FIRST_DAY = '2000-01-01'

/** The period and those before it, oldest first. */
export function periodsUpTo(by: By, { from }: Period, count: number): { from: string; to: string; name: string }[] {
  const periods: { from: string; to: string; name: string }[] = []
  for (let start = from; periods.length < count; start = startOf(by, addDays(start, -1))) {
    periods.unshift({ from: start, to: lastOf(by, start), name: shortNameOf(by, start) })
  }
  return periods
}

function addDays(day: string, days: number): string {
  return calendarDateOf(Date.parse(day) + days * DAY_MS)
}

function startOf(by: By, day: string): string {
  if (by === 'day') return day
  if (by === 'month') return `${day.slice(0, 'YYYY-MM'.length)}-01`
  // Weeks begin on Monday.
  return addDays(day, -((new Date(day).getUTCDay() + 6) % 7))
}

function lastOf(by: By, from: string): string {
  if (by === 'day') return from
  if (by === 'week') return addDays(from, 6)
  return addDays(startOf('month', addDays(from, 31)), -1)
}

const format = (options: Intl.DateTimeFormatOptions) => {
  const formatter = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' })
  return (day: string) => formatter.format(Date.parse(day))
}
const wholeDate = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
const date = format({ day: 'numeric', month: 'long', year: 'numeric' })
const shortDate = format({ day: 'numeric', month: 'short' })
const month = format({ month: 'long', year: 'numeric' })
const shortMonth = format({ month: 'short', year: 'numeric' })

function nameOf(by: By, from: string, to: string): string {
  if (by === 'day') return wholeDate(from)
  return by === 'week' ? `${date(from)} to ${date(to)}` : month(from)
}

function shortNameOf(by: By, from: string): string {
  return by === 'month' ? shortMonth(from) : shortDate(from)
}
