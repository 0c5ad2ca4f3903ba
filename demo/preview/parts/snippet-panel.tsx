import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { readPins } from '../api.ts'
import { SNIPPET_KINDS, type SnippetKind, writeSnippet } from '../snippet.ts'
import { settings } from '../state.ts'
import { effective } from '../tokens.ts'
import type { Pins } from '../wire.ts'
import { Select, Switch } from './choice.tsx'
import { CopyButton } from './copy-button.tsx'

const kinds = Object.entries(SNIPPET_KINDS) as [SnippetKind, string][]

/** What a lender pastes to get what is on the stage. */
export function SnippetPanel(): JSX.Element {
  const kind = useSignal<SnippetKind>('html')
  const isPinned = useSignal(false)
  const pins = useSignal<Pins | null>(null)
  const trouble = useSignal('')
  useEffect(() => {
    readPins().then(
      (read) => {
        pins.value = read
      },
      (error: Error) => {
        trouble.value = error.message
      },
    )
  }, [])
  if (!pins.value) return <p class="empty">{trouble.value || 'Asking for the hashes.'}</p>
  const choices = { ...settings.value, tokens: effective(settings.value.tokens) }
  const snippet = writeSnippet(kind.value, choices, pins.value, isPinned.value)
  return (
    <>
      <div class="panel-tools">
        <Select label="For" value={kind.value} options={kinds} onChoose={(chosen) => (kind.value = chosen)} />
        {kind.value === 'html' && (
          <Switch label="Pin with integrity" isOn={isPinned.value} onSwitch={(isOn) => (isPinned.value = isOn)} />
        )}
      </div>
      <pre class="snippet">{snippet}</pre>
      <CopyButton text={() => snippet}>Copy</CopyButton>
    </>
  )
}
