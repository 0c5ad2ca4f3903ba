import { whomToAsk } from './bureaus.ts'
import { Unrecognised } from './later.tsx'
import { usePage } from './page.ts'
import { Company, Disclosure } from './parts.tsx'
import type { CompanySearches } from './searches.ts'

/** The newest are in sight; the others are one press away. */
const IN_SIGHT = 5

/** The companies that looked, newest first. */
export function SearchList() {
  const { words, printing, read } = usePage()
  const { searches, concerns } = read
  if (searches.length === 0) return <p>{words.noSearches}</p>
  // One more than fits is no reason to fold.
  const inSight = printing || searches.length <= IN_SIGHT + 1 ? searches.length : IN_SIGHT
  const others = searches.slice(inSight)
  return (
    <>
      {concerns.searched.length > 0 && !printing && <p>{words.searchedAdvice}</p>}
      <Rows searches={searches.slice(0, inSight)} />
      {others.length > 0 && (
        <Disclosure summary={words.count(words.moreSearches, others.length)}>
          {() => <Rows searches={others} />}
        </Disclosure>
      )}
      <p class="hint">{words.searchesUnknown}</p>
    </>
  )
}

function Rows({ searches }: { searches: readonly CompanySearches[] }) {
  const page = usePage()
  const { words } = page
  return (
    <ul class="report-lines">
      {searches.map((group) => (
        <li>
          <Company name={group.company} />
          <div class="hint">
            {[
              ...group.datesMs.map(words.day),
              ...(group.undated > 0 ? [words.count(words.undated, group.undated)] : []),
            ].join(', ')}
          </div>
          <Unrecognised company={group.company}>
            {({ SearchLetter }, strings) => (
              <SearchLetter searches={group} page={page} agencies={whomToAsk(page.read.sources)} strings={strings} />
            )}
          </Unrecognised>
        </li>
      ))}
    </ul>
  )
}
