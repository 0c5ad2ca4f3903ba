// The report a consumer reads. A chunk of its own: the widget fetches it while the person waits for the text message.
import type { ComponentChildren, JSX } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import type { Words as SharedWords } from '../strings/words.ts'
import { ukDay } from './dates.ts'
import { IdleWarning } from './idle-warning.tsx'
import { type NextProps, useNext } from './next.tsx'
import { print } from './print.ts'
import { readReport } from './read-report.ts'
import reportCss from './report.css?inline'
import { type ReportFacts, ReportPage } from './report-page.tsx'
import { createWords } from './words.ts'

/** The style of everything below; goes into the same root as the report, after the widget's own sheet. */
export { reportCss }

export type ReportProps = ReportFacts & {
  /** As it came: anything in it may be missing or null. */
  report: object
  /** The words of the screens before it. */
  words: SharedWords
  /** Where the reader goes from here. */
  next: NextProps
  /** The reader closes the report, or nobody has touched the page for ten minutes. */
  onClose: (isIdle: boolean) => void
}

export function Report({ report: raw, words: shared, next, onClose, ...rest }: ReportProps): JSX.Element {
  const report = useMemo(() => readReport(raw), [raw])
  const words = useMemo(() => createWords(shared), [shared])
  const root = useRef<HTMLDivElement>(null)
  const [isPrivate, setPrivate] = useState(false)
  const { top, end } = useNext(next)

  const printReport = () => {
    if (!root.current) return
    print({
      near: root.current,
      content: (
        <div class="root">
          <div class="panel">
            <ReportPage {...rest} report={report} words={words} printing isPrivate={isPrivate} />
          </div>
        </div>
      ),
      title: `${words.title} ${new Date(ukDay(rest.preparedAtMs)).toISOString().slice(0, 10)}`,
      locale: shared.locale,
    })
  }

  return (
    <div ref={root}>
      <ReportPage {...rest} report={report} words={words} isPrivate={isPrivate} end={end}>
        {top}
        <div class="report-actions">
          <Action onClick={printReport}>{words.print}</Action>
          {report.records.length > 0 && (
            <Action pressed={isPrivate} onClick={() => setPrivate(!isPrivate)}>
              {words.hideAmounts}
            </Action>
          )}
          <Action onClick={() => onClose(false)}>{words.close}</Action>
        </div>
      </ReportPage>
      <IdleWarning words={words} onGone={() => onClose(true)} />
    </div>
  )
}

type ActionProps = { children: ComponentChildren; onClick: () => void; pressed?: boolean }

function Action({ children, onClick, pressed }: ActionProps) {
  return (
    <button type="button" class="button" part="button-secondary" onClick={onClick} aria-pressed={pressed}>
      {children}
    </button>
  )
}
