// A browser whose own setting asks for letters twice as large, which is not the same as zooming a page.
import type { Page } from '@playwright/test'
import { browserLaunchOptions } from '../scripts/ensure-browser.mjs'
import { findTooWide } from './accessibility/checks.ts'
import { expect, test } from './widget-pages/stage.ts'

const { args = [], ...launchOptions } = browserLaunchOptions()
test.use({ launchOptions: { ...launchOptions, args: [...args, '--blink-settings=defaultFontSize=32'] } })

/** The years above the timeline as an eye reads them: two that touch are one word. */
function readYears(page: Page): Promise<string> {
  return page.locator('credit-report-widget svg text').evaluateAll((years) =>
    years
      .filter((year) => year.getClientRects().length > 0)
      .map((year, index, shown) => {
        const before = shown[index - 1]?.getBoundingClientRect().right ?? Number.NEGATIVE_INFINITY
        return `${year.getBoundingClientRect().left > before + 4 && index > 0 ? ' ' : ''}${year.textContent}`
      })
      .join(''),
  )
}

test('the setting is obeyed, and everything still fits a narrow screen', async ({ consumer, page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await consumer.open({ head: '<style>body { margin: 0 }</style>' })
  const label = consumer.widget.getByText('First name', { exact: true })
  expect(await label.evaluate((element) => getComputedStyle(element).fontSize)).toBe('32px')
  await consumer.press('Continue')
  expect(await findTooWide(page)).toEqual([])
  await consumer.toCode()
  expect(await findTooWide(page)).toEqual([])
  await consumer.giveCode('000000')
  await expect(consumer.widget.getByRole('alert')).toBeVisible()
  const code = consumer.field('Security code')
  expect(await code.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0)
  await consumer.giveCode('123456')
  await consumer.seeHeading('Your credit report')
  expect(await readYears(page)).toMatch(/^\d{4}( \d{4})*$/)
  expect(await findTooWide(page)).toEqual([])
})
