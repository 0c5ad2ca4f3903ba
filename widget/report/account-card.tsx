// One account. What everyone wants to know is in sight; the rest is one tap away, with the words of a query to the agencies.
import type { ComponentChildren } from 'preact'
import { readAccountStatus } from '../../contract/account-status.ts'
import { type Account, isSettled, repaidOf } from './accounts.ts'
import { bureauOf } from './bureaus.ts'
import { AccountLetter } from './letter.tsx'
import { Heading, useWords } from './page.ts'
import { AccountType, Amount, Company, Disclosure, Ending, type Fact, Facts, Missing, Reported } from './parts.tsx'
import { fill, nameOf } from './phrases.ts'
import { fullName, type ShownBureau, type ShownRecord } from './read-report.ts'

export function AccountCard({ account }: { account: Account }) {
  const words = useWords()
  const { record, ending, startMs } = account
  const progress = repaidOf(account)
  return (
    <li class="report-card" part="account">
      <div class="report-head">
        <Heading below={3}>
          <Company name={record.companyName} />
        </Heading>
        <Status account={account} />
      </div>
      <div class="hint">
        <AccountType type={record.accountType} />
        {ending && [', ', fill(words.ending, { digits: <Ending digits={ending} /> })]}
      </div>
      <AsReported account={account} />
      <Facts
        class="report-facts"
        facts={[
          [words.balance, <Amount money={record.balance} />],
          ...(isSettled(account) ? [] : [[words.payment, <Amount money={record.payment} />] satisfies Fact]),
          [words.opened, startMs === undefined ? <Missing /> : words.day(startMs)],
        ]}
      />
      {record.bureaus.map((bureau) => (
        <Difference bureau={bureau} />
      ))}
      {progress && (
        <p class="hint">
          {fill(words.repaid, { repaid: <Amount money={progress.repaid} />, start: <Amount money={progress.start} /> })}
        </p>
      )}
      <div class="report-more">
        <Disclosure summary={<More company={record.companyName} />}>{() => <MoreFacts record={record} />}</Disclosure>
        <AccountLetter account={account} />
      </div>
    </li>
  )
}

/** What one agency says otherwise. Nothing where it agrees with the card. */
function Difference({ bureau }: { bureau: ShownBureau }) {
  const words = useWords()
  const amounts = [
    [words.balance, bureau.balance],
    [words.payment, bureau.payment],
    [words.startBalance, bureau.startBalance],
  ] as const
  const said: ComponentChildren[] = [
    ...(bureau.accountStatus ? [<StatusName status={bureau.accountStatus} />] : []),
    ...amounts.flatMap(([label, money]) => (money ? [[label, ' ', <Amount money={money} />]] : [])),
  ]
  if (said.length === 0) return null
  const agency = bureauOf(bureau.id).name || words.agency
  return (
    <p class="hint">
      {fill(words.differs, { agency: <bdi>{agency}</bdi> })} {said.map((each, index) => [index > 0 && ', ', each])}
    </p>
  )
}

function More({ company }: { company: string }) {
  return (
    <>
      {useWords().more}
      <span class="unseen">
        {' '}
        <Company name={company} />
      </span>
    </>
  )
}

const SHAPES = {
  late: 'M6 1 11.5 11H.5z',
  settled: 'M1 6.5l3.5 3L11 2.5 4.5 11.5z',
  open: 'M6 2a4 4 0 1 0 .01 0z',
  ended: 'M2 2h8v8H2z',
  unclear: 'M6 1a5 5 0 1 0 .01 0zm0 2a3 3 0 1 1-.01 0z',
}

/** A word and a shape, never a colour alone. */
function Status({ account: { record, status } }: { account: Account }) {
  const shape = SHAPES[status.isLate ? 'late' : status.standing]
  return (
    <span class="report-tag">
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d={shape} />
      </svg>
      <StatusName status={record.accountStatus} />
    </span>
  )
}

/** In the bureau's own words; a code, in what it stands for. */
export function StatusName({ status }: { status: string }) {
  const { isCode, words } = readAccountStatus(status)
  return <Reported value={nameOf(isCode ? words : status, useWords().accountStatuses)} />
}

/** Agencies do not use one set of codes, so what a troubling or unknown one stands for is for the agency to say. */
function AsReported({ account: { record, status } }: { account: Account }) {
  const words = useWords()
  const isKnown = status.isCode ? !status.isLate : status.standing !== 'unclear'
  if (isKnown || !record.accountStatus) return null
  return <p class="hint">{fill(words.asReported, { status: <bdi>{record.accountStatus}</bdi> })}</p>
}

function MoreFacts({ record }: { record: ShownRecord }) {
  const words = useWords()
  const { numberOfPayments, repaymentPeriod } = record
  const facts: Fact[] = [
    [words.startBalance, <Amount money={record.startBalance} />],
    // Nothing is repaid in no payments: a zero here is a bureau's way of leaving the field out.
    [words.numberOfPayments, numberOfPayments || <Missing />],
    // Months, weeks or payments: the wire does not say, so neither do we.
    [words.repaymentPeriod, Number(repaymentPeriod) === 0 ? <Missing /> : <bdi>{repaymentPeriod}</bdi>],
    [words.companyType, <Reported value={nameOf(record.companyType, {})} />],
    [words.shared('name'), <Reported value={fullName(record)} />],
    ...record.bureaus.map(
      ({ id, ref }): Fact => [
        fill(words.referenceOf, { agency: bureauOf(id).name || words.agency }),
        <Reported value={ref} />,
      ],
    ),
  ]
  return <Facts class="report-pairs report-lines" facts={facts} />
}
