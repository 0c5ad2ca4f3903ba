// The details behind one press: the rest of the record, what each agency says, and what to do if the account is not
// known.
import { type Account, isSettled } from './accounts.ts'
import { bureauOf, COMPARED, whomToAsk } from './bureaus.ts'
import { Unrecognised } from './later.tsx'
import { usePage, useWords } from './page.ts'
import { Amount, type Fact, Facts, Missing, Reported, StatusName } from './parts.tsx'
import { fill, nameOf } from './phrases.ts'
import { fullName, type ShownRecord } from './read-report.ts'

export function AccountDetails({ account }: { account: Account }) {
  const page = usePage()
  const { words, report } = page
  const { record, startMs } = account
  const { numberOfPayments, repaymentPeriod } = record
  const name = fullName(record)
  const facts: (Fact | false)[] = [
    [words.status, <StatusName status={record.accountStatus} />],
    // A date that is none is shown as it came.
    [words.opened, startMs === undefined ? <Reported value={record.startDate} /> : words.day(startMs)],
    isSettled(account) && [words.payment, <Amount money={record.payment} />],
    [words.startBalance, <Amount money={record.startBalance} />],
    // Nothing is repaid in no payments: a zero here is a bureau's way of leaving the field out.
    [words.numberOfPayments, numberOfPayments || <Missing />],
    // Months, weeks or payments: the wire does not say, so neither do we. The same number twice says nothing more.
    Number(repaymentPeriod) !== 0 &&
      repaymentPeriod !== String(numberOfPayments) && [words.repaymentPeriod, <bdi>{repaymentPeriod}</bdi>],
    [words.companyType, <Reported value={nameOf(record.companyType, {})} />],
    name !== '' && name !== fullName(report.person) && [words.nameOnRecord, <bdi>{name}</bdi>],
    ...record.bureaus.map(
      ({ id, ref }): Fact => [
        fill(words.referenceOf, { agency: <bdi>{bureauOf(id).name || words.agency}</bdi> }),
        <Reported value={ref} />,
      ],
    ),
  ]
  return (
    <>
      <Facts facts={facts} />
      {page.read.differing.includes(account) && <SideBySide account={account} />}
      <Unrecognised company={record.companyName}>
        {({ AccountLetter }, strings) => (
          <AccountLetter
            account={account}
            type={nameOf(record.accountType, words.accountTypes)}
            page={page}
            agencies={whomToAsk(page.read.sources)}
            strings={strings}
          />
        )}
      </Unrecognised>
    </>
  )
}

/** The agencies side by side. Where one differs in a field, each shows that field. */
export function SideBySide({ account }: { account: Account }) {
  const { words, read } = usePage()
  const { record } = account
  const marks = read.marks.get(account) ?? []
  const differing = COMPARED.filter((field) => marks.some(({ said }) => said?.[field]))
  return (
    <ul class="report-side">
      {marks.map(({ bureau, state, said }) => (
        <li>
          <strong>
            <bdi>{bureau.name || words.agency}</bdi>
          </strong>
          <div>{words.marks[state]}</div>
          {said && differing.map((field) => <Said field={field} from={said[field] ? said : record} />)}
        </li>
      ))}
    </ul>
  )
}

type Field = (typeof COMPARED)[number]

function Said({ field, from }: { field: Field; from: Pick<ShownRecord, Field> }) {
  const words = useWords()
  return (
    <div>
      {field === 'accountStatus' ? (
        <StatusName status={from.accountStatus} />
      ) : (
        <>
          <span class="hint">{words[field]}</span> <Amount money={from[field]} />
        </>
      )}
    </div>
  )
}
