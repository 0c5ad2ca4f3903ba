import { whomToAsk } from './bureaus.ts'
import { usePage } from './page.ts'
import { type Fact, Facts, Missing, Website } from './parts.tsx'
import { fill } from './phrases.ts'

/** What to do and whom to tell. The rules on disputes live here and nowhere else; the reference to quote is with each account. */
export function SomethingWrong() {
  const { words, sources } = usePage()
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
        facts={whomToAsk(sources).map(
          ({ name, website }): Fact => [name, website ? <Website host={website} /> : <Missing />],
        )}
      />
    </>
  )
}
