// <credit-report-widget>: attributes and properties in, events out. Importing this file registers nothing and is safe
// on a server.
import { signal } from '@preact/signals'
import { render } from 'preact'
import { PROXY_PATH } from '../contract/proxy-path.ts'
import { VERSION } from '../contract/versions.ts'
import { createSession } from './create-session.ts'
import type { Diagnosis } from './diagnose.ts'
import { errorEvent, eventsBetween, isComplete, type WidgetEvent } from './events.ts'
import type { Prefill } from './fields/answers.ts'
import type { AddressLookup, Frame } from './frame.ts'
import type { WidgetProperties } from './jsx.ts'
import { ownTag } from './own-tag.ts'
import { ownUrl } from './own-url.ts'
import { App } from './screens/app.tsx'
import type { Session, SessionOptions } from './session.ts'
import type { Strings } from './strings/en.ts'
import { findLocale, LOCALES, type Locale, type LocaleTag, readLocales } from './strings/locales.ts'
import { createWords, type Translation } from './strings/words.ts'
import { addStyles } from './style/styles.ts'
import css from './style/widget.css?inline'

export type { Diagnosis } from './diagnose.ts'
export type { WidgetEvents } from './events.ts'
export type { Prefill, PrefillAddress } from './fields/answers.ts'
export type { AddressLookup } from './frame.ts'
export type { CreditReportWidgetAttributes } from './jsx.ts'
export type { Strings } from './strings/en.ts'

declare global {
  interface HTMLElementTagNameMap {
    'credit-report-widget': CreditReportWidget
  }
}

const HISTORY_MONTHS_DEFAULT = '36'
const HEADING_LEVEL_DEFAULT = 2
const HEADING_LEVEL_MAX = 6

/** Back in the page by then, the element has lost nothing. */
const AWAY_MAX_MS = 5_000

/** Said here, because the doctor is one of the chunks. */
const CHUNK_BLOCKED: Diagnosis = {
  code: 'chunk-blocked',
  problem: 'A part of the widget that comes after the form could not be loaded.',
  fix: 'Serve every file of dist/widget beside widget.js with the bytes it was built with, and allow that origin in script-src.',
}

/** A change of one of these starts over; of any other, nothing typed is lost. */
const RESTARTING = [
  'endpoint',
  'start',
  'locked',
  'fingerprint-src',
  'address-history-months',
  'mobile',
  'mobile-countries',
]

// There is no HTMLElement where a page is rendered on a server; the class is then only a name.
const Base: typeof HTMLElement = globalThis.HTMLElement ?? Object

export class CreditReportWidget extends Base implements WidgetProperties {
  static readonly version: string = VERSION
  static readonly formAssociated = true
  /** The languages of all elements, by tag. The preview and the tests add one here that no lender gets. */
  static readonly locales: { [tag: string]: Locale } = LOCALES
  static readonly observedAttributes = [
    ...RESTARTING,
    'locale',
    'locales',
    'lang',
    'heading-level',
    'next-label',
    'privacy-url',
    'search',
    'sign-in-url',
    'required',
  ]

  #prefill: Prefill = {}
  #strings: Partial<Strings> = {}
  #addressLookup: AddressLookup | null = null
  /** The consumer's own choice, where the lender offers one. */
  #chosenLocale: LocaleTag | null = null
  /** Without a translation it is English, of the first screen only. */
  #spoken: { tag: LocaleTag; translation: Translation | null } = { tag: 'en-GB', translation: null }
  #session: Session | null = null
  #connected: AbortController | null = null
  #leaving: ReturnType<typeof setTimeout> | undefined
  readonly #frame = signal<Frame | null>(null)
  readonly #internals = this.attachInternals?.()

  get prefill(): Prefill {
    return this.#prefill
  }
  set prefill(prefill: Prefill) {
    this.#prefill = prefill ?? {}
    const by = this.hasAttribute('locked') ? 'locked' : undefined
    this.#session?.send({ type: 'prefill', prefill: this.#prefill, by })
  }

