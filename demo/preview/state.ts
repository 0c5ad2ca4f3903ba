// State shared by the preview's parts. Written here and nowhere else.
import { computed, signal } from '@preact/signals'
import type { Exchange } from '../exchange.ts'
import type { Journey } from '../journeys/journey.ts'
import { findJourney, journeys } from '../journeys/journeys.ts'
import { readSettings, type Settings, writeSettings } from './settings.ts'
import { StreamedExchange } from './wire.ts'

const EXCHANGES_KEPT = 600
const EVENTS_KEPT = 300

export const settings = signal<Settings>(readSettings(location.hash))

export function change(part: Partial<Settings>): void {
  settings.value = { ...settings.value, ...part }
  const hash = writeSettings(settings.value)
  history.replaceState(null, '', hash ? `#${hash}` : location.pathname)
}

window.addEventListener('hashchange', () => {
  settings.value = readSettings(location.hash)
})

export const journey = computed<Journey>(() => findJourney(settings.value.journey) ?? (journeys[0] as Journey))

/** Tells two runs apart, here and on other pages: labels are the server's to share. */
const page = Math.random().toString(36).slice(2, 8)
let runs = 0
function newLabel(): string {
  return `${page}-${++runs}`
}

/** The run on the stage. */
export const stageLabel = signal(newLabel())

type LoggedEvent = { name: string; detail: { [key: string]: unknown }; atMs: number }
export const events = signal<LoggedEvent[]>([])

export function logEvent(event: LoggedEvent): void {
  events.value = [...events.value, event].slice(-EVENTS_KEPT)
}

/** A fresh widget on the stage. */
export function restart(): void {
  stageLabel.value = newLabel()
  events.value = []
}

export const exchanges = signal<Exchange[]>([])

/** Hears of every request between widget, proxy and service. Reconnects by itself. */
export function listenToTraffic(): void {
  const stream = new EventSource('/preview/stream')
  stream.addEventListener('message', ({ data }) => {
    exchanges.value = [...exchanges.value, StreamedExchange.parse(JSON.parse(String(data)))].slice(-EXCHANGES_KEPT)
  })
}
