import { useEffect, useRef, useState } from 'preact/hooks'
import type { Agency } from '../../contract/credit-report.ts'
import { spacedReference } from '../../contract/short-reference.ts'
import { listAgencies } from '../agencies.ts'
import type { ScreenNamed } from '../flow/flow.ts'
import { useFrame } from '../frame.ts'
import { Report, type ReportProps, read, reportCss } from '../report/index.tsx'
import type { Session } from '../session.ts'
import { Message } from './message.tsx'
import { Next } from './next.tsx'
import { Waiting } from './waiting.tsx'

type Props = { session: Session; screen: ScreenNamed<'report'>; test: boolean }

/** The whole report, its figures, or only that it is done: as much as the lender shows. */
export function ReportScreen({ session, screen, test }: Props) {
  const { words } = useFrame()
  const { creditReport, summary } = screen.data
  if (creditReport)
    return (
      <FullReport key={screen.creditReportId} session={session} screen={screen} report={creditReport} test={test} />
    )
  return (
    <Message icon="done" title={words('doneTitle')}>
      <p class="lead">{words(summary ? 'summaryLead' : 'doneLead')}</p>
      {summary && <SummarySources agencies={screen.data.agencies} />}
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
      <Next creditReportId={screen.creditReportId} />
    </Message>
  )
}

/** The agencies that the figures come from, and the meaning of a missing one. */
function SummarySources({ agencies }: { agencies: readonly Agency[] | undefined }) {
  const { words } = useFrame()
  if (!agencies) return <p class="hint">{words('summaryUnknown')}</p>
  const having = (status: string) => agencies.filter((agency) => agency.status === status).map(({ id }) => id)
  const answered = having('answered')
  const noFile = having('no-file')
  // A status this version does not know is not an answer.
  const away = agencies.map(({ id }) => id).filter((id) => !answered.includes(id) && !noFile.includes(id))
  return (
    <>
      {away.length > 0 && <p class="notice">{words('summaryAway', { agencies: listAgencies(words, away) })}</p>}
      {answered.length > 0 && <p class="hint">{words('summaryFrom', { agencies: listAgencies(words, answered) })}</p>}
      {noFile.length > 0 && <p class="hint">{words('summaryNoFile', { agencies: listAgencies(words, noFile) })}</p>}
    </>
  )
}

type FullProps = Props & { report: NonNullable<Props['screen']['data']['creditReport']> }

function FullReport({ session, screen, report, test }: FullProps) {
  const { words, headingLevel, addStyles, mayFocus } = useFrame()
  const { creditReportId } = screen
  const { opening } = screen.data
  const [opened, setOpened] = useState<Pick<ReportProps, 'report' | 'read'> | null>(null)
  const box = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const open = async () => {
      // A task each: in one, the style sheet, the reading and the first drawing would hold up a tap on a slow phone.
      await nextTask()
      addStyles(reportCss)
      await nextTask()
      const steps = read(report, screen.data.agencies, screen.preparedAtMs)
      let step = steps.next()
      for (; !step.done; step = steps.next()) await nextTask()
      await nextTask()
      setOpened(step.value)
    }
    void open()
  }, [])
  useEffect(() => {
    if (opened && mayFocus()) box.current?.querySelector<HTMLElement>('.heading')?.focus()
  }, [opened])

  if (!opened) return <Waiting title={words('opening')} />
  return (
    <div ref={box}>
      <Report
        {...opened}
        words={words}
        test={test}
        preparedAtMs={screen.preparedAtMs}
        reference={spacedReference(creditReportId)}
        headingLevel={headingLevel}
        next={<Next creditReportId={creditReportId} />}
        opensUntilMs={opening ? screen.preparedAtMs + opening.expiresInSeconds * 1_000 : 0}
        onSeen={() => session.send({ type: 'seen' })}
        onIdle={() => session.send({ type: 'idle' })}
        onClose={() => session.send({ type: 'close' })}
      />
    </div>
  )
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
