// The report from heading to last line, in the order people ask: is something wrong, what do I owe, on which accounts,
// since when, and what if it is wrong. The same components draw the screen and the paper.
import { type ComponentChildren, createContext, type VNode } from 'preact'
import { useContext, useMemo } from 'preact/hooks'
import { AboutYou } from './about-you.tsx'
import { AccountList } from './account-list.tsx'
import type { Account } from './accounts.ts'
import { whomToAsk } from './bureaus.ts'
import { ukDay } from './dates.ts'
import { EmptyFile } from './empty-file.tsx'
import { Figures } from './figures.tsx'
import { Gradually } from './gradually.tsx'
import { WithHelp } from './later.tsx'
import { OverTime } from './over-time.tsx'
import { Heading, PageContext, usePage } from './page.ts'
import { type Fact, Facts, Fold, Reported, Spelt, Website } from './parts.tsx'
import { fill } from './phrases.ts'
import { isEmpty, type Read } from './read.ts'
import { fullName, type ShownReport } from './read-report.ts'
import { SearchList } from './search-list.tsx'
import { Verdict } from './verdict.tsx'
import type { Words } from './words.ts'

/** Properties that the page shares with the chunk's entry. */
export type ReportFacts = {
  /** True marks the whole report, on screen and on paper, as synthetic. */
  test: boolean
  preparedAtMs: number
  report: ShownReport
  read: Read
  /** The reference that the consumer can quote. */
  reference: string
  /** Level of the report's own heading, 1 to 6. */
  headingLevel: number
}

type ReportPageProps = ReportFacts & {
  words: Words
  /** @default false */
  printing?: boolean
  /** True replaces every amount by a word, and hides every length. */
  isPrivate: boolean
  /** The way on from here, and the actions on the report; paper has neither. */
  foot?: Foot
}

type Foot = { next: ComponentChildren; actions: ComponentChildren }

/** Apart, because its buttons change while the report does not. */
const FootContext = createContext<Foot | undefined>(undefined)

export function ReportPage(props: ReportPageProps) {
  const { report, read, words, headingLevel, preparedAtMs, reference, printing = false, test, isPrivate } = props
  const page = useMemo(
    () => ({ words, headingLevel, printing, report, read, reference, day: words.day(ukDay(preparedAtMs)) }),
    [report, read, words, headingLevel, preparedAtMs, reference, printing],
  )
  // Pressing a button must not draw hundreds of accounts again.
  const content = useMemo(() => <Content />, [page])
  // The style sheet writes this word where an amount was, so that hiding is instant however long the report is.
  const sayHidden = (element: HTMLElement | null) =>
    element?.style.setProperty('--report-hidden', JSON.stringify(words.hidden))
  const classes = ['report', isPrivate && 'report-private', test && 'report-test'].filter(Boolean)
  return (
    <PageContext.Provider value={page}>
      <article class={classes.join(' ')} part="report" ref={sayHidden}>
        {printing && test && (
          <p class="strip">
            <strong>{words.synthetic}.</strong> {words.syntheticMeaning}
          </p>
        )}
        <Heading below={0}>{words.title}</Heading>
        <FootContext.Provider value={props.foot}>{content}</FootContext.Provider>
      </article>
    </PageContext.Provider>
  )
}

function Content() {
  const { words, printing, read } = usePage()
  const { accounts, searches, sources, timeLine } = read
  const hasFile = !isEmpty(read)
  const count = (n: number) => n > 0 && <span class="hint">{n}</span>
  const sections: (VNode | false | undefined)[] = [
    printing && <AboutReport />,
    hasFile ? <Verdict /> : <EmptyFile />,
    accounts.length > 0 && <Figures />,
    hasFile && <AccountList />,
    hasFile && timeLine && <OverTime timeLine={timeLine} />,
    hasFile && (
      <Fold
        id="searches"
        title={
          <>
            {words.whoSearched} {count(searches.length)}
          </>
        }
      >
        {() => <SearchList />}
      </Fold>
    ),
    <Fold id="about" title={words.about}>
      {() => <AboutYou />}
    </Fold>,
    <Fold id="wrong" title={words.wrong}>
      {() =>
        printing ? (
          <p>
            {words.wrongInShort} {whomToAsk(sources).map(({ website }) => website && [<Website host={website} />, ' '])}
          </p>
        ) : (
          <WithHelp>
            {({ SomethingWrong }, strings) => <SomethingWrong agencies={whomToAsk(sources)} strings={strings} />}
          </WithHelp>
        )
      }
    </Fold>,
    accounts.length > 0 && !printing && (
      <Fold id="glossary" title={words.glossary}>
        {() => (
          <WithHelp>{({ Glossary }, strings) => <Glossary said={wordsOf(accounts)} strings={strings} />}</WithHelp>
        )}
      </Fold>
    ),
    // Last, so that its buttons do not move away under a finger.
    !printing && <Foot />,
  ]
  return <Gradually items={sections.filter((section) => section)}>{(section) => section}</Gradually>
}

function Foot() {
  const foot = useContext(FootContext)
  return (
    <div class="report-foot">
      {foot?.next}
      <AboutReport />
      {foot?.actions}
    </div>
  )
}

/** The types and statuses that a reader may have to look up. */
function wordsOf(accounts: readonly Account[]): Set<string> {
  return new Set(accounts.flatMap(({ type, status }) => [type, status.words]))
}

/** The sources of the report, and what is missing from it. */
function AboutReport() {
  const { words, report, printing, day, reference, read } = usePage()
  const { answered, noFile, away, isKnown } = read.sources
  const facts: (Fact | false)[] = [
    printing && [words.shared('name'), <Reported value={fullName(report.person)} />],
    [words.prepared, day],
    answered.length > 0 && [words.agencies, <bdi>{words.list(answered)}</bdi>],
    [words.reportReference, <Spelt value={reference} />],
  ]
  return (
    <>
      <Facts facts={facts} />
      <p class="hint">
        {words.purpose}{' '}
        {noFile.length > 0 &&
          answered.length + away.length > 0 && [fill(words.noFile, { agencies: <bdi>{words.list(noFile)}</bdi> }), ' ']}
        {!isKnown && words.agenciesUnknown}
      </p>
    </>
  )
}
