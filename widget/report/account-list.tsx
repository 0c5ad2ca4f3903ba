import { useState } from 'preact/hooks'
import { AccountCard } from './account-card.tsx'
import { type Account, inReadingOrder, isOpen, isSettled } from './accounts.ts'
import { Heading, usePage, useWords } from './page.ts'
import { Disclosure, Gradually } from './parts.tsx'
import { nameOf } from './phrases.ts'

/** From this many accounts on, choosing a type is quicker than scrolling. */
const FILTER_FROM = 9

/** Open accounts, then those that are neither, then settled ones. */
export function AccountList({ accounts }: { accounts: readonly Account[] }) {
  const { words, printing } = usePage()
  const [type, setType] = useState('')
  if (accounts.length === 0) return <p>{words.noAccounts}</p>
  const chosen = inReadingOrder(accounts).filter((account) => !type || account.type === type)
  const groups = [
    { title: words.open, accounts: chosen.filter(isOpen) },
    { title: words.otherStatus, accounts: chosen.filter((account) => !isOpen(account) && !isSettled(account)) },
    { title: words.settled, accounts: chosen.filter(isSettled) },
  ].filter(({ accounts }) => accounts.length > 0)
  return (
    <>
      {accounts.length >= FILTER_FROM && !printing && <TypeFilter accounts={accounts} type={type} onChange={setType} />}
      <Gradually key={type} items={groups}>
        {(group) => <Group {...group} />}
      </Gradually>
    </>
  )
}

/** A reader takes in no more at once, and drawing hundreds holds a phone up. */
const IN_SIGHT = 10

function Group({ title, accounts }: { title: string; accounts: readonly Account[] }) {
  const { words, printing } = usePage()
  const inSight = printing ? accounts.length : IN_SIGHT
  const others = accounts.slice(inSight)
  return (
    <>
      <Heading below={2}>
        {title} <span class="hint">{accounts.length}</span>
      </Heading>
      <Cards accounts={accounts.slice(0, inSight)} />
      {others.length > 0 && (
        <Disclosure summary={words.count(words.moreAccounts, others.length)}>
          {() => <Cards accounts={others} />}
        </Disclosure>
      )}
    </>
  )
}

function Cards({ accounts }: { accounts: readonly Account[] }) {
  return (
    <ul class="report-cards">
      <Gradually items={accounts}>{(account) => <AccountCard account={account} />}</Gradually>
    </ul>
  )
}

type TypeFilterProps = { accounts: readonly Account[]; type: string; onChange: (type: string) => void }

function TypeFilter({ accounts, type, onChange }: TypeFilterProps) {
  const words = useWords()
  const types = new Map(accounts.map((account) => [account.type, account.record.accountType]))
  return (
    <label class="report-filter">
      {words.filter}
      <select class="input" value={type} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">{words.allTypes}</option>
        {[...types]
          .filter(([plain]) => plain)
          .map(([plain, code]) => (
            <option value={plain}>{nameOf(code, words.accountTypes)}</option>
          ))}
      </select>
    </label>
  )
}
