// A letter to the agencies, ready to send. Nothing is sent from here.
import { useRef, useState } from 'preact/hooks'
import type { Account } from '../accounts.ts'
import type { Bureau } from '../bureaus.ts'
import type { Page } from '../page.ts'
import type { CompanySearches } from '../searches.ts'
import { AgencyLink } from './agency-link.tsx'
import type { HelpStrings } from './strings.ts'

type Given = {
  page: Page
  /** The agencies to ask where the report does not say which of them reports the account. */
  agencies: readonly Bureau[]
  strings: HelpStrings
}

export function AccountLetter({ account, type, ...given }: Given & { account: Account; type: string }) {
  const { page, agencies, strings } = given
  const { record, ending, startMs } = account
  const reporting = record.bureaus.map(({ id, ref }) => ({ ref, ...findAgency(id, page.read.sources.all) }))
  const entry = [
    [strings.company, record.companyName],
    [strings.type, type],
    [strings.accountEnding, ending],
    [page.words.opened, startMs === undefined ? '' : page.words.day(startMs)],
    ...reporting.map(({ name, ref }) => [page.words.referenceOf.replace('{agency}', name), ref]),
  ]
  const to = reporting.filter(({ name }) => name)
  return (
    <Letter
      {...given}
      agencies={to.length > 0 ? to : agencies}
      company={record.companyName}
      ask={strings.letterAccount}
      entry={entry}
    />
  )
}

function findAgency(id: string, all: readonly Bureau[]): Bureau {
  return all.find((agency) => agency.id === id) ?? { id, name: id }
}

/** The report does not say which agency recorded a search, so each is asked. */
export function SearchLetter({ searches: { company, datesMs }, ...given }: Given & { searches: CompanySearches }) {
  const { page, strings } = given
  const entry = [
    [strings.company, company],
    [strings.searchedOn, datesMs.map(page.words.day).join(', ')],
  ]
  return <Letter {...given} company={company} ask={strings.letterSearch} entry={entry} />
}

type LetterProps = Given & { company: string; ask: string; entry: string[][] }

function Letter({ company, ask, entry, page, agencies, strings }: LetterProps) {
  const text = [page.day, ask, write(entry), write(senderOf(page))].join('\n\n')
  const [isCopied, setCopied] = useState(false)
  const shown = useRef<HTMLPreElement>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      // The browser refuses: the text is selected for copying by hand.
      if (shown.current) getSelection()?.selectAllChildren(shown.current)
    }
  }
  const about = <span class="unseen"> {company}</span>
  const mail = `mailto:?subject=${encodeURIComponent(strings.letterSubject)}&body=${encodeURIComponent(text)}`
  return (
    <div class="report-note">
      <p>{strings.letterLead}</p>
      <ul>
        {agencies.map((agency) => (
          <li>
            <AgencyLink agency={agency} />
          </li>
        ))}
      </ul>
      <pre ref={shown}>{text}</pre>
      <div class="links">
        <button type="button" class="link" part="link" onClick={copy}>
          {strings.copy}
          {about}
        </button>
        <a class="link" part="link" href={mail}>
          {strings.mail}
          {about}
        </a>
        <span role="status">{isCopied && strings.copied}</span>
      </div>
    </div>
  )
}

/** The details by which agencies find the writer. */
function senderOf({ words, report: { person, residencies } }: Page): string[][] {
  const birthMs = new Date(person.dateOfBirth).getTime()
  const home = residencies.find(({ isCurrent }) => isCurrent) ?? residencies[0]
  return [
    [words.shared('name'), [person.title, person.firstName, person.lastName].filter(Boolean).join(' ')],
    [words.shared('dateOfBirth'), Number.isNaN(birthMs) ? '' : words.day(birthMs)],
    [words.address, home?.lines.join(', ') ?? ''],
  ]
}

function write(lines: string[][]): string {
  return lines
    .filter(([, value]) => value)
    .map((line) => line.join(': '))
    .join('\n')
}
