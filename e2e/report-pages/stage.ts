// The report on a page of its own, under the strictest content policy: a test fails on a single violation of it.
import type { Page } from '@playwright/test'
import { ALL_TAGS, findViolations } from '../accessibility/axe.ts'
import { test as base, expect } from '../worker.ts'
import { reportIsDrawn } from './drawn.ts'
import type { Look } from './serve.ts'

export { expect }

type Open = (look?: Partial<Look>) => Promise<void>

export const test = base.extend<{ open: Open }>({
  open: async ({ page, served }, use) => {
    const objections: string[] = []
    page.on('pageerror', (error) => objections.push(error.message))
    page.on('console', (message) => message.type() === 'error' && objections.push(message.text()))
    await page.addInitScript(() => {
      // The paper, as it was when the browser was asked to print it.
      window.print = () => {
        dispatchEvent(new Event('beforeprint'))
        window.top?.postMessage({
          paper: document.body.innerText,
          title: document.title,
          lang: document.documentElement.lang,
          html: `<style>${[...(document.adoptedStyleSheets[0]?.cssRules ?? [])].map((rule) => rule.cssText).join('')}</style>${document.body.outerHTML}`,
        })
      }
    })
    await page.addInitScript((nowMs) => {
      Date.now = () => nowMs
    }, served.preparedAtMs)
    await use(async (look) => {
      await page.goto(served.page({ sample: 'default', theme: 'light', locale: 'en-GB', test: false, ...look }))
      await expect(page.locator('article')).toBeVisible()
      await reportIsDrawn(page)
    })
    expect(objections).toEqual([])
  },
})

export async function expectAccessible(page: Page): Promise<void> {
  expect(await findViolations(page, { tags: ALL_TAGS })).toEqual([])
}
