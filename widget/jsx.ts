// The element's attributes for any library's templates, and its events in the DOM. What each library adds is in
// `types/`: named here, it would ask every project for all of their types.
import type { WidgetEvents } from './events.ts'
import type { Prefill } from './fields/answers.ts'
import type { AddressLookup } from './frame.ts'
import type { Strings } from './strings/en.ts'

type Listeners = { [Name in keyof WidgetEvents as `on${Name}`]?: (event: CustomEvent<WidgetEvents[Name]>) => void }

/** The properties of the element that a page can set. */
export type WidgetProperties = {
  /**
   * The consumer's details that the page already knows. Set them as early as possible; it stays editable, unless the
   * element is `locked`.
   */
  prefill: Prefill
  /** The lender's own wording of every screen before the report, key by key, over the built-in one. */
  strings: Partial<Strings>
  /** Finds addresses by postcode. Without it, or when it fails, the address is typed in. */
  addressLookup: AddressLookup | null
}

export type CreditReportWidgetAttributes = Listeners &
  Partial<WidgetProperties> & {
    /** The path of the tenant proxy, on the page's own origin. @default '/credit-reports' */
    endpoint?: string
    /** `en-GB` or `cy`. @default the nearest `lang` */
    locale?: string
    /** The languages to offer the consumer a choice of, for example `en-GB cy`. @default no choice */
    locales?: string
    /** `auto` follows the page's `color-scheme`. @default 'auto' */
    theme?: 'auto' | 'light' | 'dark'
    /** The name under which a form around the element gets the report's id. */
    name?: string
    /** A form around the element cannot be sent before the check is complete. */
    required?: boolean
    /**
     * Prefilled details that are valid are shown as text. The browser can still send anything: only `start` is
     * enforced.
     * @default false
     */
    locked?: boolean
    /** The value of `proxy.begin()` for an applicant your server knows: shown, not asked for. @default none */
    start?: string
    /** The device fingerprint script, when the proxy is not to say where it is. */
    'fingerprint-src'?: string
    /** Level of the element's headings, 1 to 6. @default 2 */
    'heading-level'?: number | string
    /**
     * The words of a button that leads on from the report, such as “Continue to Larkfield”; it fires
     * `credit-report-next`. @default no button
     */
    'next-label'?: string
    /** Months of addresses to ask for; 0 asks for one address and no dates. @default 36 */
    'address-history-months'?: number | string
    /**
     * `required` asks for a mobile number. Without one, a check that needs a code asks for it later. @default
     * 'required'
     */
    mobile?: 'required' | 'optional'
    /** The countries whose mobile numbers are accepted: ISO 3166 codes such as `GB IE`, or `any`. @default 'GB' */
    'mobile-countries'?: string
    /** `off`: your server does not count which screens of the form are shown. @default 'on' */
    steps?: 'on' | 'off'
    /** `off`: your server does not keep what was typed for a reload of the tab. @default 'on' */
    drafts?: 'on' | 'off'
    /** The kind of search: named above the button that agrees. Without it nothing is promised about that. */
    search?: 'soft' | 'hard'
    /** The address of your privacy notice: a link above the button that agrees. @default none */
    'privacy-url'?: string
    /**
     * The address at which your customers sign in: offered, in a tab of its own, when your session is over. @default
     * none
     */
    'sign-in-url'?: string
    id?: string
    class?: string
    className?: string
    slot?: string
    title?: string
    /**
     * The usual place of the `--credit-report-…` properties. An object of any kind, as each library has its own type
     * for it.
     */
    style?: string | object
    hidden?: boolean
    inert?: boolean
    /** With `fingerprint-src`: the nonce of the widget's tag. */
    nonce?: string
    lang?: string
    ref?: unknown
    key?: string | number
    children?: unknown
  }

type WidgetEventMap = { [Name in keyof WidgetEvents]: CustomEvent<WidgetEvents[Name]> }

declare global {
  interface GlobalEventHandlersEventMap extends WidgetEventMap {}
}
