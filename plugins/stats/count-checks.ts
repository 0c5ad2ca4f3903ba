// Counts each check for its lender, once it is committed.
import type { ErrorCode } from '../../contract/error.ts'
import { TURNED_AWAY, type TurnedAway } from '../../contract/stats.ts'
import type { Happened, Whose } from '../../service/plugin.ts'
import type { StatCounters } from './stats.ts'

export function countCheck(stats: StatCounters, whose: Whose, what: Happened): void {
  switch (what.type) {
    case 'answered':
      countAnswer(stats, whose, what)
      break
    case 'refused':
      for (const reason of TURNED_AWAY) if (CODES[reason] === what.code) stats.count(whose, `turned-away-${reason}`)
      break
    case 'code-right':
      stats.count(whose, 'code-right', what.waitedMs)
      break
    case 'abandoned':
      stats.count(whose, 'asked')
      stats.count(whose, `end-${what.ending}`)
      break
    case 'ended':
      stats.count(whose, `end-${what.ending}`)
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

const CODES: { readonly [reason in TurnedAway]: ErrorCode } = {
  funds: 'insufficient-funds',
  'spend-cap': 'spend-cap-reached',
}

function countAnswer(stats: StatCounters, whose: Whose, answer: Happened & { type: 'answered' }): void {
  const { status, waitedMs, isReplay } = answer
  if (isReplay) return
  stats.count(whose, 'asked')
  stats.waited(whose, 'generate', waitedMs)
  if (status === 'authentication-required') stats.count(whose, 'code-sent')
  if (status === 'complete') stats.count(whose, 'without-code')
}
