// <credit-report-widget>: attributes and properties in, events out. Importing this file registers nothing and is safe on a server.
import { effect, signal, untracked } from '@preact/signals'
import { render } from 'preact'
import { PROXY_PATH } from '../contract/tenant-proxy.ts'
import type { Prefill } from './answers.ts'
import { loadChunk } from './chunks.ts'
import type { Diagnosis } from './diagnose.ts'
import { errorEvent, eventsBetween, type WidgetEvent } from './events.ts'
import type { AddressLookup, Frame } from './frame.ts'
import { App } from './screens/app.tsx'
import { createSession, type Session } from './session.ts'
import { en, type Strings } from './strings/en.ts'
import { createWords } from './strings/words.ts'
import { addStyles } from './style/styles.ts'
import css from './style/widget.css?inline'

/** Put in by the build. */
declare const __VERSION__: string
const version = typeof __VERSION__ === 'string' ? __VERSION__ : '0.0.0'

const HISTORY_MONTHS_DEFAULT = 36
const HEADING_LEVEL_DEFAULT = 2
const PROPERTIES = ['prefill', 'strings', 'addressLookup'] as const

// There is no HTMLElement where a page is rendered on a server; the class is then only a name.
const Base: typeof HTMLElement = globalThis.HTMLElement ?? Object

export class CreditReportWidget extends Base {
  static readonly version: string = version
  static readonly formAssociated = true
  static readonly observedAttributes = [
    'endpoint',
    'locale',
    'lang',
    'heading-level',
    'required',
    'fingerprint-src',
    'address-history-months',
  ]

  #prefill: Prefill = {}
  #strings: Partial<Strings> = {}
  #addressLookup: AddressLookup | null = null
  #welsh: Partial<Pick<Awaited<ReturnType<typeof loadWelsh>>, 'cy' | 'reportCy'>> = {}
  #session: Session | null = null
  #connected: AbortController | null = null
  #formDisabled = false
  readonly #frame = signal<Frame | null>(null)
  readonly #internals = this.attachInternals?.() ?? null

  /** What the page already knows about the consumer. Set it as early as possible; everything stays editable. */
  get prefill(): Prefill {
    return this.#prefill
  }
  set prefill(prefill: Prefill) {
    this.#prefill = prefill ?? {}
    this.#session?.send({ type: 'prefill', prefill: this.#prefill })
  }

  /** The lender's own wording, key by key, over the built-in one. */
  get strings(): Partial<Strings> {
    return this.#strings
  }
  set strings(strings: Partial<Strings>) {
    this.#strings = strings ?? {}
    this.#reframe()
  }

  /** Finds addresses by postcode. Without it, or when it fails, the address is typed in. */
  get addressLookup(): AddressLookup | null {
    return this.#addressLookup
  }
  set addressLookup(lookup: AddressLookup | null) {
    this.#addressLookup = lookup
    this.#reframe()
  }

  /** The id of the finished report; empty before. What the element adds to a form under its `name`. */
  get value(): string {
    const screen = this.#session?.flow.peek().screen
    return screen?.name === 'report' ? screen.creditReportId : ''
  }

  /** Starts over with an empty form. */
  reset(): void {
    this.#session?.send({ type: 'reset' })
    this.#session?.send({ type: 'prefill', prefill: this.#prefill })
  }

  /** Focuses what the consumer has to deal with: a problem, else the first input, else the heading. */
  override focus(options?: FocusOptions): void {
    const target = ['.summary', 'input', '.heading']
      .map((name) => this.shadowRoot?.querySelector<HTMLElement>(name))
      .find(Boolean)
    target?.focus(options)
  }

