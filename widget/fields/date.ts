// Days and months as people type them: `27 3 1985`, `27th`, `03.`, `Mar`, `mawrth`.
import { daysInMonth } from '../../contract/calendar-date.ts'
import { LOCALES, type Locale } from '../strings/locales.ts'

/** `3`, `03`, `Mar`, `mawrth` → 3; NaN when it is no month; 0 when nothing was typed. */
export function readMonth(typed: string): number {
  const word = typed.trim().toLowerCase()
  for (const { months = '' } of Object.values<Locale>(LOCALES)) {
    const named = months.split(' ').findIndex((beginning) => beginning && word.startsWith(beginning))
    if (named >= 0) return named + 1
  }
  return readNumber(word)
}

/** `27`, `27.`, `27th` → 27; NaN when it is no number; 0 when nothing was typed. */
export function readNumber(typed: string): number {
  const digits = typed.replace(/[\s.,/-]/g, '').replace(/(\d)(?:st|nd|rd|th)$/i, '$1')
  return /^\d*$/.test(digits) ? Number(digits) : Number.NaN
}

export function isRealDay(year: number, month: number, day: number): boolean {
  return day >= 1 && day <= daysInMonth(year, month)
}

/** Months counted from year 0, so that two can be compared and subtracted. */
export function monthCount(year: number, month: number): number {
  return year * 12 + month - 1
}

/** `YYYY-MM-DD` as numbers. */
export function splitDate(date: string): { year: number; month: number; day: number } {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  return { year, month, day }
}

/** The consumer's own calendar day, YYYY-MM-DD. */
export function today(): string {
  const now = new Date()
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}

/** `YYYY-MM-DD` from numbers. */
export function writeDate({ year, month, day }: { year: number; month: number; day: number }): string {
  const pad = (value: number, length: number) => String(value).padStart(length, '0')
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`
}

/** A part of a known date as an input shows it; empty when the date has none. */
export function writeNumber(part: number): string {
  return part ? String(part) : ''
}
