// One report on a page of its own, in a shadow root as the widget shows it: `?sample=default&theme=dark&locale=cy&test`.
import { render, type VNode } from 'preact'
import { enCheck } from '../../strings/en-check.ts'
import { welsh } from '../../strings/welsh.ts'
import { addEnglish, createWords } from '../../strings/words.ts'
import widgetCss from '../../style/widget.css?inline'
import { Report, reportCss } from '../index.tsx'
import { SAMPLE_PREPARED_AT_MS, samples } from './samples.ts'

const options = new URLSearchParams(location.search)
const locale = options.get('locale') ?? 'en-GB'
const translation = locale === 'cy' ? welsh : undefined
addEnglish('check', enCheck)
const report = samples[options.get('sample') ?? 'default']?.()
const host = document.querySelector('main') ?? document.body
host.setAttribute('theme', options.get('theme') ?? 'auto')

const root = host.attachShadow({ mode: 'open' })
root.adoptedStyleSheets = [widgetCss, reportCss].map((css) => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  return sheet
})
const container = document.createElement('div')
container.className = 'root'
container.lang = locale
root.append(container)

// The widget shows a heading while it waits for the answer, so preact and the fonts are warm when the report arrives.
const show = (content: VNode) => render(<div class="panel">{content}</div>, container)
show(
  <h2 class="heading" key="waiting">
    Opening your report, please wait a moment. 0123456789 £
  </h2>,
)
const WAIT_MS = 100
if (report) {
  setTimeout(
    () =>
      show(
        <Report
          key="report"
          report={report}
          translation={translation?.report ?? null}
          words={createWords(locale, translation)}
          test={options.has('test')}
          preparedAtMs={SAMPLE_PREPARED_AT_MS}
          creditReportId="3f6c1a52-9a3e-4f0b-8a77-0d5d3c9b2e11"
          headingLevel={2}
        />,
      ),
    WAIT_MS,
  )
}
