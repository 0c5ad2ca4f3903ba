import type { Account } from './accounts.ts'
import type { Fact } from './parts.tsx'
import type { ReportStrings } from './strings.ts'

type Meanings = ReportStrings['meanings']

/** When a word occurs, in the types and statuses of the accounts; null is in every report that has an account. */
const OCCURS: { [word in keyof Meanings]: RegExp | null } = {
  agency: null,
  balance: null,
  openingBalance: null,
  reference: null,
  settled: /settled|satisfied/,
  arrears: /arrears|late/,
  arrangement: /arrangement/,
  debtManagement: /debt management/,
  default: /default/,
  query: /query/,
  unclassified: /unclassified/,
  hirePurchase: /hire purchase|\bhp\b/,
  pcp: /\bpcp\b|contract purchase/,
}

/** The words that need explaining, of those this report uses. */
export function meaningsOf(accounts: readonly Account[], meanings: Meanings): Fact[] {
  const said = new Set(accounts.flatMap(({ type, status }) => [type, status.words]))
  const occurs = (pattern: RegExp | null) => !pattern || [...said].some((words) => pattern.test(words))
  return (Object.keys(OCCURS) as (keyof Meanings)[])
    .filter((word) => occurs(OCCURS[word]))
    .map((word) => meanings[word])
}
