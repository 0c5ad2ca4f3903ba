// Everything below the heading, in the order people ask: am I all right, what do I owe, to whom, who looked, what if it is wrong.
import type { JSX, VNode } from 'preact'
import { AboutYou } from './about-you.tsx'
import { AccountList } from './account-list.tsx'
import { type Account, readAccounts } from './accounts.ts'
import { AtAGlance } from './at-a-glance.tsx'
import { BalanceTable } from './balance-table.tsx'
import { addBalances, type Balances } from './balances.ts'
import { ConcernList } from './concern-list.tsx'
import { type Concern, findConcerns } from './concerns.ts'
import { Heading, usePage, useWords } from './page.ts'
import { Facts, Website } from './parts.tsx'
import { fill } from './phrases.ts'
import type { ShownReport } from './read-report.ts'
import { SearchList } from './search-list.tsx'
import { type CompanySearches, countInLastYear, groupSearches } from './searches.ts'
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
  const isShort = report.records.length < LONG
  const later = (draw: () => JSX.Element) => (
    <Later now={isShort} room="div" heightEm={SECTION_HEIGHT_EM}>
      {draw}
    </Later>
  )
  // A long report is read through before its first line can be drawn, so it is read step by step; the heading above need not wait.
  return later(() => {
    const accounts = readAccounts(report.records)
    return later(() => {
      const searches = groupSearches(report.searches)
      const balances = addBalances(accounts)
      return later(() => {
        const concerns = findConcerns(accounts, searches)
        const read = { accounts, searches, balances, concerns }
        return later(() => <SectionList report={report} read={read} preparedAtMs={preparedAtMs} isShort={isShort} />)
      })
    })
  })
}

type Read = { accounts: Account[]; searches: CompanySearches[]; balances: Balances; concerns: Concern[] }
type SectionListProps = SectionsProps & { read: Read; isShort: boolean }

function SectionList({ report, read, preparedAtMs, isShort }: SectionListProps) {
  const { words, printing } = usePage()
  const sections = listSections(report, read, preparedAtMs, words)
  return (
    <>
      {!printing && sections.length > CONTENTS_FROM && <Contents sections={sections} />}
      <Later now={isShort} room="div" heightEm={SECTION_HEIGHT_EM}>
        {() => (
          <Sliced items={sections} step={1} itemHeightEm={SECTION_HEIGHT_EM} room="div">
            {([id, title, content]) => (
              // Only a long report leaves undrawn what is out of sight: a picture of the whole page then has holes.
              <section key={id} part="section" class={isShort ? '' : 'report-long'}>
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

function listSections(report: ShownReport, read: Read, preparedAtMs: number, words: Words): Section[] {
  const { records } = report
  const { accounts, searches, balances, concerns } = read
  const about = <AboutYou person={report.person} residencies={report.residencies} />
  const closing: Section[] = [
    ['about', words.about, about],
    ['wrong', words.wrong, <SomethingWrong records={records} />],
    ['glossary', words.glossary, <Facts class="report-words" facts={Object.entries(words.meanings)} />],
  ]
  if (accounts.length + searches.length === 0) return [['empty', words.empty, <EmptyFile />], ...closing]

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
