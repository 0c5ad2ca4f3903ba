import { usePage, useWords } from './page.ts'
import { Company, Disclosure, Missing } from './parts.tsx'
import { type CompanySearches, countOf } from './searches.ts'
import { Sliced } from './sliced.tsx'

const SEARCHES_PER_SLICE = 8
const SEARCH_HEIGHT_EM = 5

/** Who looked, newest first. */
export function SearchList({ searches }: { searches: readonly CompanySearches[] }) {
  const words = useWords()
  if (searches.length === 0) return <p>{words.noSearches}</p>
  return (
    <>
      <p>{words.searchesMeaning}</p>
      <ul class="report-lines">
        <Sliced items={searches} step={SEARCHES_PER_SLICE} itemHeightEm={SEARCH_HEIGHT_EM}>
          {(group) => <CompanyRow group={group} />}
        </Sliced>
      </ul>
      <p class="hint">{words.searchesUnknown}</p>
    </>
  )
}

function CompanyRow({ group }: { group: CompanySearches }) {
  const { words, printing } = usePage()
  const dates = [
    ...group.datesMs.map((timeMs) => words.day(timeMs)),
    ...Array.from({ length: group.undated }, () => <Missing />),
  ]
  return (
    <li>
      <Company name={group.company} />
      {/* On paper the list below is always open, and the newest date twice would read as two searches. */}
      {(dates.length === 1 || !printing) && <div class="hint">{dates[0]}</div>}
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
