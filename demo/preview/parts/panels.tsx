import type { JSX } from 'preact'
import { PANELS, type Panel } from '../settings.ts'
import { change, settings } from '../state.ts'
import { DoctorPanel } from './doctor-panel.tsx'
import { EventPanel } from './event-panel.tsx'
import { RequestPanel } from './request-panel.tsx'
import { SnippetPanel } from './snippet-panel.tsx'
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
