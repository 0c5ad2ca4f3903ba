import { SideBySide } from './account-details.tsx'
import { AccountRow } from './account-row.tsx'
import type { Account, Group } from './accounts.ts'
import { Gradually } from './gradually.tsx'
import { MarksLegend } from './marks.tsx'
import { Heading, usePage, useWords } from './page.ts'
import { Company, Disclosure, TypeAndEnding, Website } from './parts.tsx'
import { fill } from './phrases.ts'

/** In groups by what there is to do. */
export function AccountList() {
  const { words, printing, read } = usePage()
  const { groups } = read
  const [only] = groups.length === 1 ? groups : []
  return (
    <section part="section">
      <div class="report-title">
        <Heading below={1} id={`report-${only?.group}`}>
          {words.accounts}{' '}
          {only && (
            <span class="hint">
              <GroupName {...only} />
            </span>
          )}
        </Heading>
        <MarksLegend />
      </div>
      {groups.length === 0 && <p>{words.noAccounts}</p>}
      <Gradually items={groups}>
        {(group) => (
          <>
            {!only && (
              <Heading below={2} id={`report-${group.group}`}>
                <GroupName {...group} />
              </Heading>
            )}
            <AccountGroup {...group} />
          </>
        )}
      </Gradually>
      {!printing && read.differing.length > 0 && <Differences accounts={read.differing} />}
    </section>
  )
}

type GroupProps = { group: Group; accounts: readonly Account[] }

function GroupName({ group, accounts }: GroupProps) {
  return (
    <>
      {useWords()[group]} <span class="hint">{accounts.length}</span>
    </>
  )
}

/**
 * A reader takes in no more at once, and drawing hundreds holds a phone up. With settled ones there is nothing to do.
 */
const IN_SIGHT: { [group in Group]: number } = { late: 8, open: 8, unclear: 8, settled: 3 }

function AccountGroup({ group, accounts }: GroupProps) {
  const { words, printing } = usePage()
  const inSight = printing ? accounts.length : IN_SIGHT[group]
  const others = accounts.slice(inSight)
  return (
    <>
      {group === 'late' && (
        <p class="report-small">
          {fill(words.count(words.lateAdvice, accounts.length), { help: <Website host="www.moneyhelper.org.uk" /> })}
        </p>
      )}
      <Rows accounts={accounts.slice(0, inSight)} />
      {others.length > 0 && (
        <Disclosure summary={words.count(words.moreAccounts, others.length)}>
          {() => <Rows accounts={others} />}
        </Disclosure>
      )}
    </>
  )
}

function Rows({ accounts }: { accounts: readonly Account[] }) {
  return (
    <ul class="report-accounts">
      <Gradually items={accounts}>{(account) => <AccountRow account={account} />}</Gradually>
    </ul>
  )
}

/** The accounts on which the agencies do not agree. */
function Differences({ accounts }: { accounts: readonly Account[] }) {
  const { words } = usePage()
  const summary = (
    <>
      {words.sideBySide} <span class="hint">{words.count(words.differing, accounts.length)}</span>
    </>
  )
  return (
    <Disclosure summary={summary}>
      {() => (
        <ul class="report-accounts">
          <Gradually items={accounts}>
            {(account) => (
              <li class="report-account">
                <Company name={account.record.companyName} />
                <div class="hint">
                  <TypeAndEnding account={account} />
                </div>
                <SideBySide account={account} />
              </li>
            )}
          </Gradually>
        </ul>
      )}
    </Disclosure>
  )
}
