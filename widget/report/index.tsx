// The report a consumer reads.
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Agency } from '../../contract/credit-report.ts'
import { Link } from '../form/link.tsx'
import type { Words as SharedWords } from '../strings/words.ts'
import { ukDay } from './dates.ts'
import { IdleWarning } from './idle-warning.tsx'
import { drawForPrinting, print } from './print.ts'
import { readAll } from './read.ts'
import { readReport } from './read-report.ts'
import reportCss from './report.css?inline'
import { type ReportFacts, ReportPage } from './report-page.tsx'
import { createWords } from './words.ts'

/** The style of everything below; goes into the same root as the report, after the widget's own sheet. */
export { reportCss }

/** In steps: at once, a long report would hold up a tap on a slow phone. */
export function* read(
  raw: object,
  agencies: readonly Agency[] | undefined,
  preparedAtMs: number,
): Generator<void, Pick<ReportProps, 'report' | 'read'>> {
  const report = yield* readReport(raw)
  yield
  return { report, read: yield* readAll(report, agencies, preparedAtMs) }
}

export type ReportProps = ReportFacts & {
  /** The words of the screens before it. */
  words: SharedWords
  /** The way on that the lender offers. */
  next: ComponentChildren
  /** Until when the report can be opened again with the date of birth; 0 where it cannot. */
  opensUntilMs: number
  /** The page is still used. */
  onSeen: () => void
  /** The page has not been touched for ten minutes. */
  onIdle: () => void
  onClose: () => void
}

export function Report({ words: shared, next, opensUntilMs, onSeen, onIdle, onClose, ...rest }: ReportProps) {
  const words = useMemo(() => createWords(shared), [shared])
  const root = useRef<HTMLDivElement>(null)
  const [isPrivate, setPrivate] = useState(false)
  const [isRefused, setRefused] = useState(false)
  const paper = useRef<HTMLDivElement>(null)
  const drawPaper = () => <ReportPage {...rest} words={words} printing isPrivate={isPrivate} />
  useEffect(
    () => (paper.current ? drawForPrinting(paper.current, drawPaper) : undefined),
    [rest.read, words, isPrivate],
  )

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
  const opensForMinutes = Math.round((opensUntilMs - rest.preparedAtMs) / 60_000)

  const actions = (
    <>
      <div class="links">
        <Link onClick={printReport}>{words.print}</Link>
        {rest.report.records.length > 0 && (
          <Link aria-pressed={isPrivate} onClick={() => setPrivate(!isPrivate)}>
            {words.hideAmounts}
          </Link>
        )}
        <Link onClick={onClose}>{words.close}</Link>
      </div>
      <p class="hint" role="status">
        {isRefused && words.cannotPrint}
      </p>
      <p class="hint">
        {opensForMinutes > 0 && words.count(words.comeBack, opensForMinutes)} {words.privacy}
      </p>
    </>
  )
  return (
    <div ref={root}>
      {/* Before the screen, which the style sheet can then hide behind it. */}
      <div class="report-paper" ref={paper} />
      <div class="report-screen">
        <ReportPage {...rest} words={words} isPrivate={isPrivate} foot={{ next, actions }} />
      </div>
      <IdleWarning words={words} opensUntilMs={opensUntilMs} onPrint={printReport} onSeen={onSeen} onGone={onIdle} />
    </div>
  )
}
