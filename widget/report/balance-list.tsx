import { type Balance, type Balances, barLength } from './balances.ts'
import { useWords } from './page.ts'
import { AccountType, Amount, Bar } from './parts.tsx'

/** What is owed by type, each with a bar over the whole width. Mortgages come last and have no bar. */
export function BalanceList({ balances: { types, mortgages } }: { balances: Balances }) {
  const words = useWords()
  if (types.length + mortgages.length === 0) return <p>{words.nothingOwed}</p>
  return (
    <>
      <ul class="report-owed">
        {types.map((row) => (
          <Row row={row} barPercent={barLength(row, types)} />
        ))}
        {mortgages.map((row) => (
          <Row row={row} />
        ))}
      </ul>
      {types.length > 0 && mortgages.length > 0 && <p class="hint">{words.mortgagesApart}</p>}
    </>
  )
}

function Row({ row, barPercent }: { row: Balance; barPercent?: number }) {
  const words = useWords()
  return (
    <li>
      <div class="report-row">
        <span>
          <AccountType type={row.type} /> <span class="hint">{words.count(words.onAccounts, row.accounts)}</span>
        </span>
        <Amount money={row.balance} />
      </div>
      {barPercent && <Bar percent={barPercent} />}
    </li>
  )
}
