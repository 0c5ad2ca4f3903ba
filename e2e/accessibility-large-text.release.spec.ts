// A browser whose own setting asks for letters twice as large, which is not the same as zooming a page.
import { browserLaunchOptions } from '../scripts/ensure-browser.mjs'
import { findTooWide } from './accessibility/checks.ts'
import { expect, test } from './widget-pages/stage.ts'

const { args = [], ...launchOptions } = browserLaunchOptions()
test.use({ launchOptions: { ...launchOptions, args: [...args, '--blink-settings=defaultFontSize=32'] } })

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
  expect(await findTooWide(page)).toEqual([])
})