  /** Looks for everything that could keep the widget from working on this page, and says how to mend it. */
  async diagnose(): Promise<Diagnosis[]> {
    const { diagnose } = await loadChunk('diagnose')
    return diagnose({ endpoint: this.#endpoint, fingerprintSrc: this.getAttribute('fingerprint-src') })
  }

  connectedCallback(): void {
    if (this.#session) return
    this.#takeEarlyProperties()
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' })
    addStyles(root, css)
    this.#start(root)
  }

  disconnectedCallback(): void {
    // A framework moving the element takes it out and puts it back at once; typed answers survive that.
    setTimeout(() => this.isConnected || this.#stop())
  }

  /** Moved without leaving the page: nothing to do, and nothing to lose. */
  connectedMoveCallback(): void {}

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (!this.#session || before === after) return
    if (name === 'endpoint' || name === 'fingerprint-src' || name === 'address-history-months') {
      this.#stop()
      this.connectedCallback()
    } else if (name === 'required') this.#contribute()
    else this.#reframe()
  }

  formResetCallback(): void {
    this.reset()
  }

  formDisabledCallback(disabled: boolean): void {
    this.#formDisabled = disabled
    this.shadowRoot?.querySelector('.root')?.toggleAttribute('inert', disabled)
  }

  get #endpoint(): string {
    return this.getAttribute('endpoint') || PROXY_PATH
  }

  #start(root: ShadowRoot): void {
    const connected = new AbortController()
    const { signal } = connected
    const months = this.getAttribute('address-history-months')
    const session = createSession({
      endpoint: this.#endpoint,
      fingerprintSrc: this.getAttribute('fingerprint-src'),
      historyMonths: months === null ? HISTORY_MONTHS_DEFAULT : Number(months) || 0,
      prefill: this.#prefill,
      consent: () => this.#readConsent(),
      onFault: (fault) => this.#tell(errorEvent(fault)),
    })
    this.#session = session
    this.#connected = connected
    this.#reframe()
    render(<App session={session} frame={this.#frame} />, root)
    if (this.#formDisabled) this.formDisabledCallback(true)

    let before = session.flow.peek()
    const stopTelling = effect(() => {
      const after = session.flow.value
      const events = eventsBetween(before, after)
      before = after
      untracked(() => {
        this.#contribute()
        for (const event of events) this.#tell(event)
      })
    })
    signal.addEventListener('abort', stopTelling)

    for (const type of PRIVATE_EVENTS) root.addEventListener(type, keepPrivate, { signal })
    for (const type of ['input', 'pointerdown', 'keydown']) root.addEventListener(type, session.touch, { signal })
    const sync = () => document.visibilityState === 'visible' && session.sync()
    document.addEventListener('visibilitychange', sync, { signal })
    window.addEventListener('pageshow', sync, { signal })
    window.addEventListener('online', sync, { signal })
    afterPaint(() => {
      if (signal.aborted) return
      this.#tell({ name: 'credit-report-ready', detail: { version } })
      session.begin()
    })
  }

  #stop(): void {
    this.#connected?.abort()
    this.#session?.end()
    this.#session = null
    if (this.shadowRoot) render(null, this.shadowRoot)
  }

  /** The language, the lender's words and everything else the screens share; typed answers stay as they are. */
  #reframe(): void {
    const session = this.#session
    if (!session) return
    const locale = this.getAttribute('locale') ?? this.closest('[lang]')?.getAttribute('lang') ?? 'en-GB'
    const isWelsh = /^cy\b/i.test(locale)
    const { cy, reportCy } = this.#welsh
    if (isWelsh && !cy)
      loadWelsh().then(
        (welsh) => {
          this.#welsh = welsh
          this.#reframe()
        },
        () => undefined,
      )
    const spoken = isWelsh && cy ? 'cy' : 'en-GB'
    const level = Number(this.getAttribute('heading-level')) || HEADING_LEVEL_DEFAULT
    this.#frame.value = {
      words: createWords(spoken, spoken === 'cy' && cy ? cy : en, this.#strings),
      headingLevel: Math.min(6, Math.max(1, level)),
      mayFocus: session.isTouched,
      asksConsent: this.#consentSlot !== null,
      addressLookup: this.#addressLookup,
      reportStrings: spoken === 'cy' && reportCy ? reportCy : null,
      addStyles: (more) => this.shadowRoot && addStyles(this.shadowRoot, more),
    }
  }

  get #consentSlot(): HTMLElement | null {
    return this.querySelector<HTMLElement>(':scope > [slot="consent"]')
  }

  #readConsent(): { version?: string; locale: string } | null {
    const slot = this.#consentSlot
    if (!slot) return null
    const { version } = slot.dataset
    return { ...(version && { version }), locale: this.#frame.peek()?.words.locale ?? 'en-GB' }
  }

  /** The element's part in a form around it: the reference of a finished check, and nothing before. */
  #contribute(): void {
    const { value } = this
    this.#internals?.setFormValue(value || null)
    const missing = this.hasAttribute('required') && !value
    const words = this.#frame.peek()?.words
    const anchor = this.shadowRoot?.querySelector<HTMLElement>('.panel')
    this.#internals?.setValidity(
      missing ? { valueMissing: true } : {},
      missing && words ? words('needed') : '',
      anchor ?? undefined,
    )
  }

  #tell({ name, detail }: WidgetEvent): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }

  /** Properties a page set before this class was there hide the accessors above. */
  #takeEarlyProperties(): void {
    for (const name of PROPERTIES) {
      const early = Object.getOwnPropertyDescriptor(this, name)
      if (!early) continue
      Reflect.deleteProperty(this, name)
      Reflect.set(this, name, early.value)
    }
  }
}

// What a person types is never the page's own, so neither its shortcuts nor careless recorders get to see it. Tab and Escape pass: a
// dialog around the element needs them. A script that listens while capturing still sees everything.
const PRIVATE_EVENTS = ['keydown', 'keyup', 'keypress', 'beforeinput', 'input', 'paste', 'copy', 'cut']

function keepPrivate(event: Event): void {
  if (!(event instanceof KeyboardEvent && (event.key === 'Tab' || event.key === 'Escape'))) event.stopPropagation()
}

function loadWelsh() {
  return loadChunk('cy')
}

function afterPaint(run: () => void): void {
  // A hidden page is not painted at all.
  if (document.visibilityState === 'visible') requestAnimationFrame(() => setTimeout(run))
  else setTimeout(run)
}
