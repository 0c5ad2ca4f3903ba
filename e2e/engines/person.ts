// A person at a browser, the same for every driver: reads headings, fills in labelled inputs, presses named buttons.
// Invisible things cannot be used.
import { expect, type Page } from '@playwright/test'

export type Person = {
  goto(address: string): Promise<unknown>
  fill(label: string, text: string): Promise<void>
  /** Of a list: the option that says so. */
  choose(label: string, option: string): Promise<void>
  press(name: string): Promise<void>
  /** The part that unfolds when it is pressed. */
  unfold(text: string): Promise<void>
  seeHeading(text: string): Promise<void>
  seeText(text: string): Promise<void>
  /** Runs an expression in the page. */
  evaluate(expression: string): Promise<unknown>
  takePicture(): Promise<Buffer>
  leave(): Promise<void>
}

/** A started browser engine; each `open` is a fresh profile. */
export type RunningEngine = { open(): Promise<Person>; stop(): Promise<void> }

/** For a slow machine that has just started a browser. */
export const SEE_LIMIT_MS = 120_000

/** A person in front of a browser that Playwright drives. */
export function sitAt(page: Page): Person {
  const patient = { timeout: SEE_LIMIT_MS }
  return {
    goto: (address) => page.goto(address),
    async fill(label, text) {
      const labelled = (name: string) => page.getByLabel(name, { exact: true })
      const input = labelled(label).or(labelled(`${label} (optional)`))
      await input.fill(text, patient)
      // Typed by hand it would come when the input is left; Firefox sends none for text that Playwright puts there.
      await input.dispatchEvent('change')
    },
    choose: async (label, option) =>
      void (await page.getByLabel(label, { exact: true }).selectOption({ label: option }, patient)),
    unfold: (text) => page.locator('summary', { hasText: text }).click(patient),
    press: (name) => page.getByRole('button', { name, exact: true }).first().click(patient),
    seeHeading: (text) => expect(page.getByRole('heading', { name: text, exact: true })).toBeVisible(patient),
    seeText: (text) => expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible(patient),
    evaluate: (expression) => page.evaluate(expression),
    takePicture: () => page.screenshot(),
    leave: () => page.context().close(),
  }
}
