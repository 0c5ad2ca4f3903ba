// A consumer who uses the widget the way a person does: looks at what is on screen, fills in, presses. It knows inputs
// by their names, so that it gets through in every language.

const LIMIT_MS = 45_000

export type Consumer = ReturnType<typeof createConsumer>

/** `paceMs` is how long to rest before each press, for a person who watches. */
export function createConsumer(widget: HTMLElement, { paceMs }: { paceMs: number }) {
  const rest = () => new Promise((resolve) => setTimeout(resolve, paceMs))
  const find = <E extends Element>(selector: string) => widget.shadowRoot?.querySelector<E>(selector) ?? null
  const heading = () => find('[part~="heading"], h2')?.textContent?.trim() ?? ''
  const isOn = (name: string) => () => find<HTMLInputElement>(`[name="${name}"]`)
  const submitButton = () => find<HTMLButtonElement>('form [type="submit"]')

  async function fill(fields: { [name: string]: string }): Promise<void> {
    for (const [name, value] of Object.entries(fields)) {
      const input = find<HTMLInputElement>(`[name="${name}"]`)
      if (!input || input.value === value) continue
      if (paceMs > 0) await new Promise((resolve) => setTimeout(resolve, paceMs / 6))
      input.value = value
      input.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }))
      input.dispatchEvent(new Event('change', { bubbles: true }))
    }
  }

  async function submit(): Promise<void> {
    const button = await until(submitButton, 'a button to continue')
    await rest()
    button.click()
  }

  /** The first step; resolves when the next is there. A detail that the lender knows for sure has no input. */
  async function begin(person: { [name: string]: string }): Promise<void> {
    const first = await until(() => submitButton() && heading(), 'the first step')
    await fill(person)
    await submit()
    await until(() => heading() !== first && submitButton(), 'the next step')
  }

  return {
    begin,

    /** Details, each address, check, send: until the widget talks to its server. */
    async apply(person: { [name: string]: string }, addresses: readonly { [name: string]: string }[]): Promise<void> {
      await begin(person)
      for (const address of addresses) {
        if (!isOn('postcode')()) break
        await fill(address)
        await submit()
        // The next address has the same inputs, empty; the check has none.
        await until(() => !find('[name="postcode"]') || isEmpty(isOn('postcode')()), 'the next step')
        if (!find('[name="postcode"]')) break
      }
      await until(() => !find('[name="postcode"]') && submitButton(), 'the check of the answers')
      await submit()
    },

    async typeCode(code: string): Promise<void> {
      const input = await until(() => freeInput(isOn('code')()), 'the code’s input')
      const answersBefore = countAnswers('otp-challenge')
      await fill({ code })
      await submit()
      await until(() => countAnswers('otp-challenge') > answersBefore, 'an answer to the code')
      await until(() => !input.isConnected || !input.readOnly, 'the answer to be shown')
    },

    async askForText(): Promise<void> {
      const button = await until(() => enabled(find('[part~="button-secondary"]')), 'the button for another text')
      const answersBefore = countAnswers('resend-sms')
      await rest()
      button.click()
      await until(() => countAnswers('resend-sms') > answersBefore, 'an answer about the text')
      await until(() => find('p[role="status"]:not(:empty)'), 'the answer to be shown')
    },

    /** Comes back to the page after a while. */
    comeBack(): void {
      document.dispatchEvent(new Event('visibilitychange'))
    },

    /** As a page does that is loaded again: with what the tab remembers, and nothing else. */
    async reload(): Promise<void> {
      await until(() => submitButton() || find('[part~="report"]'), 'something to leave')
      await rest()
      // A change of this attribute starts the widget again; the space means nothing.
      const countries = 'mobile-countries'
      widget.setAttribute(countries, widget.getAttribute(countries) === 'GB' ? 'GB ' : 'GB')
      await rest()
    },

    /** Opens a locked report. */
    async open(date: { [name: string]: string }): Promise<void> {
      await until(() => freeInput(isOn('day')()), 'the date of birth')
      await fill(date)
      await submit()
      await until(() => !find('.busy'), 'the answer to the date')
    },

    async close(): Promise<void> {
      const button = await until(() => find<HTMLButtonElement>('.report-foot .links button:last-of-type'), 'the report')
      await rest()
      button.click()
    },

    until,
  }

  /** The first truthy value the question gives; rejects in plain words when none comes. */
  async function until<T>(question: () => T | null | false | undefined, what: string): Promise<T> {
    const giveUpAtMs = Date.now() + LIMIT_MS
    for (;;) {
      const answer = question()
      if (answer) return answer
      if (Date.now() > giveUpAtMs) throw new Error(`waited in vain for ${what}; the screen says “${heading()}”`)
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }
}

function isEmpty(input: HTMLInputElement | null): boolean {
  return input !== null && input.value === ''
}

function freeInput(input: HTMLInputElement | null): HTMLInputElement | null {
  return input && !input.readOnly ? input : null
}

/** The number of requests to an operation that were answered, or failed, on this page. */
function countAnswers(operation: string): number {
  return performance.getEntriesByType('resource').filter(({ name }) => name.endsWith(`/${operation}`)).length
}

function enabled(button: Element | null): HTMLButtonElement | null {
  return button instanceof HTMLButtonElement && button.getAttribute('aria-disabled') !== 'true' ? button : null
}
