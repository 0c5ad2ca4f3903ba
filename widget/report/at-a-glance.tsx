import type { Money } from '../../contract/money.ts'
import { type Account, isOpen } from './accounts.ts'
import type { Balance, Balances } from './balances.ts'
import type { Concern } from './concerns.ts'
import { useWords } from './page.ts'
import { Amount, Facts } from './parts.tsx'
import { fill } from './phrases.ts'

type AtAGlanceProps = {
  accounts: readonly Account[]
  balances: Balances
  concerns: readonly Concern[]
  recentSearches: number
}

/** The four answers people come for, and nothing that looks like a mark out of ten. */
export function AtAGlance({ accounts, balances, concerns, recentSearches }: AtAGlanceProps) {
  const words = useWords()
  const { totals, mortgages, unreported, payments, unpriced } = balances
  const owed = (
    <>
      <Sums sums={totals.map(balanceOf)} />
      {mortgages.length > 0 && (
        <small>{fill(words.mortgageApart, { amount: <Sums sums={mortgages.map(balanceOf)} /> })}</small>
      )}
      {unreported > 0 && <small>{words.count(words.unreported, unreported)}</small>}
    </>
  )
  const monthly = (
    <>
      <Sums sums={payments} />
      <small>{words.count(words.onOpenAccounts, accounts.filter(isOpen).length)}</small>
      {unpriced > 0 && <small>{words.count(words.unpriced, unpriced)}</small>}
    </>
  )
  const attention = (
    <>
      {concerns.length}
      {concerns.length === 0 && <small>{words.noConcerns}</small>}
    </>
  )
  return (
    <Facts
      class="report-tiles"
      facts={[
        [words.owed, owed],
        [words.monthly, monthly],
        [words.attention, attention],
        [words.recentSearches, recentSearches],
      ]}
    />
  )
}

const balanceOf = ({ balance }: Balance) => balance

/** Sums that cannot be added, such as two currencies, stand beside each other. */
function Sums({ sums }: { sums: Money[] }) {
  if (sums.length === 0) return <Amount money={{ amount: 0, currency: 'GBP' }} />
  return sums.map((money, index) => [index > 0 && ' + ', <Amount money={money} />])
}