  get strings(): Partial<Strings> {
    return this.#strings
  }
  set strings(strings: Partial<Strings>) {
    this.#strings = strings ?? {}
    this.#reframe()
  }

  get addressLookup(): AddressLookup | null {
    return this.#addressLookup
  }
  set addressLookup(lookup: AddressLookup | null) {
    this.#addressLookup = lookup
    this.#reframe()
  }

  /** The id of the finished report, empty before: what the element adds to a form under its `name`. */
  get value(): string {
    const screen = this.#session?.flow.value.screen
    return screen && isComplete(screen) ? screen.creditReportId : ''
  }

  /** Starts over with an empty form. */
  reset(): void {
    this.#session?.send({ type: 'reset' })
    this.prefill = this.#prefill
  }

  /** Focuses what the consumer has to deal with: a problem, else the first input, else the heading. */
  override focus(options?: FocusOptions): void {
    const root = this.shadowRoot
    const find = (selector: string) => root?.querySelector<HTMLElement>(selector)
    const lastStop = root && this.#session?.check.value?.findLastStop(root)
    const target = lastStop ?? find('.summary') ?? find('input') ?? find('.heading')
    target?.focus(options)
  }

  /** Focus traps go by this property: the element itself is no Tab stop, but what is in it has some. */
  override get tabIndex(): number {
    return Number(this.getAttribute('tabindex'))
  }
  override set tabIndex(index: number) {
    this.setAttribute('tabindex', String(index))
  }

  /** Looks for everything that could keep the widget from working on this page, and says how to fix it. */
  async diagnose(): Promise<Diagnosis[]> {
    const doctor = await import('./diagnose.ts').catch(() => null)
    if (!doctor) return [CHUNK_BLOCKED]
    return doctor.diagnose({
      endpoint: this.#endpoint,
      ...this.#origins,
      chunkBlocked: CHUNK_BLOCKED,
      element: this,
    })
  }

  connectedCallback(): void {
    clearTimeout(this.#leaving)
    if (this.#session) return
    this.#takeEarlyProperties()
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open', delegatesFocus: this.hasAttribute('tabindex') })
    addStyles(root, css)
    this.#start(root)
  }

  disconnectedCallback(): void {
    // Frameworks, and libraries that morph a page, take the element out and put it back; what was typed survives that.
    this.#leaving = setTimeout(() => this.#stop(), AWAY_MAX_MS)
  }

  /** Moved without leaving the page: nothing to do, and nothing to lose. */
  connectedMoveCallback(): void {}

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    // Templates and morphing libraries set attributes to what they are.
    if (!this.#session || before === after) return
    if (name === 'locale') this.#chosenLocale = null
    if (RESTARTING.includes(name)) {
      this.#stop()
      this.connectedCallback()
    } else {
      this.#reframe()
      this.#contribute()
    }
  }

  formResetCallback(): void {
    this.reset()
  }

  formDisabledCallback(isDisabled: boolean): void {
    this.shadowRoot?.querySelector('.root')?.toggleAttribute('inert', isDisabled)
  }

  get #endpoint(): string {
    return this.getAttribute('endpoint') || PROXY_PATH
  }

  /** Addresses that scripts may come from. */
  get #origins(): Pick<SessionOptions, 'fingerprintSrc' | 'pageNonce' | 'scriptSrc'> {
    return {
      fingerprintSrc: this.getAttribute('fingerprint-src'),
      pageNonce: this.nonce === ownTag.nonce ? ownTag.nonce : '',
      scriptSrc: ownTag.src,
    }
  }

