import { usePage } from './page.ts'
import { Company, Disclosure, Missing } from './parts.tsx'
import { type CompanySearches, countOf } from './searches.ts'
import { Sliced } from './sliced.tsx'

/** The newest are in sight; the others are one tap away. */
const IN_SIGHT = 3
const SEARCHES_PER_SLICE = 8
const SEARCH_HEIGHT_EM = 4

/** Who looked, newest first. */
export function SearchList({ searches }: { searches: readonly CompanySearches[] }) {
  const { words, printing } = usePage()
  if (searches.length === 0) return <p>{words.noSearches}</p>
  // One more than fits is no reason to fold.
  const inSight = printing || searches.length <= IN_SIGHT + 1 ? searches.length : IN_SIGHT
  const others = searches.slice(inSight)
  return (
    <>
      <ul class="report-lines">
        {searches.slice(0, inSight).map((group) => (
          <CompanyRow group={group} />
        ))}
      </ul>
      {others.length > 0 && (
        <Disclosure summary={words.count(words.moreSearches, others.length)}>
          {() => (
            <ul class="report-lines">
              <Sliced items={others} step={SEARCHES_PER_SLICE} itemHeightEm={SEARCH_HEIGHT_EM}>
                {(group) => <CompanyRow group={group} />}
              </Sliced>
            </ul>
          )}
        </Disclosure>
      )}
      <p class="hint">{words.searchesUnknown}</p>
    </>
  )
}

function CompanyRow({ group }: { group: CompanySearches }) {
  const { words, printing } = usePage()
  const dates = [
    ...group.datesMs.map((timeMs) => words.day(timeMs)),
    ...new Array(group.undated).fill(0).map(() => <Missing />),
  ]
  return (
    <li>
      <div class="report-row">
        <Company name={group.company} />
        {/* On paper the list below is always open, and the newest date twice would read as two searches. */}
        {(dates.length === 1 || !printing) && <span class="hint">{dates[0]}</span>}
      </div>
      {dates.length > 1 && (
        <Disclosure summary={words.count(words.searchCount, countOf(group))}>
          {() => (
            <ul>
              {dates.map((date) => (
                <li>{date}</li>
              ))}
            </ul>
          )}
        </Disclosure>
      )}
    </li>
  )
}
