// Runs beside the widget on a host page: takes the preview's knobs, and plays journeys when asked.
import './host.css'
import './add-accented.ts'
import type { Prefill } from '../../widget/fields/answers.ts'
import type { Journey } from '../journeys/journey.ts'
import { forceColours } from './forced-colours.ts'
import { LOCALES_OFFERED, lookUp, OWN_WORDS, SLOTS, tagOf } from './lender-parts.ts'
import { type PlayOptions, play } from './play.ts'

/** Settings that change without another page. */
export type HostKnobs = {
  locale: string
  theme: string
  forcedColours: boolean
  /** Values of `--credit-report-…` properties. */
  tokens: { [name: string]: string }
  historyMonths: number
  prefill: Prefill
  hasSlots: boolean
  hasOwnWords: boolean
  hasLookup: boolean
  offersLanguages: boolean
}

export type HostWindow = {
  apply(knobs: HostKnobs): void
  play(journey: Journey, options: PlayOptions): Promise<void>
  /** The problems that the widget itself finds in the page. */
  diagnose(): Promise<unknown>
}

declare global {
  interface Window {
    /** The preview's way to the page in its frame. */
    previewHost?: HostWindow
  }
}

const widget = document.querySelector<HTMLElement & { diagnose?: () => Promise<unknown> }>('credit-report-widget')

if (widget) {
  const appliedTokens = new Set<string>()

  window.previewHost = {
    apply({ locale, theme, forcedColours, tokens, historyMonths, prefill, ...added }) {
      document.documentElement.dataset.theme = theme
      setAttribute('theme', theme, 'auto')
      setAttribute('address-history-months', String(historyMonths), '36')
      for (const name of appliedTokens) widget.style.removeProperty(name)
      for (const [name, value] of Object.entries(tokens)) {
        widget.style.setProperty(name, value)
        appliedTokens.add(name)
      }
      if (Object.keys(prefill).length > 0) Object.assign(widget, { prefill })
      Object.assign(widget, {
        strings: added.hasOwnWords ? OWN_WORDS : {},
        addressLookup: added.hasLookup ? lookUp : null,
      })
      if (added.offersLanguages) widget.setAttribute('locales', LOCALES_OFFERED)
      else widget.removeAttribute('locales')
      fillSlots(widget, added.hasSlots)
      customElements.whenDefined(widget.localName).then(() => {
        // Not before: until then the widget does not know every language of the preview.
        setAttribute('locale', locale, 'en-GB')
        forceColours(widget, forcedColours)
      })
    },
    play: (journey, options) => play(widget, journey, options),
    diagnose: async () => (await widget.diagnose?.()) ?? [],
  }

  // A change starts the widget again in some cases; writing down what it does anyway would be one.
  function setAttribute(name: string, value: string, standard: string): void {
    if (widget && (widget.getAttribute(name) ?? standard) !== value) widget.setAttribute(name, value)
  }
}

document.forms[0]?.addEventListener('submit', (event) => {
  event.preventDefault()
  const form = event.currentTarget
  const sent = form instanceof HTMLFormElement ? new FormData(form).get('creditReportId') : null
  document.querySelector('output')?.replaceChildren(`The form was sent with creditReportId ${sent}.`)
})

function fillSlots(element: Element, isFilled: boolean): void {
  const filled = element.querySelectorAll(':scope > [slot]')
  if (isFilled === filled.length > 0) return
  for (const each of filled) each.remove()
  if (isFilled) element.append(...SLOTS.map(writeSlot))
}

function writeSlot(each: (typeof SLOTS)[number]): HTMLElement {
  const [slot, words, version] = each
  const content = document.createElement(tagOf(each))
  content.slot = slot
  content.append(words)
  if (version) content.dataset.version = version
  return content
}
