// Somebody with a browser: reads headings, fills in what has a label, presses what has a name. What they cannot see they cannot use.
import { expect, type Page } from '@playwright/test'

export type Person = {
  goto(address: string): Promise<unknown>
  fill(label: string, text: string): Promise<void>
  press(name: string): Promise<void>
  seeHeading(text: string): Promise<void>
  seeText(text: string): Promise<void>
  /** Runs an expression in the page. */
  evaluate(expression: string): Promise<unknown>
  takePicture(): Promise<Buffer>
  leave(): Promise<void>
}

/** For a slow machine that has just started a browser. */
export const SEE_LIMIT_MS = 30_000

/** A person in front of a browser that Playwright drives. */
export function sitAt(page: Page): Person {
  const patient = { timeout: SEE_LIMIT_MS }
  return {
    goto: (address) => page.goto(address),
    fill: (label, text) => page.getByLabel(label, { exact: true }).fill(text, patient),
    press: (name) => page.getByRole('button', { name, exact: true }).click(patient),
    seeHeading: (text) => expect(page.getByRole('heading', { name: text, exact: true })).toBeVisible(patient),
    seeText: (text) => expect(page.getByText(text)).toBeVisible(patient),
    evaluate: (expression) => page.evaluate(expression),
    takePicture: () => page.screenshot(),
    leave: () => page.context().close(),
  }
}
