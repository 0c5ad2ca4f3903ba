// Who looked at the report, and when.
import { readDate, ukDay } from './dates.ts'
import type { ShownSearches } from './read-report.ts'

export type CompanySearches = {
  company: string
  /** Newest first. */
  datesMs: number[]
  /** Searches whose date is missing or unreadable. */
  undated: number
}

/** One entry for each company, whoever searched last first. */
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
  const searched = [...groups.values()].filter((group) => countOf(group) > 0)
  for (const { datesMs } of searched) datesMs.sort((a, b) => b - a)
  return searched.sort((a, b) => (b.datesMs[0] ?? 0) - (a.datesMs[0] ?? 0))
}

export function countOf({ datesMs, undated }: CompanySearches): number {
  return datesMs.length + undated
}

/** How many searches the twelve months up to a moment saw. */
export function countInLastYear(groups: readonly CompanySearches[], nowMs: number): number {
  const since = new Date(ukDay(nowMs))
  since.setUTCFullYear(since.getUTCFullYear() - 1)
  return groups.flatMap(({ datesMs }) => datesMs).filter((timeMs) => timeMs > since.getTime()).length
}

/** Of these dates (newest first), the most that any window of this length holds, both ends included. */
export function mostWithin(datesMs: readonly number[], windowMs: number): number[] {
  let most: number[] = []
  let newest = 0
  datesMs.forEach((timeMs, oldest) => {
    while ((datesMs[newest] ?? timeMs) - timeMs > windowMs) newest += 1
    if (oldest - newest >= most.length) most = datesMs.slice(newest, oldest + 1)
  })
  return most
}
