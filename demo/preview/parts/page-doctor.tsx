import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import * as z from 'zod/mini'
import { hostOf } from '../frame.ts'
import { stageLabel } from '../state.ts'
import { Findings } from './doctor-panel.tsx'

const PageDiagnoses = z.array(z.object({ code: z.string(), problem: z.string(), fix: z.string() }))

/** What the widget on the stage finds wrong with its page. */
export function PageDoctor(): JSX.Element {
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
