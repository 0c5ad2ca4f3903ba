import { type Account, isOpen, isSettled } from './accounts.ts'
import type { Balance, Balances } from './balances.ts'
import { useWords } from './page.ts'
import { Amount, Facts } from './parts.tsx'
import { fill } from './phrases.ts'

type AtAGlanceProps = { accounts: readonly Account[]; balances: Balances; recentSearches: number }

/** Four numbers, and nothing that looks like a mark out of ten. */
export function AtAGlance({ accounts, balances, recentSearches }: AtAGlanceProps) {
  const words = useWords()
  const { totals, mortgages, unreported } = balances
  const owed = (
    <>
      {totals.length > 0 ? <Sums sums={totals} /> : <Amount money={{ amount: 0, currency: 'GBP' }} />}
      {mortgages.length > 0 && <small>{fill(words.mortgageApart, { amount: <Sums sums={mortgages} /> })}</small>}
      {unreported > 0 && <small>{words.count(words.unreported, unreported)}</small>}
    </>
  )
  return (
    <Facts
      class="report-tiles"
      facts={[
        [words.shared('openAccounts'), accounts.filter(isOpen).length],
        [words.shared('settledAccounts'), accounts.filter(isSettled).length],
        [words.owed, owed],
        [words.recentSearches, recentSearches],
      ]}
    />
  )
}

/** Sums that cannot be added, such as two currencies, stand beside each other. */
function Sums({ sums }: { sums: Balance[] }) {
  return sums.map(({ balance }, index) => [index > 0 && ' + ', <Amount money={balance} />])
}
