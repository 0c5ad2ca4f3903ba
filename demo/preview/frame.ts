// The page in a frame: its address, what it receives, what it says.
import type { HostKnobs, HostWindow } from '../host/client.ts'
import { tagAttributes } from '../host/lender-parts.ts'
import type { Journey } from '../journeys/journey.ts'
import { describePerson } from '../people.ts'
import { endpointOf } from '../stages.ts'
import type { Settings } from './settings.ts'
import { effective } from './tokens.ts'

/** Everything that needs another page when it changes. */
export function hostAddress(journey: Journey, label: string, settings: Settings): string {
  const query = new URLSearchParams({ endpoint: endpointOf(journey, label), preset: settings.preset })
  if (settings.direction === 'rtl') query.set('dir', 'rtl')
  if (settings.isRequired) query.set('form', 'required')
  if (journey.fingerprint) query.set('fingerprint', journey.fingerprint)
  const { search = settings.search } = journey
  for (const [name, value] of tagAttributes({ ...settings, search })) query.set(name, value)
  return `/preview/host?${query}`
}

/** Everything that does not. */
export function knobsOf(journey: Journey, settings: Settings): HostKnobs {
  const { locale, theme, forcedColours, tokens, historyMonths, person, addressCount } = settings
  const { hasSlots, hasOwnWords, hasLookup, offersLanguages } = settings
  const prefill = person === 'no-one' ? {} : describePerson(person, addressCount, journey.lastName)
  const added = { hasSlots, hasOwnWords, hasLookup, offersLanguages }
  return { locale, theme, forcedColours, tokens: effective(tokens), historyMonths, prefill, ...added }
}

const READY_LIMIT_MS = 60_000

/** The page's side of the conversation, once its script has run. */
export async function hostOf(frame: HTMLIFrameElement): Promise<HostWindow> {
  const giveUpAtMs = Date.now() + READY_LIMIT_MS
  while (Date.now() < giveUpAtMs) {
    const host = frame.contentWindow?.previewHost
    if (host) return host
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('the page in the frame did not start')
}

type FrameMessage = { name: string; detail: { [key: string]: unknown }; atMs: number }

/** Reads a message of `early.js` on a host page; null for anything else that arrives. */
export function readFrameMessage({ data, origin }: MessageEvent): FrameMessage | null {
  if (origin !== location.origin || data?.kind !== 'widget-event' || typeof data.name !== 'string') return null
  return { name: data.name, detail: data.detail ?? {}, atMs: Number(data.atMs) }
}
