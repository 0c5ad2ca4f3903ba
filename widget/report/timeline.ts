// Where each start and search falls on one shared line from the first year to today, in per cent of its width.
//
//   2018        2020        2022        2024        2026
//    |     ======================================= now      open
//    o - -                                                  settled: agencies do not say when
//                        .         .           . .          searches
import type { Account } from './accounts.ts'

export type Lane = {
  account: Account
  /** Missing when it is not reported. */
  start?: Mark | undefined
}

export type Mark = { timeMs: number; percent: number }

export type Timeline = {
  ticks: { year: number; percent: number }[]
  /** Oldest first; without a start date last. */
  lanes: Lane[]
  /** Oldest first. */
  searches: Mark[]
}

const TICKS_MAX = 6
const TICK_STEPS_YEARS = [1, 2, 5, 10, 20, 50]

export function drawTimeline(accounts: readonly Account[], searchDatesMs: readonly number[], nowMs: number): Timeline {
  const startsMs = accounts.map(({ startMs }) => startMs)
  const firstYear = yearOf([...startsMs, ...searchDatesMs].reduce<number>((a, b) => Math.min(a, b ?? a), nowMs))
  const firstMs = Date.UTC(firstYear, 0, 1)
  const mark = (timeMs: number): Mark => ({
    timeMs,
    percent: Math.min(100, (100 * (timeMs - firstMs)) / (nowMs - firstMs || 1)),
  })
  const lanes = accounts.map((account): Lane => {
    const { startMs } = account
    return { account, start: startMs === undefined ? undefined : mark(startMs) }
  })
  return {
    ticks: ticksBetween(firstYear, yearOf(nowMs)).map((year) => ({
      year,
      percent: mark(Date.UTC(year, 0, 1)).percent,
    })),
    lanes: lanes.sort((a, b) => (a.start?.timeMs ?? nowMs) - (b.start?.timeMs ?? nowMs)),
    searches: [...searchDatesMs].sort((a, b) => a - b).map(mark),
  }
}

function ticksBetween(firstYear: number, lastYear: number): number[] {
  const span = lastYear - firstYear
  const step = TICK_STEPS_YEARS.find((years) => span / years < TICKS_MAX) ?? span
  const years: number[] = []
  for (let year = Math.ceil(firstYear / step) * step; year <= lastYear; year += step) years.push(year)
  return years
}

function yearOf(timeMs: number): number {
  return new Date(timeMs).getUTCFullYear()
}
