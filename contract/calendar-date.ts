const shape = /^(\d{4})-(\d{2})-(\d{2})$/

/** True for a day that exists in the Gregorian calendar, written YYYY-MM-DD. */
export function isCalendarDate(value: string): boolean {
  const [, year, month, day] = shape.exec(value)?.map(Number) ?? []
  return year !== undefined && month !== undefined && day !== undefined && day >= 1 && day <= daysInMonth(year, month)
}

/** Number of days in the month (1 is January); 0 for a month that does not exist. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28
  return [31, 0, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

/** The UTC day of a moment, YYYY-MM-DD. */
export function calendarDateOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}
