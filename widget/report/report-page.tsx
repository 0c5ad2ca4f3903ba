// The report from heading to last line. The same components draw the screen and the paper.
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { bureausOf } from './bureaus.ts'
import { ukDay } from './dates.ts'
import type { ReportProps } from './index.tsx'
import { Heading, PageContext, useWords } from './page.ts'
import { type Fact, Facts } from './parts.tsx'
import type { ShownReport } from './read-report.ts'
import { Sections } from './sections.tsx'
import type { Words } from './words.ts'

export type ReportPageProps = Omit<ReportProps, 'report' | 'words' | 'translation'> & {
  report: ShownReport
  words: Words
  /** @default false */
  printing?: boolean
  /** True replaces every amount by a word. */
  isPrivate: boolean
  /** The buttons; paper has none. */
  children?: ComponentChildren
}

export function ReportPage(props: ReportPageProps) {
  const { report, preparedAtMs, words, headingLevel, printing = false } = props
  const page = useMemo(() => ({ words, headingLevel, printing }), [words, headingLevel, printing])
  // Pressing a button above must not draw hundreds of accounts again.
  const sections = useMemo(() => <Sections report={report} preparedAtMs={preparedAtMs} />, [report, preparedAtMs])
  // The style sheet writes this word where an amount was, so that hiding is instant however long the report is.
  const sayHidden = (element: HTMLElement | null) =>
    element?.style.setProperty('--report-hidden', JSON.stringify(words.hidden))
  const classes = ['report', props.isPrivate && 'report-private', props.test && 'report-test'].filter(Boolean)
  return (
    <PageContext.Provider value={page}>
      <article class={classes.join(' ')} part="report" ref={sayHidden}>
        <Top {...props} />
        {sections}
        {!printing && <p class="hint">{words.privacy}</p>}
      </article>
    </PageContext.Provider>
  )
}

function Top({ report, test, preparedAtMs, creditReportId, children }: ReportPageProps) {
  const words = useWords()
  const bureaus = bureausOf(report.records).map(({ name }) => name)
  const facts: (Fact | false)[] = [
    [words.prepared, words.day(ukDay(preparedAtMs))],
    bureaus.length > 0 && [words.agencies, <bdi>{bureaus.join(', ')}</bdi>],
    [words.reportReference, <bdi>{creditReportId}</bdi>],
  ]
  return (
    <>
      {test && (
        <p class="report-synthetic">
          <strong>{words.synthetic}.</strong> {words.syntheticMeaning}
        </p>
      )}
      <Heading below={0}>{words.title}</Heading>
      <p>{words.purpose}</p>
      <Facts class="report-facts" facts={facts.filter((fact) => fact !== false)} />
      {children && (
        <>
          <div class="report-actions">{children}</div>
          <p class="hint">{words.printHint}</p>
        </>
      )}
    </>
  )
}
