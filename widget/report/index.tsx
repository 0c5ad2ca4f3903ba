// The report a consumer reads. A chunk of its own: the widget fetches it while the person waits for the text message.
import type { ComponentChildren, JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { CreditReport } from '../../contract/credit-report.ts'
import { print } from './print.ts'
import reportCss from './report.css?inline'
import { ReportPage } from './report-page.tsx'
import type { ReportStrings } from './strings.ts'

export { reportStrings } from './strings.ts'
export type { ReportStrings }
/** The style of everything below; goes into the same root as the report, after the widget's own sheet. */
export { reportCss }

export type ReportProps = {
  report: CreditReport
  strings: ReportStrings
  locale: string
  /** True marks the whole report, on screen and on paper, as synthetic. */
  test: boolean
  preparedAtMs: number
  creditReportId: string
  /** Level of the report's own heading, 1 to 6. */
  headingLevel: number
}

export function Report(props: ReportProps): JSX.Element {
  const { strings } = props
  const root = useRef<HTMLDivElement>(null)
  const [isPrivate, setPrivate] = useState(false)

  const printReport = () => {
    if (!root.current) return
    print({
      near: root.current,
      content: (
        <div class="root">
          <div class="panel">
            <ReportPage {...props} printing isPrivate={isPrivate} />
          </div>
        </div>
      ),
      title: `${strings.title} ${new Date(props.preparedAtMs).toISOString().slice(0, 10)}`,
      locale: props.locale,
    })
  }

  return (
    <div ref={root}>
      <ReportPage {...props} isPrivate={isPrivate}>
        <Action onClick={printReport}>{strings.print}</Action>
        <Action pressed={isPrivate} onClick={() => setPrivate(!isPrivate)}>
          {strings.hideAmounts}
        </Action>
      </ReportPage>
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