  #start(root: ShadowRoot): void {
    const connected = new AbortController()
    const { signal } = connected
    const session = createSession({
      endpoint: this.#endpoint,
      ...this.#origins,
      historyMonths: Number(this.getAttribute('address-history-months') ?? HISTORY_MONTHS_DEFAULT) || 0,
      isMobileRequired: this.getAttribute('mobile') !== 'optional',
      mobileCountries: readList(this.getAttribute('mobile-countries')).map((code) => code.toUpperCase()),
      prefill: this.#prefill,
      isLocked: this.hasAttribute('locked'),
      start: this.getAttribute('start'),
      sendsSteps: this.getAttribute('steps') !== 'off',
      keepsDrafts: this.getAttribute('drafts') !== 'off',
      consent: () => this.#readConsent(),
      loadWords: () => this.#loadWords(),
      onFault: (fault) => this.#tell(errorEvent(fault)),
    })
    this.#session = session
    this.#connected = connected
    this.#reframe()
    render(<App session={session} frame={this.#frame} />, root)
    this.formDisabledCallback(this.matches(':disabled'))

    let before = session.flow.value
    const follow = () => {
      const events = eventsBetween(before, session.flow.value)
      before = session.flow.value
      this.#contribute()
      for (const event of events) this.#tell(event)
    }
    signal.addEventListener('abort', session.flow.subscribe(follow))

    listen(root, session, signal)
    // If the script is already loaded, the parser creates the element before its children: look again for a consent
    // slot when children arrive.
    const watch = new MutationObserver((changes) => {
      const isSpoken = changes.some(({ type }) => type === 'attributes')
      if (isSpoken || this.#frame.value?.asksConsent !== (this.#consentSlot !== null)) this.#reframe()
    })
    watch.observe(this, { childList: true })
    watch.observe(document.documentElement, { attributeFilter: ['lang'] })
    signal.addEventListener('abort', () => watch.disconnect())
    afterPaint(() => {
      if (signal.aborted) return
      this.#tell({ name: 'credit-report-ready', detail: { version: CreditReportWidget.version } })
      session.begin()
    })
  }

  #stop(): void {
    this.#connected?.abort()
    this.#session?.end()
    this.#session = null
    if (this.shadowRoot) render(null, this.shadowRoot)
  }

  /** The language, the lender's words and everything else the screens share; what was typed stays as it is. */
  #reframe(): void {
    const session = this.#session
    if (!session) return
    const { tag, translation } = this.#speakLocale()
    const level = Number(this.getAttribute('heading-level')) || HEADING_LEVEL_DEFAULT
    this.#frame.value = {
      words: createWords(tag, translation, this.#strings),
      headingLevel: Math.min(HEADING_LEVEL_MAX, Math.max(1, level)),
      mayFocus: session.isTouched,
      asksConsent: this.#consentSlot !== null,
      addressLookup: this.#addressLookup,
      nextLabel: this.getAttribute('next-label'),
      search: readSearch(this.getAttribute('search')),
      privacyUrl: readUrl(this.getAttribute('privacy-url')),
      signInUrl: readUrl(this.getAttribute('sign-in-url')),
      tell: (event) => this.#tell(event),
      locales: this.#locales,
      chooseLocale: (locale) => {
        this.#chosenLocale = locale
        this.#reframe()
      },
      addStyles: (more) => this.shadowRoot && addStyles(this.shadowRoot, more),
    }
  }

