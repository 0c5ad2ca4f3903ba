import { useMemo, useState } from 'preact/hooks'
import { AccountCard } from './account-card.tsx'
import { type Account, inReadingOrder, isOpen, isSettled, LONG } from './accounts.ts'
import { Heading, usePage, useWords } from './page.ts'
import { nameOf } from './phrases.ts'
import { Later, Sliced } from './sliced.tsx'

/** From this many accounts on, choosing a type is quicker than scrolling. */
const FILTER_FROM = 9

const CARDS_PER_BATCH = 3
/** Of a long report: nothing of a card has run before. */
const CARDS_IN_FIRST_BATCH = 1
const CARD_HEIGHT_EM = 16

/** Open accounts, then those that are neither, then settled ones. */
export function AccountList({ accounts }: { accounts: readonly Account[] }) {
  const { words, printing } = usePage()
  const [type, setType] = useState('')
  const chosen = useMemo(
    () => inReadingOrder(accounts).filter((account) => !type || account.type === type),
    [accounts, type],
  )
  if (accounts.length === 0) return <p>{words.noAccounts}</p>
  const isLong = accounts.length >= LONG
  const open = chosen.filter(isOpen)
  const settled = chosen.filter(isSettled)
  const others = chosen.filter((account) => !isOpen(account) && !isSettled(account))
  return (
    <>
      {accounts.length >= FILTER_FROM && !printing && <TypeFilter accounts={accounts} type={type} onChange={setType} />}
      {/* The first cards are the slowest: nothing of theirs has run before. In a long report they have a moment to themselves. */}
      <Later now={!isLong} room="div" heightEm={open.length * CARD_HEIGHT_EM}>
        {() => <Group key={`open ${type}`} title={words.open} accounts={open} isLong={isLong} />}
      </Later>
      <Later
        now={open.length <= CARDS_PER_BATCH}
        room="div"
        heightEm={(others.length + settled.length) * CARD_HEIGHT_EM}
      >
        {() => (
          <>
            <Group key={`other ${type}`} title={words.otherStatus} accounts={others} isLong={isLong} />
            <Group key={`settled ${type}`} title={words.settled} accounts={settled} isLong={isLong} />
          </>
        )}
      </Later>
    </>
  )
}

type GroupProps = { title: string; accounts: readonly Account[]; isLong: boolean }

function Group({ title, accounts, isLong }: GroupProps) {
  if (accounts.length === 0) return null
  return (
    <>
      <Heading below={2}>
        {title} <span class="hint">{accounts.length}</span>
      </Heading>
      {/* biome-ignore lint/a11y/useSemanticElements: between a `ul` and its items no batch may stand */}
      <div class="report-cards" role="list">
        <Sliced
          items={batchesOf(accounts, isLong ? CARDS_IN_FIRST_BATCH : CARDS_PER_BATCH)}
          step={1}
          itemHeightEm={CARDS_PER_BATCH * CARD_HEIGHT_EM}
          room="div"
        >
          {(batch) => (
            <div class="report-batch" role="none" ref={(element) => keepHeight(element, batch.length)}>
              {batch.map((account) => (
                <AccountCard account={account} />
              ))}
            </div>
          )}
        </Sliced>
      </div>
    </>
  )
}

/** Each batch has `content-visibility` as a whole: with one on each card, the browser checks hundreds of them in every frame. */
function batchesOf(accounts: readonly Account[], inFirst: number): (readonly Account[])[] {
  const batches = [accounts.slice(0, inFirst)]
  for (let from = inFirst; from < accounts.length; from += CARDS_PER_BATCH)
    batches.push(accounts.slice(from, from + CARDS_PER_BATCH))
  return batches
}

/** The height of a batch that is not drawn yet: what is below stays where it is. */
function keepHeight(element: HTMLElement | null, cards: number): void {
  if (element) element.style.containIntrinsicBlockSize = `auto ${cards * CARD_HEIGHT_EM}em`
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
