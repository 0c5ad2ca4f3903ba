import type { Money } from '../../contract/money.ts'
import { type Account, isOpen } from './accounts.ts'
import type { Balances } from './balances.ts'
import { useWords } from './page.ts'
import { Amount, Facts } from './parts.tsx'
import { fill } from './phrases.ts'

type AtAGlanceProps = {
  accounts: readonly Account[]
  balances: Balances
  concerns: number
  recentSearches: number
}

/** The four answers people come for, and nothing that looks like a mark out of ten. */
export function AtAGlance({ accounts, balances, concerns, recentSearches }: AtAGlanceProps) {
  const words = useWords()
  const { owed, mortgages, unreported, payments, unpriced, leftOut } = balances
  const open = accounts.filter(isOpen).length
  return (
    <Facts
      class="report-tiles"
      facts={[
        [
          words.owed,
          <>
            <Sums sums={owed} />
            {mortgages.length > 0 && <small>{fill(words.mortgageApart, { amount: <Sums sums={mortgages} /> })}</small>}
            {unreported > 0 && <small>{words.count(words.unreported, unreported)}</small>}
          </>,
        ],
        [
          words.payments,
          <>
            <Sums sums={payments} />
            <small>{words.count(words.onOpenAccounts, open)}</small>
            {unpriced > 0 && <small>{words.count(words.unpriced, unpriced)}</small>}
            {leftOut > 0 && <small>{words.count(words.leftOut, leftOut)}</small>}
            {payments.length > 0 && <small>{words.paidHowOften}</small>}
          </>,
        ],
        [
          words.attention,
          <>
            {concerns}
            {concerns === 0 && <small>{words.noConcerns}</small>}
          </>,
        ],
        [words.recentSearches, recentSearches],
      ]}
    />
  )
}

/** Sums that cannot be added, such as two currencies, stand beside each other. */
function Sums({ sums }: { sums: readonly Money[] }) {
  if (sums.length === 0) return <Amount money={{ amount: 0, currency: 'GBP' }} />
  return sums.map((money, index) => [index > 0 && ' + ', <Amount money={money} />])
}
