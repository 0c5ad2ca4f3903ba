// The report a consumer reads. A chunk of its own: the widget fetches it while the person waits for the text message.
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Words as SharedWords } from '../strings/words.ts'
import { ukDay } from './dates.ts'
import { IdleWarning } from './idle-warning.tsx'
import { type NextProps, useNext } from './next.tsx'
import { drawForPrinting, print } from './print.ts'
import { readReport, type ShownReport } from './read-report.ts'
import reportCss from './report.css?inline'
import { type ReportFacts, ReportPage } from './report-page.tsx'
import { readAll } from './sections.tsx'
import { createWords } from './words.ts'

/** The style of everything below; goes into the same root as the report, after the widget's own sheet. */
export { reportCss }

/** In steps: at once, a long report would hold up a tap on a slow phone. */
export function* read(raw: object, preparedAtMs: number): Generator<void, Pick<ReportProps, 'report' | 'read'>> {
  const report = yield* readReport(raw)
  yield
  return { report, read: yield* readAll(report, preparedAtMs) }
}

export type ReportProps = ReportFacts & {
  report: ShownReport
  /** The words of the screens before it. */
  words: SharedWords
  /** Where the reader goes from here. */
  next: NextProps
  /** How long the report can be opened again with the date of birth; 0 where it cannot. */
  opensForMinutes: number
  /** The page has not been touched for ten minutes. */
  onIdle: () => void
  onClose: () => void
}

export function Report({ report, words: shared, next, opensForMinutes, onIdle, onClose, ...rest }: ReportProps) {
  const words = useMemo(() => createWords(shared), [shared])
  const root = useRef<HTMLDivElement>(null)
  const [isPrivate, setPrivate] = useState(false)
  const { top, end } = useNext(next)

  const [isRefused, setRefused] = useState(false)
  const paper = useRef<HTMLDivElement>(null)
  const drawPaper = () => <ReportPage {...rest} report={report} words={words} printing isPrivate={isPrivate} />
  useEffect(() => (paper.current ? drawForPrinting(paper.current, drawPaper) : undefined), [report, words, isPrivate])

  const printReport = () => {
    if (!root.current) return
    print({
      near: root.current,
      content: (
        <div class="root">
          <div class="panel">{drawPaper()}</div>
        </div>
      ),
      title: `${words.title} ${new Date(ukDay(rest.preparedAtMs)).toISOString().slice(0, 10)}`,
      locale: shared.locale,
      onRefused: () => setRefused(true),
    })
  }

  return (
    <div ref={root}>
      {/* Before the screen, which the style sheet can then hide behind it. */}
      <div class="report-paper" ref={paper} />
      <div class="report-screen">
        <ReportPage
          {...rest}
          report={report}
          words={words}
          isPrivate={isPrivate}
          top={top}
          end={end}
          actions={
            <>
              <div class="report-actions">
                <Action onClick={printReport}>{words.print}</Action>
                {report.records.length > 0 && (
                  <Action pressed={isPrivate} onClick={() => setPrivate(!isPrivate)}>
                    {words.hideAmounts}
                  </Action>
                )}
                <Action onClick={onClose}>{words.close}</Action>
              </div>
              <p class="hint" role="status">
                {isRefused && words.cannotPrint}
              </p>
              <p class="hint">
                {opensForMinutes > 0 && words.count(words.comeBack, opensForMinutes)} {words.privacy}
              </p>
            </>
          }
        />
      </div>
      <IdleWarning words={words} onGone={onIdle} />
    </div>
  )
}

type ActionProps = { children: ComponentChildren; onClick: () => void; pressed?: boolean }

function Action({ children, onClick, pressed }: ActionProps) {
  return (
    <button type="button" class="link" part="link" onClick={onClick} aria-pressed={pressed}>
      {children}
    </button>
  )
}
