import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { readPins } from '../api.ts'
import { PANELS, type Panel } from '../settings.ts'
import { SNIPPET_KINDS, type SnippetKind, writeSnippet } from '../snippet.ts'
import { change, events, settings } from '../state.ts'
import { effective } from '../tokens.ts'
import type { Pins } from '../wire.ts'
import { Select, Switch } from './choice.tsx'
import { CopyButton } from './copy-button.tsx'
import { DoctorPanel } from './doctor-panel.tsx'
import { RequestPanel } from './request-panel.tsx'
import { Tabs } from './tabs.tsx'
import { WalletPanel } from './wallet-panel.tsx'

const titles: { [panel in Panel]: string } = {
  events: 'Events',
  requests: 'Requests',
  wallet: 'Wallet',
  doctor: 'Doctor',
  snippet: 'Snippet',
}

const views: { [panel in Panel]: () => JSX.Element } = {
  events: EventPanel,
  requests: RequestPanel,
  wallet: WalletPanel,
  doctor: DoctorPanel,
  snippet: SnippetPanel,
}

export function Panels(): JSX.Element {
  const { panel } = settings.value
  const View = views[panel]
  return (
    <aside class="panels" aria-label="What happens">
      <Tabs
        label="Panels"
        names={PANELS}
        titles={titles}
        chosen={panel}
        onChoose={(chosen) => change({ panel: chosen })}
      >
        <View key={panel} />
      </Tabs>
    </aside>
  )
}

/** The events that the lender's page gets. */
function EventPanel(): JSX.Element {
  const [first] = events.value
  if (!first) return <p class="empty">Events of the widget appear here. They never carry anything personal.</p>
  return (
    <ol class="events">
      {events.value.toReversed().map(({ name, detail, atMs }) => (
        <li class={name === 'error' || name === 'policy-violation' ? 'bad' : ''}>
          <time>{((atMs - first.atMs) / 1000).toFixed(2)} s</time>
          <b>{name}</b>
          <code>{describe(detail)}</code>
        </li>
      ))}
    </ol>
  )
}

function describe(detail: { [key: string]: unknown }): string {
  return Object.entries(detail)
    .map(([key, value]) => `${key}: ${String(value)}`)
    .join(', ')
}

const kinds = Object.entries(SNIPPET_KINDS) as [SnippetKind, string][]

/** The code to paste for what is on the stage. */
function SnippetPanel(): JSX.Element {
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
