// What the report says, in the order people ask: what do I owe, what needs attention, who looked; then every account, and what if it is wrong.
import type { VNode } from 'preact'
import { AboutYou } from './about-you.tsx'
import { AccountList } from './account-list.tsx'
import { AtAGlance } from './at-a-glance.tsx'
import { BalanceList } from './balance-list.tsx'
import { allBureaus, bureausOf } from './bureaus.ts'
import { ConcernList } from './concern-list.tsx'
import { meaningsOf } from './glossary.ts'
import { Heading, usePage, useWords } from './page.ts'
import { Disclosure, Facts, Website } from './parts.tsx'
import { fill } from './phrases.ts'
import type { Read } from './read-all.ts'
import type { ShownReport } from './read-report.ts'
import { SearchList } from './search-list.tsx'
import { countInLastYear } from './searches.ts'
import { Later } from './sliced.tsx'
import { SomethingWrong } from './something-wrong.tsx'
import { TimelinePicture } from './timeline-picture.tsx'
import type { Words } from './words.ts'

const SECTION_HEIGHT_EM = 30
/** From this many accounts on the timeline says less than it is long. */
const TIMELINE_FOLDS_FROM = 10

type Section = { id: string; title: string; content: VNode }
type Shown = { report: ShownReport; read: Read; preparedAtMs: number }

function isEmpty({ accounts, searches }: Read): boolean {
  return accounts.length + searches.length === 0
}

/** The answers people come for, before anything else. */
export function Answers({
  read,
  preparedAtMs,
  asked,
  isLong,
}: Omit<Shown, 'report'> & { asked: string; isLong: boolean }) {
  const words = useWords()
  if (isEmpty(read)) return <EmptyFile asked={asked} />
  const { concerns, searches } = read
  return (
    <>
      <AtAGlance {...read} recentSearches={countInLastYear(searches, preparedAtMs)} />
      <SectionList
        sections={[
          ...(concerns.length > 0
            ? [{ id: 'concerns', title: words.concerns, content: <ConcernList concerns={concerns} /> }]
            : []),
          { id: 'searches', title: words.whoSearched, content: <SearchList searches={searches} /> },
        ]}
        isLong={isLong}
      />
    </>
  )
}

/** Everything after the answers. */
export function listSections(
  { report, read, preparedAtMs }: Shown,
  { words, printing }: { words: Words; printing: boolean },
) {
  const { accounts, searches, balances } = read
  const named = bureausOf(report.records)
  const timeline = <TimelinePicture accounts={accounts} searches={searches} nowMs={preparedAtMs} />
  const isFolded = accounts.length >= TIMELINE_FOLDS_FROM && !printing
  const sections: (Section | false)[] = [
    accounts.length > 0 && { id: 'balances', title: words.balances, content: <BalanceList balances={balances} /> },
    !isEmpty(read) && { id: 'accounts', title: words.accounts, content: <AccountList accounts={accounts} /> },
    // On paper it would only repeat the accounts.
    !isEmpty(read) &&
      !printing && {
        id: 'timeline',
        title: words.timeline,
        content: isFolded ? <Disclosure summary={words.showTimeline}>{() => timeline}</Disclosure> : timeline,
      },
    {
      id: 'about',
      title: words.about,
      content: <AboutYou person={report.person} residencies={report.residencies} />,
    },
    {
      id: 'wrong',
      title: words.wrong,
      content: <SomethingWrong bureaus={named.length > 0 ? named : allBureaus()} />,
    },
    accounts.length > 0 && {
      id: 'glossary',
      title: words.glossary,
      content: <Facts class="report-words" facts={meaningsOf(accounts, words.meanings)} />,
    },
  ]
  return sections.filter((section) => section !== false)
}

/** Every heading is there at once, so that the contents can lead to it; a long report draws what is below each when there is time. */
export function SectionList({ sections, isLong }: { sections: readonly Section[]; isLong: boolean }) {
  const { printing } = usePage()
  return (
    <>
      {sections.map(({ id, title, content }) => (
        // Only a long report leaves undrawn what is out of sight: a picture of the whole page then has holes.
        <section key={id} part="section" class={isLong && !printing ? 'report-long' : ''}>
          <Heading below={1} id={`report-${id}`}>
            {title}
          </Heading>
          <Later now={!isLong} room="div" heightEm={SECTION_HEIGHT_EM}>
            {() => content}
          </Later>
        </section>
      ))}
    </>
  )
}

/** No accounts and no searches: said kindly, with who was asked and something useful to do. */
function EmptyFile({ asked }: { asked: string }) {
  const words = useWords()
  return (
    <section part="section">
      <Heading below={1}>{words.empty}</Heading>
      <p>{words.emptyMeaning}</p>
      {asked && <p>{fill(words.asked, { names: <bdi>{asked}</bdi> })}</p>}
      <ul class="report-steps">
        {words.emptySteps.map((step) => (
          <li>{fill(step, { vote: <Website host="www.gov.uk/register-to-vote" /> })}</li>
        ))}
      </ul>
    </section>
  )
}
