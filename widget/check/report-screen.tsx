import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { type Chunks, loadChunk } from '../chunks.ts'
import type { ScreenNamed } from '../flow.ts'
import { useFrame } from '../frame.ts'
import { Heading } from '../screens/heading.tsx'
import { Message } from './outcome-screen.tsx'

type Props = { screen: ScreenNamed<'report'>; test: boolean }

/** The whole report, its figures, or only that it is done: as much as the lender shows. */
export function ReportScreen({ screen, test }: Props): JSX.Element {
  const { words } = useFrame()
  const { creditReport, summary } = screen.data
  if (creditReport) return <FullReport screen={screen} report={creditReport} test={test} />
  return (
    <Message icon="done" title={words('doneTitle')}>
      <p class="lead">{words('doneLead')}</p>
      {summary && (
        <dl class="figures">
          {(['openAccounts', 'settledAccounts', 'searches'] as const).map((name) => (
            <div>
              <dt>{words(name)}</dt>
              <dd>{summary[name]}</dd>
            </div>
          ))}
        </dl>
      )}
    </Message>
  )
}

type FullProps = Props & { report: NonNullable<Props['screen']['data']['creditReport']> }

function FullReport({ screen, report, test }: FullProps): JSX.Element {
  const { words, headingLevel, reportStrings, addStyles } = useFrame()
  const loaded = useSignal<Chunks['report'] | 'failed' | null>(null)
  const box = useRef<HTMLDivElement>(null)

  const load = () => {
    loaded.value = null
    loadChunk('report').then(
      (chunk) => {
        addStyles(chunk.reportCss)
        loaded.value = chunk
      },
      () => {
        loaded.value = 'failed'
      },
    )
  }
  useEffect(load, [])

  const chunk = loaded.value
  if (chunk === 'failed')
    return (
      <Message icon="alert" title={words('brokenTitle')}>
        <div class="actions">
          <button type="button" class="button" part="button" onClick={load}>
            {words('tryAgain')}
          </button>
        </div>
      </Message>
    )
  return (
    <div ref={box} class={chunk ? 'report-box' : 'waiting'}>
      {chunk ? (
        <chunk.Report
          report={report}
          strings={reportStrings ?? chunk.reportStrings}
          locale={words.locale}
          test={test}
          preparedAtMs={screen.preparedAtMs}
          creditReportId={screen.creditReportId}
          headingLevel={headingLevel}
        />
      ) : (
        <>
          <span class="spinner" aria-hidden="true" />
          <Heading>{words('opening')}</Heading>
        </>
      )}
    </div>
  )
}
