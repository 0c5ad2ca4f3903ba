// Runs beside the widget on a host page: takes the preview's knobs, and plays journeys when asked.
import './host.css'
import './add-accented.ts'
import type { Prefill } from '../../widget/fields/answers.ts'
import type { Journey } from '../journeys/journey.ts'
import { forceColours } from './forced-colours.ts'
import { type Played, type PlayOptions, play } from './play.ts'

/** What can be changed without another page. */
export type HostKnobs = {
  locale: string
  theme: string
  forcedColours: boolean
  /** Values of `--credit-report-…` properties. */
  tokens: { [name: string]: string }
  historyMonths: number
  prefill: Prefill
}

export type HostWindow = {
  apply(knobs: HostKnobs): void
  play(journey: Journey, options: PlayOptions): Promise<Played>
  /** What the widget itself finds wrong with the page. */
  diagnose(): Promise<unknown>
}

declare global {
  interface Window {
    /** How the preview reaches the page in its frame. */
    previewHost?: HostWindow
  }
}

const widget = document.querySelector<HTMLElement & { diagnose?: () => Promise<unknown> }>('credit-report-widget')

if (widget) {
  const appliedTokens = new Set<string>()

  window.previewHost = {
    apply({ locale, theme, forcedColours, tokens, historyMonths, prefill }) {
      document.documentElement.dataset.theme = theme
      setAttribute('theme', theme, 'auto')
      setAttribute('address-history-months', String(historyMonths), '36')
      for (const name of appliedTokens) widget.style.removeProperty(name)
      for (const [name, value] of Object.entries(tokens)) {
        widget.style.setProperty(name, value)
        appliedTokens.add(name)
      }
      if (Object.keys(prefill).length > 0) Object.assign(widget, { prefill })
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
