import { Heading, usePage } from './page.ts'
import { Website } from './parts.tsx'
import { fill } from './phrases.ts'

/** Said kindly, with something useful to do. "Nothing on file" only where every agency has said so. */
export function EmptyFile() {
  const { words, read } = usePage()
  const { answered, noFile, away, isKnown } = read.sources
  const isNoFile = isKnown && answered.length + away.length === 0
  const [said, by] = isNoFile ? [words.noFile, noFile] : [words.emptyMeaning, answered]
  return (
    <section part="section">
      <Heading below={1}>{isNoFile ? words.nothingOnFile : words.empty}</Heading>
      <p>
        {by.length > 0 && fill(said, { agencies: <bdi>{words.list(by)}</bdi> })}{' '}
        {away.length > 0 ? fill(words.away, { agencies: <bdi>{words.list(away)}</bdi> }) : words.emptyUsual}
      </p>
      <ul class="report-steps report-lines">
        {words.emptySteps.map((step) => (
          <li>{fill(step, { vote: <Website host="www.gov.uk/register-to-vote" /> })}</li>
        ))}
      </ul>
    </section>
  )
}
