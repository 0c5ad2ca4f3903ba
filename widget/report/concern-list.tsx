import { StatusName } from './account-card.tsx'
import type { Concern } from './concerns.ts'
import { useWords } from './page.ts'
import { Company, Ending, Website } from './parts.tsx'
import { fill } from './phrases.ts'
import { Sliced } from './sliced.tsx'

const CONCERNS_PER_SLICE = 5
const CONCERN_HEIGHT_EM = 7

/** What to look at, each with its dates and what to do about it. Calm: no red, no alarm. */
export function ConcernList({ concerns }: { concerns: readonly Concern[] }) {
  return (
    <ul class="report-concerns">
      <Sliced items={concerns} step={CONCERNS_PER_SLICE} itemHeightEm={CONCERN_HEIGHT_EM}>
        {(concern) => <ConcernItem concern={concern} />}
      </Sliced>
    </ul>
  )
}

function ConcernItem({ concern: { kind, company, account, count, datesMs } }: { concern: Concern }) {
  const words = useWords()
  const values = (unnamed: string) => ({
    company: <Company name={company} unnamed={unnamed} />,
    status: account && <StatusName account={account} />,
    ending: <Ending digits={account?.ending ?? ''} />,
    help: <Website host="www.moneyhelper.org.uk" />,
  })
  const dates = [...new Set(datesMs)].sort((a, b) => a - b).map((timeMs) => words.day(timeMs))
  return (
    <li>
      <strong>{fill(words.count(words[kind], count), values(words.aCompany))}</strong>
      <div class="hint">
        {dates.length > 0
          ? fill(kind === 'repeated' ? words.searchedOn : words.startedOn, { date: dates.join(', ') })
          : words.undated}
      </div>
      <div>{fill(words[`${kind}Advice`], values(words.theCompany))}</div>
    </li>
  )
}
