// Findings that need attention, worst first. They state what the data says, never a judgement of the person.
import { readAccountStatus } from '../../contract/account-status.ts'
import { plainWords } from '../../contract/plain-words.ts'
import { type Account, groupOf } from './accounts.ts'
import { ukDay } from './dates.ts'
import { remember } from './remember.ts'
import type { CompanySearches } from './searches.ts'

export type Concerns = {
  /**
   * Accounts in default, then those that are late; in each group the largest balance first. A settled one needs nothing
   * any more.
   */
  late: Account[]
  /** Of these, the ones in default, or ended in another way that left money owed. */
  defaults: Account[]
  /** Recent searches by companies that report no account here, so the consumer may not know them. */
  searched: CompanySearches[]
}

/** An older search needs no answer: lenders hardly look at it, and few people remember it. */
const RECENT_MS = 90 * 86_400_000

export function findConcerns(
  accounts: readonly Account[],
  searches: readonly CompanySearches[],
  nowMs: number,
): Concerns {
  const lenderOf = remember(plainLender)
  const known = new Set(accounts.map(({ record }) => lenderOf(record.companyName)))
  const since = ukDay(nowMs) - RECENT_MS
  const late = accounts.filter((account) => groupOf(account) === 'late').sort(worstFirst)
  return {
    late,
    defaults: late.filter(isInDefault),
    searched: searches
      .filter(({ company }) => !known.has(lenderOf(company)))
      .map((group) => ({ ...group, datesMs: group.datesMs.filter((timeMs) => timeMs >= since), undated: 0 }))
      .filter(({ datesMs }) => datesMs.length > 0),
  }
}

function worstFirst(a: Account, b: Account): number {
  const byDefault = Number(isInDefault(b)) - Number(isInDefault(a))
  return byDefault || (b.record.balance?.amount ?? 0) - (a.record.balance?.amount ?? 0)
}

/** By the worst that an agency says. */
function isInDefault({ lateAs }: Account): boolean {
  return readAccountStatus(lateAs).standing === 'ended'
}

/** `ACME Loans Ltd.` and `Acme Loans (UK) Limited` are the same lender. */
function plainLender(name: string): string {
  return plainWords(name)
    .replace(/[^\p{L}\p{N} ]/gu, '')
    .replace(/\b(ltd|limited|plc|uk)\b/g, '')
    .replace(/ /g, '')
}
