import { allBureaus, bureausOf } from './bureaus.ts'
import { useWords } from './page.ts'
import { type Fact, Facts, Missing, Website } from './parts.tsx'
import { fill } from './phrases.ts'
import type { ShownRecord } from './read-report.ts'

/** What to do and whom to tell. The rules on disputes live here and nowhere else; the reference to quote is with each account. */
export function SomethingWrong({ records }: { records: readonly ShownRecord[] }) {
  const words = useWords()
  const named = bureausOf(records)
  return (
    <>
      <ol class="report-steps">
        {words.wrongSteps.map((step) => (
          <li>{fill(step, { ico: <Website host="ico.org.uk" /> })}</li>
        ))}
      </ol>
      <p>{fill(words.fraud, { cifas: <Website host="www.cifas.org.uk" /> })}</p>
      <Facts
        class="report-pairs report-lines"
        facts={(named.length > 0 ? named : allBureaus()).map(
          ({ name, website }): Fact => [name, website ? <Website host={website} /> : <Missing />],
        )}
      />
    </>
  )
}
