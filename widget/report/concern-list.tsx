import type { ComponentChildren } from 'preact'
import { StatusName } from './account-card.tsx'
import type { Account } from './accounts.ts'
import type { Concerns } from './concerns.ts'
import { Heading, useWords } from './page.ts'
import { AccountType, Company, Ending, Website } from './parts.tsx'
import { fill } from './phrases.ts'

/** A group for each kind, worst first, with one piece of advice. Calm: no red, no alarm. */
export function ConcernList({ concerns: { late, searched } }: { concerns: Concerns }) {
  const words = useWords()
  const help = <Website host="www.moneyhelper.org.uk" />
  return (
    <>
      {late.length > 0 && (
        <Group
          title={words.count(words.lateAccounts, late.length)}
          advice={fill(words.count(words.lateAdvice, late.length), { help })}
        >
          {late.map((account) => (
            <LateItem account={account} />
          ))}
        </Group>
      )}
      {searched.length > 0 && (
        <Group title={words.count(words.searchedLately, searched.length)} advice={words.searchedAdvice}>
          {searched.map(({ company, datesMs }) => (
            <li>
              <Company name={company} />
              <div class="hint">{datesMs.map(words.day).join(', ')}</div>
            </li>
          ))}
        </Group>
      )}
    </>
  )
}

type GroupProps = { title: string; advice: ComponentChildren; children: ComponentChildren }

function Group({ title, advice, children }: GroupProps) {
  return (
    <div class="report-concern">
      <Heading below={2}>{title}</Heading>
      <ul>{children}</ul>
      <p>{advice}</p>
    </div>
  )
}

function LateItem({ account }: { account: Account }) {
  const words = useWords()
  const { record, ending, startMs } = account
  return (
    <li>
      {fill(words.late, {
        company: <Company name={record.companyName} unnamed={words.aCompany} />,
        status: <StatusName status={account.lateAs} />,
      })}
      <div class="hint">
        <AccountType type={record.accountType} />
        {ending && [', ', fill(words.ending, { digits: <Ending digits={ending} /> })]}
        {startMs !== undefined && ['. ', fill(words.openedOn, { date: words.day(startMs) })]}
      </div>
    </li>
  )
}
