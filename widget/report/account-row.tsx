// One account. What everyone wants to know is in sight; the rest is one press away.
import { readAccountStatus } from '../../contract/account-status.ts'
import { AccountDetails } from './account-details.tsx'
import { type Account, groupOf, isSettled, repaidOf } from './accounts.ts'
import { Marks } from './marks.tsx'
import { Heading, usePage, useWords } from './page.ts'
import { About, Amount, Company, Disclosure, Private, StatusName, Swatch, stretch, TypeAndEnding } from './parts.tsx'
import { fill } from './phrases.ts'

export function AccountRow({ account }: { account: Account }) {
  const { words, read } = usePage()
  const { record } = account
  return (
    <li class="report-account" part="account">
      <div class="report-row">
        <Heading below={read.groups.length > 1 ? 3 : 2}>
          <Company name={record.companyName} />
        </Heading>
        <strong>
          <span class="unseen">{words.balance} </span>
          <Amount money={record.balance} />
        </strong>
      </div>
      <div class="report-row hint">
        <span>
          <Swatch kind={read.kinds.get(account)} /> <TypeAndEnding account={account} />
        </span>
        {!isSettled(account) && (
          <span>
            {record.payment ? fill(words.regular, { amount: <Amount money={record.payment} /> }) : words.noPayment}
          </span>
        )}
      </div>
      <Standing account={account} />
      <Repaid account={account} />
      <Marks marks={read.marks.get(account) ?? []} />
      <Disclosure summary={<About company={record.companyName}>{words.details}</About>}>
        {() => <AccountDetails account={account} />}
      </Disclosure>
    </li>
  )
}

/** Said of every account but those whose group says it: a word and a shape, never a colour alone. */
function Standing({ account }: { account: Account }) {
  const words = useWords()
  const { record, lateAs, status } = account
  const group = groupOf(account)
  if (group !== 'late' && group !== 'unclear') return null
  const isKnown = status.isCode ? !status.isLate : status.standing !== 'unclear'
  return (
    <p class={`report-standing report-level-${levelOf(account)}`}>
      <strong>
        <StatusName status={lateAs || record.accountStatus} />
      </strong>{' '}
      {/* Agencies do not use one set of codes, so what a troubling or unknown one stands for is for the agency to say. */}
      {!isKnown && record.accountStatus && fill(words.asReported, { status: <bdi>{record.accountStatus}</bdi> })}
    </p>
  )
}

function levelOf({ lateAs }: Account): string {
  if (!lateAs) return 'unclear'
  return readAccountStatus(lateAs).standing === 'ended' ? 'late' : 'watch'
}

function Repaid({ account }: { account: Account }) {
  const words = useWords()
  const repaid = repaidOf(account)
  if (!repaid) return null
  const { share, start } = repaid
  // Nothing and all are said of nothing else.
  const percent = share === 1 ? 100 : Math.max(1, Math.min(99, Math.round(share * 100)))
  return (
    <div class="report-repaid hint">
      {share > 0 && <i aria-hidden="true" style={stretch(share)} />}
      <span>
        {fill(share > 0 ? words.repaid : words.nothingRepaid, {
          percent: <Private>{percent}%</Private>,
          start: <Amount money={start} />,
        })}
      </span>
    </div>
  )
}
