// What the report says, in the order people ask: what needs attention, who looked, every account, who I am, and what if it is wrong.
import type { VNode } from 'preact'
import { AboutYou } from './about-you.tsx'
import { AccountList } from './account-list.tsx'
import { type Account, isSettled, readAccounts } from './accounts.ts'
import { addBalances, type Balances } from './balances.ts'
import { whomToAsk } from './bureaus.ts'
import { ConcernList } from './concern-list.tsx'
import { type Concerns, findConcerns } from './concerns.ts'
import { Heading, usePage } from './page.ts'
import { type Fact, Facts, Gradually, Missing, Website } from './parts.tsx'
import { fill } from './phrases.ts'
import type { ShownReport } from './read-report.ts'
import { SearchList } from './search-list.tsx'
import { type CompanySearches, countInLastYear, groupSearches } from './searches.ts'
import type { ReportStrings } from './strings.ts'
import type { Words } from './words.ts'

/** Everything the page says about a report, worked out once. */
export type Read = {
  accounts: Account[]
  searches: CompanySearches[]
  balances: Balances
  concerns: Concerns
  recentSearches: number
}

/** Yields where the page may take a tap before it goes on. */
export function* readAll(report: ShownReport, nowMs: number): Generator<void, Read> {
  const accounts = readAccounts(report.records)
  yield
  const searches = groupSearches(report.searches)
  return {
    accounts,
    searches,
    balances: addBalances(accounts),
    concerns: findConcerns(accounts, searches, nowMs),
    recentSearches: countInLastYear(searches, nowMs),
  }
}

/** No accounts and no searches. */
export function isEmpty({ accounts, searches }: Read): boolean {
  return accounts.length + searches.length === 0
}

/** Every account is settled, and none says that money is owed all the same. */
export function isAllSettled({ accounts, balances }: Read): boolean {
  return accounts.length > 0 && accounts.every(isSettled) && balances.owed.length + balances.mortgages.length === 0
}

type Section = { id: string; title: string; content: VNode }

export function listSections(report: ShownReport, read: Read, words: Words): Section[] {
  const { accounts, searches, concerns } = read
  const sections: (Section | false)[] = [
    concerns.late.length + concerns.searched.length > 0 && {
      id: 'concerns',
      title: words.concerns,
      content: <ConcernList concerns={concerns} />,
    },
    !isEmpty(read) && { id: 'searches', title: words.whoSearched, content: <SearchList searches={searches} /> },
    !isEmpty(read) && { id: 'accounts', title: words.accounts, content: <AccountList accounts={accounts} /> },
    {
      id: 'about',
      title: words.about,
      content: <AboutYou person={report.person} residencies={report.residencies} />,
    },
    { id: 'wrong', title: words.wrong, content: <SomethingWrong /> },
    accounts.length > 0 && {
      id: 'glossary',
      title: words.glossary,
      content: <Facts class="report-words" facts={meaningsOf(accounts, words.meanings)} />,
    },
  ]
  return sections.filter((section) => section !== false)
}

export function SectionList({ sections }: { sections: readonly Section[] }) {
  return (
    <Gradually items={sections}>
      {({ id, title, content }) => (
        <section key={id} part="section">
          <Heading below={1} id={`report-${id}`}>
            {title}
          </Heading>
          {content}
        </section>
      )}
    </Gradually>
  )
}

/** What is not in the report, and what that means. */
export function Gaps() {
  const { words, sources } = usePage()
  const { answered, noFile, away, isKnown } = sources
  return (
    <>
      {away.length > 0 && <p class="notice">{fill(words.away, { agencies: <bdi>{words.list(away)}</bdi> })}</p>}
      {noFile.length > 0 && answered.length + away.length > 0 && (
        <p class="hint">{fill(words.noFile, { agencies: <bdi>{words.list(noFile)}</bdi> })}</p>
      )}
      {!isKnown && <p class="hint">{words.agenciesUnknown}</p>}
    </>
  )
}

/** Said kindly, with something useful to do. "Nothing on file" only where every agency has said so. */
export function EmptyFile() {
  const { words, sources } = usePage()
  const { answered, noFile, away, isKnown } = sources
  const isNoFile = isKnown && answered.length + away.length === 0
  const [said, by] = isNoFile ? [words.noFile, noFile] : [words.emptyMeaning, answered]
  return (
    <section part="section">
      <Heading below={1}>{isNoFile ? words.nothingOnFile : words.empty}</Heading>
      <p>
        {by.length > 0 && fill(said, { agencies: <bdi>{words.list(by)}</bdi> })} {away.length === 0 && words.emptyUsual}
      </p>
      <ul class="report-steps">
        {words.emptySteps.map((step) => (
          <li>{fill(step, { vote: <Website host="www.gov.uk/register-to-vote" /> })}</li>
        ))}
      </ul>
    </section>
  )
}

type Meanings = ReportStrings['meanings']

/** When a word occurs, in the types and statuses of the accounts; null is in every report that has an account. */
const OCCURS: { [word in keyof Meanings]: RegExp | null } = {
  agency: null,
  balance: null,
  openingBalance: null,
  reference: null,
  settled: /settled|satisfied/,
  arrears: /arrears|late/,
  arrangement: /arrangement/,
  debtManagement: /debt management/,
  default: /default/,
  query: /query/,
  unclassified: /unclassified/,
  hirePurchase: /hire purchase|\bhp\b/,
  pcp: /\bpcp\b|contract purchase/,
}

/** The words that need explaining, of those this report uses. */
function meaningsOf(accounts: readonly Account[], meanings: Meanings): Fact[] {
  const said = new Set(accounts.flatMap(({ type, status }) => [type, status.words]))
  const occurs = (pattern: RegExp | null) => !pattern || [...said].some((words) => pattern.test(words))
  return (Object.keys(OCCURS) as (keyof Meanings)[])
    .filter((word) => occurs(OCCURS[word]))
    .map((word) => meanings[word])
}

/** What to do and whom to tell. The rules on disputes live here and nowhere else; the reference to quote is with each account. */
function SomethingWrong() {
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
