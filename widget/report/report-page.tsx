// The report from heading to last line. The same components draw the screen and the paper.
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Agency } from '../../contract/credit-report.ts'
import { AtAGlance } from './at-a-glance.tsx'
import { type Sources, sourcesOf } from './bureaus.ts'
import { ukDay } from './dates.ts'
import { senderOf } from './letter.tsx'
import { Heading, PageContext, useWords } from './page.ts'
import { type Fact, Facts, Reported, Spelt } from './parts.tsx'
import { fullName, type ShownReport } from './read-report.ts'
import { EmptyFile, Gaps, isAllSettled, isEmpty, listSections, type Read, SectionList } from './sections.tsx'
import type { Words } from './words.ts'

/** What the page has in common with the chunk's door. */
export type ReportFacts = {
  /** True marks the whole report, on screen and on paper, as synthetic. */
  test: boolean
  preparedAtMs: number
  read: Read
  /** What the consumer can quote. */
  reference: string
  /** What each agency had to say, where the lender's server says. */
  agencies?: readonly Agency[] | undefined
  /** Level of the report's own heading, 1 to 6. */
  headingLevel: number
}

type ReportPageProps = ReportFacts & {
  report: ShownReport
  words: Words
  /** @default false */
  printing?: boolean
  /** True replaces every amount by a word. */
  isPrivate: boolean
  /** What can be done with the report; paper has none. */
  actions?: ComponentChildren
  /** Where the reader goes from here: after the answers, and at the end. */
  top?: ComponentChildren
  end?: ComponentChildren
}

export function ReportPage(props: ReportPageProps) {
  const { report, read, agencies, words, headingLevel, printing = false, test, isPrivate } = props
  const sources = useMemo(() => sourcesOf(agencies, report.records), [agencies, report])
  const page = useMemo(
    () => ({
      words,
      headingLevel,
      printing,
      sender: senderOf(report, words),
      sources,
    }),
    [report, words, headingLevel, printing, sources],
  )
  const sections = useMemo(() => listSections(report, read, words), [report, read, words])
  // Pressing a button must not draw hundreds of accounts again.
  const rest = useMemo(() => <SectionList sections={sections} />, [sections])
  // The style sheet writes this word where an amount was, so that hiding is instant however long the report is.
  const sayHidden = (element: HTMLElement | null) =>
    element?.style.setProperty('--report-hidden', JSON.stringify(words.hidden))
  const classes = ['report', isPrivate && 'report-private', test && 'report-test'].filter(Boolean)
  const { late, searched } = read.concerns
  return (
    <PageContext.Provider value={page}>
      <article class={classes.join(' ')} part="report" ref={sayHidden}>
        {printing && test && (
          <p class="report-synthetic">
            <strong>{words.synthetic}.</strong> {words.syntheticMeaning}
          </p>
        )}
        <Heading below={0}>{words.title}</Heading>
        {isAllSettled(read) && <p class="lead">{words.allSettled}</p>}
        {!printing && <p class="lead">{words.purpose}</p>}
        <Facts class="report-facts report-meta" facts={aboutReport(props, sources)} />
        {printing && <p class="lead">{words.purpose}</p>}
        <Gaps />
        {props.actions}
        {isEmpty(read) ? <EmptyFile /> : <AtAGlance {...read} concerns={late.length + searched.length} />}
        {props.top}
        {!printing && <Contents sections={sections} />}
        {rest}
        {props.end}
      </article>
    </PageContext.Provider>
  )
}

function aboutReport(
  { report, words, printing, preparedAtMs, reference }: ReportPageProps,
  { answered }: Sources,
): Fact[] {
  const facts: (Fact | false | undefined)[] = [
    printing && [words.shared('name'), <Reported value={fullName(report.person)} />],
    [words.prepared, words.day(ukDay(preparedAtMs))],
    answered.length > 0 && [words.agencies, <bdi>{words.list(answered)}</bdi>],
    [words.reportReference, <Spelt value={reference} />],
  ]
  return facts.filter((fact) => fact !== false && fact !== undefined)
}

/** A short way to each section. Buttons and not links: a link would change the address of the lender's page. */
function Contents({ sections }: { sections: readonly { id: string; title: string }[] }) {
  const words = useWords()
  return (
    <nav aria-label={words.contents}>
      {sections.map(({ id, title }) => (
        <button type="button" class="link" part="link" onClick={({ currentTarget }) => goTo(currentTarget, id)}>
          {title}
        </button>
      ))}
    </nav>
  )
}

function goTo(from: Element, id: string): void {
  const report = from.closest('.report')
  if (!report?.isConnected) return
  if (report.querySelector('template')) {
    // Still to be drawn: what comes above the heading would push it away again, where the browser does not hold it.
    setTimeout(() => goTo(from, id))
    return
  }
  const heading = report.querySelector<HTMLElement>(`#report-${id}`)
  heading?.scrollIntoView()
  heading?.focus({ preventScroll: true })
}