  /** The languages the lender offers a choice of. */
  get #locales(): LocaleTag[] {
    return readLocales(this.getAttribute('locales') ?? '')
  }

  /** The language of the page, or of the consumer's choice. */
  get #wantedLocale(): LocaleTag {
    const offered = this.#locales
    const asked = this.getAttribute('locale') ?? this.closest('[lang]')?.getAttribute('lang') ?? ''
    const wanted = this.#chosenLocale ?? findLocale(asked)
    return offered[0] && !offered.includes(wanted) ? offered[0] : wanted
  }

  /** The language to speak now: the one wanted, or the last one until its words are there; and if they never come. */
  #speakLocale(): { tag: LocaleTag; translation: Translation | null } {
    const tag = this.#wantedLocale
    if (tag !== this.#spoken.tag)
      this.#learn(tag).catch(() => this.#tell(errorEvent({ code: 'script-blocked', status: 0 })))
    return this.#spoken
  }

  async #learn(tag: LocaleTag): Promise<void> {
    const translation = await LOCALES[tag].load()
    this.#spoken = { tag, translation }
    this.#reframe()
  }

  /** Every screen but the first waits for this, and is in English where the language that is wanted does not come. */
  async #loadWords(): Promise<void> {
    if (!this.#spoken.translation) await this.#learn(this.#wantedLocale).catch(() => this.#learn('en-GB'))
  }

  get #consentSlot(): HTMLElement | null {
    return this.querySelector<HTMLElement>(':scope > [slot="consent"]')
  }

  #readConsent(): { version?: string; locale: string; ticked: boolean } {
    const { version } = this.#consentSlot?.dataset ?? {}
    return { ...(version && { version }), locale: this.#spoken.tag, ticked: this.#consentSlot !== null }
  }

  /** The element's part in a form around it: the reference of a finished check, and nothing before. */
  #contribute(): void {
    const { value } = this
    const { words } = this.#frame.value ?? {}
    const isMissing = this.hasAttribute('required') && !value
    const anchor = this.shadowRoot?.querySelector<HTMLElement>('.heading') ?? this
    this.#internals?.setFormValue(value || null)
    if (isMissing && words) this.#internals?.setValidity({ valueMissing: true }, words('needed'), anchor)
    else this.#internals?.setValidity({})
  }

  #tell({ name, detail }: WidgetEvent): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }

  /** Properties a page set before this class was there hide the accessors above. */
  #takeEarlyProperties(): void {
    for (const name of ['prefill', 'strings', 'addressLookup']) {
      const early = Object.getOwnPropertyDescriptor(this, name)
      if (!early) continue
      Reflect.deleteProperty(this, name)
      Reflect.set(this, name, early.value)
    }
  }
}

function readSearch(attribute: string | null): 'soft' | 'hard' | null {
  return attribute === 'soft' || attribute === 'hard' ? attribute : null
}

/** An address to lead people to; never a script. */
function readUrl(attribute: string | null): string | null {
  const url = attribute ? ownUrl(attribute) : null
  return url && /^https?:$/.test(url.protocol) ? url.href : null
}

function readList(attribute: string | null): string[] {
  return (attribute ?? '').split(/[\s,]+/).filter(Boolean)
}

function afterPaint(run: () => void): void {
  // A hidden page is not painted at all.
  if (document.visibilityState === 'visible') requestAnimationFrame(() => setTimeout(run))
  else setTimeout(run)
}

// Events the element listens to while it is in the page, and those it keeps from the page.

// Typed text is never the page's own, so neither its shortcuts nor careless recorders get to see it. Tab and
// Escape pass: a dialog around the element needs them. A script that listens while capturing still sees everything.
const PRIVATE_EVENTS = ['keydown', 'keyup', 'keypress', 'beforeinput', 'input', 'paste', 'copy', 'cut']

function listen(root: ShadowRoot, session: Session, signal: AbortSignal): void {
  for (const type of PRIVATE_EVENTS) root.addEventListener(type, keepPrivate, { signal })
  // A click alone is how assistive technology presses.
  for (const type of ['input', 'pointerdown', 'keydown', 'click'])
    root.addEventListener(type, session.touch, { signal })
  signal.addEventListener(
    'abort',
    session.check.subscribe((check) => check?.attend(root, signal)),
  )
  const sync = () => document.visibilityState === 'visible' && session.sync()
  document.addEventListener('visibilitychange', sync, { signal })
  window.addEventListener('pageshow', sync, { signal })
  window.addEventListener('online', sync, { signal })
  // The browser may keep the page (bfcache) and show it to the next person who presses Back.
  window.addEventListener('pagehide', () => session.send({ type: 'leave' }), { signal })
}

function keepPrivate(event: Event): void {
  if (!(event instanceof KeyboardEvent && (event.key === 'Tab' || event.key === 'Escape'))) event.stopPropagation()
}
