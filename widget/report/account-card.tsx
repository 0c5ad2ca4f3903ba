// One account. What everyone wants to know is in sight; the rest is one tap away, with what a query to the agency needs.

import type { LooseRecord } from '../build/reading.ts'
import { type Account, repaidOf } from './accounts.ts'
import { bureauOf } from './bureaus.ts'
import { Heading, useWords } from './page.ts'
import { AccountType, Amount, Bar, Company, Disclosure, Ending, type Fact, Facts, Missing, Reported } from './parts.tsx'
import { fill, nameOf } from './phrases.ts'
import { Reference } from './reference.tsx'

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
      <Facts
        class="report-facts"
        facts={[
          [words.balance, <Amount money={record.balance} />],
          [words.started, startMs === undefined ? <Missing /> : words.day(startMs)],
        ]}
      />
      {progress && (
        <p class="hint">
          <Bar percent={progress.percent} />
          {fill(words.repaid, { repaid: <Amount money={progress.repaid} />, start: <Amount money={progress.start} /> })}
        </p>
      )}
      <Disclosure summary={words.more}>{() => <MoreFacts record={record} />}</Disclosure>
    </li>
  )
}

const SHAPES = { late: 'M6 1 11.5 11H.5z', settled: 'M1 6.5l3.5 3L11 2.5 4.5 11.5z', open: 'M6 2a4 4 0 1 0 .01 0z' }

/** The status as the bureau says it: a word and a shape, never a colour alone. */
function Status({ account: { record, isLate, isSettled } }: { account: Account }) {
  const shape = isLate ? SHAPES.late : isSettled ? SHAPES.settled : SHAPES.open
  return (
    <span class="report-tag">
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d={shape} />
      </svg>
      <Reported text={nameOf(record.accountStatus ?? '', useWords().accountStatuses)} />
    </span>
  )
}

function MoreFacts({ record }: { record: LooseRecord }) {
  const words = useWords()
  const { numberOfPayments, repaymentPeriod } = record
  return (
    <>
      <Facts
        class="report-pairs report-lines"
        facts={[
          [words.startBalance, <Amount money={record.startBalance} />],
          [words.payment, <Amount money={record.payment} />],
          // Nothing is repaid in no payments: a zero here is a bureau's way of leaving the field out.
          [words.numberOfPayments, numberOfPayments || <Missing />],
          [words.repaymentPeriod, repaymentPeriod ? words.shared('months', { n: repaymentPeriod }) : <Missing />],
          [words.companyType, <Reported text={nameOf(record.companyType ?? '', {})} />],
          [words.shared('name'), <Reported text={fullName(record)} />],
        ]}
      />
      <div class="report-note">
        <strong>{words.looksWrong}</strong>
        <p>
          {fill(words.looksWrongAdvice, { company: <Company name={record.companyName} unnamed={words.theCompany} /> })}
        </p>
        <Facts
          class="report-pairs"
          facts={(record.bureaus ?? []).map(({ id, ref }): Fact => [bureauOf(id).name, <Reference reference={ref} />])}
        />
      </div>
    </>
  )
}

export function fullName({
  title,
  firstName,
  lastName,
}: Pick<LooseRecord, 'title' | 'firstName' | 'lastName'>): string {
  return [title, firstName, lastName].filter(Boolean).join(' ')
}
