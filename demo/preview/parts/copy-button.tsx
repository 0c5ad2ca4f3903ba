import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'

const THANKS_MS = 1_600

export function CopyButton({ text, children }: { text: () => string; children: string }): JSX.Element {
  const copied = useSignal(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text())
    copied.value = true
    setTimeout(() => {
      copied.value = false
    }, THANKS_MS)
  }
  return (
    <button type="button" class="small" onClick={copy} aria-live="polite">
      {copied.value ? 'Copied' : children}
    </button>
  )
}
