// What the lender's counters say of each check, once it is committed.
import type { Ending } from '../../contract/report-list.ts'
import type { Happened, Whose } from '../../service/plugin.ts'
import type { StatCounters, StatName } from './stats.ts'

/** Endings without a name here are counted by no figure yet. */
const ENDS: { readonly [ending in Ending]?: StatName } = {
  complete: 'end-complete',
  risk: 'end-blocked',
  timeout: 'end-expired',
  agencies: 'end-expired',
  attempts: 'end-failed-attempts',
  device: 'end-failed-device',
  provider: 'end-failed-providers',
  interrupted: 'end-failed-abandoned',
  funds: 'end-refused-credits',
  'spend-cap': 'end-refused-cap',
}

export function countCheck(stats: StatCounters, whose: Whose, what: Happened): void {
  switch (what.type) {
    case 'answered':
      countAnswer(stats, whose, what)
      break
    case 'refused':
      if (what.code === 'insufficient-funds') stats.count(whose, 'end-refused-credits')
      if (what.code === 'spend-cap-reached') stats.count(whose, 'end-refused-cap')
      break
    case 'code-right':
      stats.count(whose, 'code-right', what.waitedMs)
      break
    case 'abandoned':
      stats.count(whose, 'asked')
      countEnd(stats, whose, what.ending)
      break
    case 'ended':
      countEnd(stats, whose, what.ending)
      break
    case 'agencies':
      stats.waited(whose, 'agencies', what.waitedMs)
      break
    case 'text':
      stats.count(whose, `text-${what.fate}`)
      if (what.reason !== undefined) stats.count(whose, `text-refused-${what.reason}`)
      break
    case 'requested':
    case 'submitted':
    case 'agency-missing':
      break
  }
}

function countAnswer(stats: StatCounters, whose: Whose, answer: Happened & { type: 'answered' }): void {
  const { status, waitedMs, isReplay } = answer
  if (isReplay) return
  stats.count(whose, 'asked')
  stats.waited(whose, 'generate', waitedMs)
  if (status === 'authentication-required') stats.count(whose, 'code-sent')
  if (status === 'blocked') stats.count(whose, 'end-blocked')
  if (status !== 'complete') return
  stats.count(whose, 'end-complete')
  stats.count(whose, 'without-code')
}

function countEnd(stats: StatCounters, whose: Whose, ending: Ending): void {
  const name = ENDS[ending]
  if (name !== undefined) stats.count(whose, name)
}
