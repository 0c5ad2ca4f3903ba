// "I do not recognise this": what to send to the agencies, ready to copy. Nothing is sent from here.
import { useRef, useState } from 'preact/hooks'
import type { Account } from './accounts.ts'
import { type Bureau, bureauOf, whomToAsk } from './bureaus.ts'
import { readDate } from './dates.ts'
import { usePage } from './page.ts'
import { Company, Disclosure, Website } from './parts.tsx'
import { fill, nameOf } from './phrases.ts'
import { fullName, type ShownReport } from './read-report.ts'
import type { CompanySearches } from './searches.ts'
import type { Words } from './words.ts'

export function AccountLetter({ account }: { account: Account }) {
  const { words } = usePage()
  const { record, ending, startMs } = account
  const lines = () => [
    [words.company, record.companyName],
    [words.type, nameOf(record.accountType, words.accountTypes)],
    [words.accountEnding, ending],
    [words.opened, startMs === undefined ? '' : words.day(startMs)],
    ...record.bureaus.map(({ id, ref }) => [fill(words.referenceOf, { agency: bureauOf(id).name }).join(''), ref]),
  ]
  const bureaus = record.bureaus.map(({ id }) => bureauOf(id)).filter(({ name }) => name)
  return <Letter about={record.companyName} ask={words.letterAccount} lines={lines} to={bureaus} />
}

/** The report does not say which agency recorded a search, so each is asked. */
export function SearchLetter({ searches: { company, datesMs } }: { searches: CompanySearches }) {
  const { words } = usePage()
  const lines = () => [
    [words.company, company],
    [words.searchedOn, datesMs.map(words.day).join(', ')],
  ]
  return <Letter about={company} ask={words.letterSearch} lines={lines} to={[]} />
}

type Lines = readonly (readonly string[])[]

type LetterProps = {
  about: string
  ask: string
  /** Written when the letter is opened. */
  lines: () => Lines
  /** Empty: every agency of the report. */
  to: readonly Bureau[]
}

function Letter({ about, ask, lines, to }: LetterProps) {
  const { words, printing, sender, sources } = usePage()
  // On paper there is nothing to copy, and what to do is said once, at the end.
  if (printing) return null
  const summary = (
    <>
      {words.unrecognised}
      <span class="unseen">
        {' '}
        <Company name={about} />
      </span>
    </>
  )
  return (
    <Disclosure summary={summary}>
      {() => (
        <div class="report-note">
          <p>{words.letterLead}</p>
          <ul>
            {(to.length > 0 ? to : whomToAsk(sources)).map(({ name, website }) => (
              <li>
                <bdi>{name}</bdi> {website && <Website host={website} />}
              </li>
            ))}
          </ul>
          <Copyable text={[ask, write(lines()), write(sender)].join('\n\n')} about={about} />
        </div>
      )}
    </Disclosure>
  )
}

/** Who writes: what the agencies have themselves. */
export function senderOf({ person, residencies }: ShownReport, words: Words): Lines {
  const birthMs = readDate(person.dateOfBirth)
  const home = residencies.find(({ isCurrent }) => isCurrent) ?? residencies[0]
  return [
    [words.shared('name'), fullName(person)],
    [words.shared('dateOfBirth'), birthMs === undefined ? '' : words.day(birthMs)],
    [words.address, home?.lines.join(', ') ?? ''],
  ]
}

function write(lines: Lines): string {
  return lines
    .filter(([, value]) => value)
    .map((line) => line.join(': '))
    .join('\n')
}

/** Where the browser refuses to copy, the text is selected for copying by hand. */
function Copyable({ text, about }: { text: string; about: string }) {
  const { words } = usePage()
  const [copied, setCopied] = useState(false)
  const shown = useRef<HTMLPreElement>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      if (shown.current) getSelection()?.selectAllChildren(shown.current)
    }
  }
  return (
    <>
      <pre ref={shown}>{text}</pre>
      <button type="button" class="link" part="link" onClick={copy}>
        {words.copy}
        <span class="unseen"> {about}</span>
      </button>{' '}
      <span role="status">{copied && words.copied}</span>
    </>
  )
}
