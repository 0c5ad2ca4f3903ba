// The report from heading to last line. The same components draw the screen and the paper.
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { fullName } from './account-card.tsx'
import { LONG } from './accounts.ts'
import { bureauOf, bureausOf } from './bureaus.ts'
import { Contents } from './contents.tsx'
import { ukDay } from './dates.ts'
import { whenIdle } from './idle-queue.ts'
import { Heading, PageContext } from './page.ts'
import { type Fact, Facts, Reported, Spelt } from './parts.tsx'
import { type Read, readAll, readInSteps } from './read-all.ts'
import type { ShownReport } from './read-report.ts'
import { Answers, listSections, SectionList } from './sections.tsx'
import { Later } from './sliced.tsx'
import type { Words } from './words.ts'

/** A shorter report needs no table of contents. */
const CONTENTS_FROM = 4
const SECTIONS_HEIGHT_EM = 200

/** What the page has in common with the chunk's door. */
export type ReportFacts = {
  /** True marks the whole report, on screen and on paper, as synthetic. */
  test: boolean
  preparedAtMs: number
  /** What the consumer can quote. */
  reference: string
  /** The agencies that were asked, where the lender's server says. */
  bureaus?: readonly string[] | undefined
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
  children?: ComponentChildren
  /** Where the reader goes from here, at the end. */
  end?: ComponentChildren
}

export function ReportPage(props: ReportPageProps) {
  const { report, preparedAtMs, bureaus, words, headingLevel, printing = false, test, isPrivate } = props
  const page = useMemo(() => ({ words, headingLevel, printing }), [words, headingLevel, printing])
  const isLong = report.records.length >= LONG
  const read = useRead(report, !isLong || printing)
  const asked = (bureaus?.length ? bureaus.map(bureauOf) : bureausOf(report.records)).map(({ name }) => name).join(', ')
  // Pressing a button must not draw hundreds of accounts again.
  const answers = useMemo(
    () => read && <Answers read={read} preparedAtMs={preparedAtMs} asked={asked} isLong={isLong} />,
    [read, preparedAtMs, asked, words],
  )
  const sections = useMemo(
    () => (read ? listSections({ report, read, preparedAtMs }, { words, printing }) : []),
    [read, preparedAtMs, words, printing],
  )
  const rest = useMemo(() => <SectionList sections={sections} isLong={isLong} />, [sections])
  // The style sheet writes this word where an amount was, so that hiding is instant however long the report is.
  const sayHidden = (element: HTMLElement | null) =>
    element?.style.setProperty('--report-hidden', JSON.stringify(words.hidden))
  const classes = ['report', isPrivate && 'report-private', test && 'report-test'].filter(Boolean)
  const facts = aboutReport(props, asked)
  return (
    <PageContext.Provider value={page}>
      <article class={classes.join(' ')} part="report" ref={sayHidden}>
        {printing && test && (
          <p class="report-synthetic">
            <strong>{words.synthetic}.</strong> {words.syntheticMeaning}
          </p>
        )}
        <Heading below={0}>{words.title}</Heading>
        {printing && <Facts class="report-facts" facts={facts} />}
        <p class="lead">{words.purpose}</p>
        {answers}
        {!printing && (
          <>
            {props.children}
            <Facts class="report-facts report-meta" facts={facts} />
          </>
        )}
        {read && (
          <Later now={!isLong} room="div" heightEm={SECTIONS_HEIGHT_EM}>
            {() => (
              <>
                {!printing && sections.length >= CONTENTS_FROM && <Contents sections={sections} />}
                {rest}
              </>
            )}
          </Later>
        )}
        {!printing && (
          <>
            {props.end}
            <p class="hint">{words.privacy}</p>
          </>
        )}
      </article>
    </PageContext.Provider>
  )
}

/** A long report is read through when the browser has time; its heading need not wait for that. */
function useRead(report: ShownReport, now: boolean): Read | null {
  const [later, setLater] = useState<Read | null>(null)
  useEffect(() => {
    if (now) return
    const steps = readInSteps(report)
    let callOff = () => {}
    const goOn = () => {
      const step = steps.next()
      callOff = whenIdle(step.done ? () => setLater(step.value) : goOn)
    }
    callOff = whenIdle(goOn)
    return () => callOff()
  }, [report, now])
  return useMemo(() => (now ? readAll(report) : null), [report, now]) ?? later
}

function aboutReport({ report, words, printing, preparedAtMs, reference }: ReportPageProps, asked: string): Fact[] {
  const facts: (Fact | false | undefined)[] = [
    printing && [words.shared('name'), <Reported value={fullName(report.person)} />],
    [words.prepared, words.day(ukDay(preparedAtMs))],
    asked !== '' && [words.agencies, <bdi>{asked}</bdi>],
    [words.reportReference, <Spelt value={reference} />],
  ]
  return facts.filter((fact) => fact !== false && fact !== undefined)
}
