// Searches: the companies that looked at the report, and the dates.
import { readDate, ukDay } from './dates.ts'
import type { ShownSearches } from './read-report.ts'

export type CompanySearches = {
  company: string
  /** Newest first. */
  datesMs: number[]
  /** Searches whose date is missing or unreadable. */
  undated: number
}

/** One entry for each company, the latest search first. */
export function groupSearches(searches: readonly ShownSearches[]): CompanySearches[] {
  const groups = new Map<string, CompanySearches>()
  for (const { companyName, dates } of searches) {
    const group = groups.get(companyName) ?? { company: companyName, datesMs: [], undated: 0 }
    groups.set(companyName, group)
    for (const date of dates) {
      const timeMs = readDate(date)
      if (timeMs === undefined) group.undated += 1
      else group.datesMs.push(timeMs)
    }
  }
  const searched = [...groups.values()].filter(({ datesMs, undated }) => datesMs.length + undated > 0)
  for (const { datesMs } of searched) datesMs.sort((a, b) => b - a)
  return searched.sort((a, b) => (b.datesMs[0] ?? 0) - (a.datesMs[0] ?? 0))
}

/** The number of searches in the twelve months before a moment. */
export function countInLastYear(groups: readonly CompanySearches[], nowMs: number): number {
  const since = new Date(ukDay(nowMs))
  since.setUTCFullYear(since.getUTCFullYear() - 1)
  return groups.flatMap(({ datesMs }) => datesMs).filter((timeMs) => timeMs > since.getTime()).length
}
