// The position of everything with a date on one line from the first year to today.
import type { Account } from './accounts.ts'
import type { ShownResidency } from './read-report.ts'
import type { CompanySearches } from './searches.ts'

type Stay = { residency: ShownResidency; fromMs: number; untilMs: number }

export type TimeLine = {
  /** 0 at the start of the first year, 1 today. */
  at: (timeMs: number) => number
  /** The years to name, with room for each name. */
  years: number[]
  /** Newest first. */
  stays: Stay[]
  /** Those with a start, oldest first. */
  accounts: Account[]
  /** Newest first. */
  searchesMs: number[]
}

/** As many names of years as fit a phone. */
const YEARS_MAX = 5
/** A name further along would leave the line. */
const LAST_NAME_AT = 0.88

/** Undefined where nothing has a date. */
export function drawTimeLine(
  read: { accounts: readonly Account[]; searches: readonly CompanySearches[]; residencies: readonly ShownResidency[] },
  nowMs: number,
): TimeLine | undefined {
  const startOf = ({ startMs = nowMs }: Account) => startMs
  const accounts = read.accounts.filter(({ startMs }) => startMs !== undefined && startMs <= nowMs)
  const searchesMs = read.searches.flatMap(({ datesMs }) => datesMs).filter((timeMs) => timeMs <= nowMs)
  const stays = staysOf(read.residencies, nowMs)
  const known = [...accounts.map(startOf), ...searchesMs]
  // Fifty years at one address would press everything else together: the line begins with the first account or search.
  const dated = known.length > 0 ? known : stays.map(({ fromMs }) => fromMs)
  if (dated.length === 0) return undefined
  const firstYear = new Date(dated.reduce((a, b) => Math.min(a, b))).getUTCFullYear()
  const firstMs = Date.UTC(firstYear)
  const at = (timeMs: number) => Math.max(0, Math.min(1, (timeMs - firstMs) / (nowMs - firstMs)))
  const count = new Date(nowMs).getUTCFullYear() - firstYear + 1
  const step = Math.ceil(count / YEARS_MAX)
  const years: number[] = []
  for (let year = firstYear; at(Date.UTC(year)) <= LAST_NAME_AT; year += step) years.push(year)
  return {
    at,
    years,
    stays,
    accounts: accounts.sort((a, b) => startOf(a) - startOf(b)),
    searchesMs: searchesMs.sort((a, b) => b - a),
  }
}

/** No one stays for longer, and a date has its limits. */
const STAY_MONTHS_MAX = 1_200

/**
 * One before the other, back from today; the wire gives lengths and no dates. After a length that is not reported
 * nothing is known.
 */
function staysOf(residencies: readonly ShownResidency[], nowMs: number): Stay[] {
  const current = residencies.filter(({ isCurrent }) => isCurrent)
  const before = residencies.filter(({ isCurrent }) => !isCurrent)
  const stays: Stay[] = []
  let untilMs = nowMs
  for (const residency of [...current, ...before]) {
    const months = monthsOfStay(residency.years, residency.months)
    if (months === 0) break
    const from = new Date(untilMs)
    from.setUTCMonth(from.getUTCMonth() - Math.min(months, STAY_MONTHS_MAX))
    stays.push({ residency, fromMs: from.getTime(), untilMs })
    untilMs = from.getTime()
  }
  return stays
}

const MONTHS_PER_YEAR = 12

/**
 * The time that someone has lived somewhere, in whole months; 0 when it is not reported, which is also what no years
 * and no months mean. Some bureaus count the months of the whole stay, some those beyond the years.
 */
export function monthsOfStay(years = 0, months = 0): number {
  if (months >= MONTHS_PER_YEAR && Math.floor(months / MONTHS_PER_YEAR) === years) return months
  return years * MONTHS_PER_YEAR + months
}
