import { expect, type Locator } from '@playwright/test'

/** Typed values, by the label of their input. */
export type Answers = { [label: string]: string }

/**
 * Fills in the form an element shows, all inputs at once, as a browser does with what it remembers. To look for one
 * input after another takes a seventh of a test's time. Where typing itself is the subject, the test types.
 */
export async function fillIn(widget: Locator, answers: Answers): Promise<void> {
  const [first = ''] = Object.keys(answers)
  await expect(widget.getByLabel(first).first()).toBeEditable()
  await widget.evaluate((element, given) => {
    const labels = [...(element.shadowRoot?.querySelectorAll('label') ?? [])]
    for (const [name, text] of Object.entries(given)) {
      const label = labels.find(({ textContent }) => textContent?.replace(' (optional)', '') === name)
      const input = label?.control
      if (!(input instanceof HTMLInputElement) || !input.checkVisibility()) throw new Error(`no input: ${name}`)
      input.focus()
      input.value = text
      for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true, composed: true }))
    }
  }, answers)
}
