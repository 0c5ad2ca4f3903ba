import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import * as z from 'zod/mini'
import type { StageName } from '../../stages.ts'
import { readDiagnoses } from '../api.ts'
import { hostOf } from '../frame.ts'
import { stageLabel } from '../state.ts'
import type { Diagnoses } from '../wire.ts'
import { Select } from './choice.tsx'

type Patient = StageName | ''

const patients: readonly (readonly [Patient, string])[] = [
  ['', 'The shop’s proxy, as it is'],
  ['wrong-secret', 'A proxy with a wrong secret'],
  ['service-down', 'A proxy whose service is down'],
]

/** The findings of `proxy.doctor()` and `element.diagnose()`. */
export function DoctorPanel(): JSX.Element {
  const patient = useSignal<Patient>('')
  const found = useSignal<Diagnoses | null>(null)
  const trouble = useSignal('')
  useEffect(() => {
    let isCurrent = true
    found.value = null
    trouble.value = ''
    readDiagnoses(patient.value).then(
      (diagnoses) => {
        if (isCurrent) found.value = diagnoses
      },
      (error: Error) => {
        if (isCurrent) trouble.value = error.message
      },
    )
    return () => {
      isCurrent = false
    }
  }, [patient.value])
  return (
    <>
      <Select label="Server" value={patient.value} options={patients} onChoose={(chosen) => (patient.value = chosen)} />
      {found.value === null ? <p class="empty">{trouble.value || 'Looking.'}</p> : <Findings findings={found.value} />}
      <h3>Page</h3>
      <PageDoctor />
    </>
  )
}

function Findings({ findings }: { findings: Diagnoses }): JSX.Element {
  return (
    <ul class="findings">
      {findings.map(({ check, ok, message, fix }) => (
        <li class={ok ? 'good' : 'bad'}>
          <b>{ok ? '✓' : '✗'}</b>
          <span>
            <strong>{check}</strong> {message}
            {fix && <em>{fix}</em>}
          </span>
        </li>
      ))}
    </ul>
  )
}

const PageDiagnoses = z.array(z.object({ code: z.string(), problem: z.string(), fix: z.string() }))

/** The problems that the widget on the stage finds in its page. */
function PageDoctor(): JSX.Element {
  const found = useSignal<z.infer<typeof PageDiagnoses> | null>(null)
  useEffect(() => {
    let isCurrent = true
    const look = async () => {
      const frame = document.querySelector<HTMLIFrameElement>('.stage iframe')
      const diagnoses = frame ? PageDiagnoses.parse(await (await hostOf(frame)).diagnose()) : []
      if (isCurrent) found.value = diagnoses
    }
    look().catch(() => undefined)
    return () => {
      isCurrent = false
    }
  }, [stageLabel.value])
  if (found.value === null) return <p class="empty">Looking.</p>
  if (found.value.length === 0) {
    return <Findings findings={[{ check: 'page', ok: true, message: 'lets the widget do everything it needs' }]} />
  }
  return (
    <Findings
      findings={found.value.map(({ code, problem, fix }) => ({ check: code, ok: false, message: problem, fix }))}
    />
  )
}
