// The element as TypeScript sees it: in the DOM, and in Preact's JSX. README shows the lines a React project adds: named
// here, they would ask every project for React's types.
import type { CreditReportWidget } from './element.tsx'
import type { WidgetEvents } from './events.ts'

type Listeners = { [Name in keyof WidgetEvents as `on${Name}`]?: (event: CustomEvent<WidgetEvents[Name]>) => void }

export type CreditReportWidgetAttributes = Listeners &
  Partial<Pick<CreditReportWidget, 'prefill' | 'strings' | 'addressLookup'>> & {
    /** Where the tenant proxy is mounted, on the page's own origin. @default '/credit-reports' */
    endpoint?: string
    /** `en-GB` or `cy`. @default the nearest `lang` */
    locale?: string
    /** `auto` follows the page's `color-scheme`. @default 'auto' */
    theme?: 'auto' | 'light' | 'dark'
    /** The name under which a form around the element gets the report's id. */
    name?: string
    /** A form around the element cannot be sent before the check is complete. */
    required?: boolean
    /** The device fingerprint script, when the proxy is not to say where it is. */
    'fingerprint-src'?: string
    /** Level of the element's headings, 1 to 6. @default 2 */
    'heading-level'?: number | string
    /** How many months of addresses to ask for; 0 asks for one address and no dates. @default 36 */
    'address-history-months'?: number | string
    id?: string
    class?: string
    className?: string
    slot?: string
    title?: string
    /** Where the `--credit-report-…` properties usually go. An object of any kind, as each library has its own type for it. */
    style?: string | object
    hidden?: boolean
    lang?: string
    ref?: unknown
    key?: string | number
    children?: unknown
  }

type WidgetEventMap = { [Name in keyof WidgetEvents]: CustomEvent<WidgetEvents[Name]> }

declare global {
  interface HTMLElementTagNameMap {
    'credit-report-widget': CreditReportWidget
  }
  interface GlobalEventHandlersEventMap extends WidgetEventMap {}
}

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'credit-report-widget': CreditReportWidgetAttributes
    }
  }
}
