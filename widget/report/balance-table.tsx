import { type Balance, type Balances, barLength } from './balances.ts'
import { useWords } from './page.ts'
import { AccountType, Amount, Bar } from './parts.tsx'

/** What is owed by type, as a table whose first column is also a bar chart. Mortgages come last and have no bar. */
export function BalanceTable({ balances: { types, mortgages } }: { balances: Balances }) {
  const words = useWords()
  if (types.length + mortgages.length === 0) return <p>{words.nothingOwed}</p>
  return (
    <>
      <table>
        <thead>
          <tr>
            {[words.type, words.accounts, words.balance].map((heading) => (
              <th scope="col">{heading}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {types.map((row) => (
            <Row row={row} barPercent={barLength(row, types)} />
          ))}
          {mortgages.map((row) => (
            <Row row={row} />
          ))}
        </tbody>
      </table>
      {types.length > 0 && mortgages.length > 0 && <p class="hint">{words.mortgagesApart}</p>}
    </>
  )
}

function Row({ row, barPercent }: { row: Balance; barPercent?: number }) {
  return (
    <tr>
      <th scope="row">
        <AccountType type={row.type} />
        {barPercent && <Bar percent={barPercent} />}
      </th>
      <td>{row.accounts}</td>
      <td>
        <Amount money={row.balance} />
      </td>
    </tr>
  )
}
