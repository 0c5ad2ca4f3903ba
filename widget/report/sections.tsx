// Everything below the heading, in the order people ask: am I all right, what do I owe, to whom, who looked, what if it is wrong.
import type { VNode } from 'preact'
import type { ShownReport } from '../reading.ts'
import { AboutYou } from './about-you.tsx'
import { AccountList } from './account-list.tsx'
import { readAccounts } from './accounts.ts'
import { AtAGlance } from './at-a-glance.tsx'
import { BalanceTable } from './balance-table.tsx'
import { addBalances } from './balances.ts'
import { ConcernList } from './concern-list.tsx'
import { findConcerns } from './concerns.ts'
import { Heading, usePage, useWords } from './page.ts'
import { Facts, Website } from './parts.tsx'
import { fill } from './phrases.ts'
import { SearchList } from './search-list.tsx'
import { countInLastYear, groupSearches } from './searches.ts'
import { Later, Sliced } from './sliced.tsx'
import { SomethingWrong } from './something-wrong.tsx'
import { TimelinePicture } from './timeline-picture.tsx'
import type { Words } from './words.ts'

/** So many accounts make a long report. */
const LONG = 50
const SECTION_HEIGHT_EM = 30

/** A shorter report needs no table of contents. */
const CONTENTS_FROM = 4

type SectionsProps = { report: ShownReport; preparedAtMs: number }
type Section = [id: string, title: string, content: VNode]

export function Sections({ report, preparedAtMs }: SectionsProps) {
  // A long report is read through before its first line can be drawn; the heading above need not wait for that.
  const isShort = report.consumerData.records.length < LONG
  return (
    <Later now={isShort} room="div" heightEm={SECTION_HEIGHT_EM}>
      {() => <SectionList report={report} preparedAtMs={preparedAtMs} isShort={isShort} />}
    </Later>
  )
}

function SectionList({ report, preparedAtMs, isShort }: SectionsProps & { isShort: boolean }) {
  const { words, printing } = usePage()
  const sections = listSections(report, preparedAtMs, words)
  return (
    <>
      {!printing && sections.length > CONTENTS_FROM && <Contents sections={sections} />}
      <Later now={isShort} room="div" heightEm={SECTION_HEIGHT_EM}>
        {() => (
          <Sliced items={sections} step={1} itemHeightEm={SECTION_HEIGHT_EM} room="div">
            {([id, title, content]) => (
              <section key={id} part="section">
                <Heading below={1} id={`report-${id}`}>
                  {title}
                </Heading>
                {content}
              </section>
            )}
          </Sliced>
        )}
      </Later>
    </>
  )
}

function listSections(report: ShownReport, preparedAtMs: number, words: Words): Section[] {
  const { records } = report.consumerData
  const accounts = readAccounts(records)
  const searches = groupSearches(report.previousSearches.providers)
  const about = <AboutYou person={report.person} residencies={report.residencies} />
  const closing: Section[] = [
    ['about', words.about, about],
    ['wrong', words.wrong, <SomethingWrong records={records} />],
    ['glossary', words.glossary, <Facts class="report-words" facts={Object.entries(words.meanings)} />],
  ]
  if (accounts.length + searches.length === 0) return [['empty', words.empty, <EmptyFile />], ...closing]

  const balances = addBalances(accounts)
  const concerns = findConcerns(accounts, searches)
  const recentSearches = countInLastYear(searches, preparedAtMs)
  const sections: (Section | false)[] = [
    ['glance', words.glance, <AtAGlance accounts={accounts} balances={balances} recentSearches={recentSearches} />],
    concerns.length > 0 && ['concerns', words.concerns, <ConcernList concerns={concerns} />],
    accounts.length > 0 && ['balances', words.balances, <BalanceTable balances={balances} />],
    ['accounts', words.accounts, <AccountList accounts={accounts} />],
    ['timeline', words.timeline, <TimelinePicture accounts={accounts} searches={searches} nowMs={preparedAtMs} />],
    ['searches', words.shared('searches'), <SearchList searches={searches} />],
    ...closing,
  ]
  return sections.filter((section) => section !== false)
}

/** A short way to each section. Buttons and not links: a link would change the address of the lender's page. */
function Contents({ sections }: { sections: Section[] }) {
  const words = useWords()
  const goTo = (from: Element, id: string) => {
    const heading = from.closest('.report')?.querySelector<HTMLElement>(`#report-${id}`)
    heading?.scrollIntoView()
    heading?.focus({ preventScroll: true })
  }
  return (
    <nav aria-label={words.contents}>
      {sections.map(([id, title]) => (
        <button type="button" class="link" part="link" onClick={(event) => goTo(event.currentTarget, id)}>
          {title}
        </button>
      ))}
    </nav>
  )
}

/** No accounts and no searches: said kindly, with something useful to do. */
function EmptyFile() {
  const words = useWords()
  return (
    <>
      <p>{words.emptyMeaning}</p>
      <ul class="report-steps">
        {words.emptySteps.map((step) => (
          <li>{fill(step, { vote: <Website host="www.gov.uk/register-to-vote" /> })}</li>
        ))}
      </ul>
    </>
  )
}
