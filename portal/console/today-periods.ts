// Days, weeks and months as people in the United Kingdom count them, and the last days up to one, as `2026-11-17`.

import { isCalendarDate } from '../../contract/calendar-date.ts'
import { dateFormat } from '../../kit/date-format.ts'
import { addDays, type Days, londonDate } from '../../kit/london.ts'

const CALENDAR = ['day', 'week', 'month'] as const
type Calendar = (typeof CALENDAR)[number]
/** The number of days, the chosen one included. */
const RANGES = { 'last-7': 7, 'last-28': 28, 'last-90': 90 } as const
type Range = keyof typeof RANGES

export type By = Calendar | Range
export const BYS: readonly By[] = [...CALENDAR, 'last-7', 'last-28', 'last-90']

export type Period = Days & {
  /** In words, for the head of a page. */
  name: string
  /** A day of the period before and of the one after; null when that lies in the future. */
  before: string
  after: string | null
  /** It has not ended. */
  isOpen: boolean
}

/** `at`: a day of it, or the last one; today where that is none, or has not come yet. */
export function periodOf(by: By, at: string | undefined, nowMs: number): Period {
  const today = londonDate(nowMs)
  const day = at !== undefined && isCalendarDate(at) && at <= today && at >= FIRST_DAY ? at : today
  const { from, to } = daysOf(by, day)
  const next = addDays(to, 1)
  const isOpen = to >= today
  const after = isOpen ? null : isRange(by) ? earlier(addDays(to, RANGES[by]), today) : next
  return { from, to, name: nameOf(by, from, to, isOpen), before: addDays(from, -1), after, isOpen }
}

/** Before any service: it keeps the dates that are calculated within four digits. */
const FIRST_DAY = '2000-01-01'
/** Columns of a chart that ends with the period. */
const COLUMNS: Record<Calendar, number> = { day: 30, week: 13, month: 12 }

/** The unit of a column in the chart. */
export function unitOf(by: By): Calendar {
  return isRange(by) ? 'day' : by
}

/** The columns of the chart, oldest first: the days of a range; else the period and those before it. */
export function columnsOf(by: By, { from, to }: Days): (Days & { name: string })[] {
  const unit = unitOf(by)
  const count = isRange(by) ? RANGES[by] : COLUMNS[unit]
  const columns: (Days & { name: string })[] = []
  for (let start = isRange(by) ? to : from; columns.length < count; start = startOf(unit, addDays(start, -1))) {
    columns.unshift({ from: start, to: lastOf(unit, start), name: shortNameOf(unit, start) })
  }
  return columns
}

function isRange(by: By): by is Range {
  return by in RANGES
}

function daysOf(by: By, day: string): Days {
  if (isRange(by)) return { from: addDays(day, 1 - RANGES[by]), to: day }
  const from = startOf(by, day)
  return { from, to: lastOf(by, from) }
}

function earlier(one: string, other: string): string {
  return one < other ? one : other
}

function startOf(by: Calendar, day: string): string {
  if (by === 'day') return day
  if (by === 'month') return `${day.slice(0, 'YYYY-MM'.length)}-01`
  // Weeks begin on Monday.
  return addDays(day, -((new Date(day).getUTCDay() + 6) % 7))
}

function lastOf(by: Calendar, from: string): string {
  if (by === 'day') return from
  if (by === 'week') return addDays(from, 6)
  return addDays(startOf('month', addDays(from, 31)), -1)
}

const format = (options: Intl.DateTimeFormatOptions) => {
  const show = dateFormat({ ...options, timeZone: 'UTC' })
  return (day: string) => show(Date.parse(day))
}
const wholeDate = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
const date = format({ day: 'numeric', month: 'long', year: 'numeric' })
const shortDate = format({ day: 'numeric', month: 'short' })
const month = format({ month: 'long', year: 'numeric' })
const shortMonth = format({ month: 'short', year: 'numeric' })

function nameOf(by: By, from: string, to: string, isOpen: boolean): string {
  if (by === 'day') return wholeDate(from)
  if (by === 'month') return month(from)
  const days = `${date(from)} to ${date(to)}`
  return isRange(by) && isOpen ? `Last ${RANGES[by]} days` : days
}

function shortNameOf(by: Calendar, from: string): string {
  return by === 'month' ? shortMonth(from) : shortDate(from)
}
