// Back and forward. Playwright switches the browser's back/forward cache off, and a headless shell has none; these
// tests are about it.

import type { Page } from '@playwright/test'
import { wholeBrowserLaunchOptions } from '../scripts/ensure-browser.mjs'
import { expect, test } from './widget-pages/stage.ts'

test.use({ launchOptions: { ...wholeBrowserLaunchOptions(), ignoreDefaultArgs: ['--disable-back-forward-cache'] } })

test('the page comes back as it was left, with what was typed', async ({ consumer, page, standIn }) => {
  await consumer.open()
  await consumer.fill({ 'First name': 'Sam' })
  await page.evaluate(() =>
    addEventListener('pageshow', ({ persisted }) => Reflect.set(window, 'persisted', persisted)),
  )
  await page.goto(standIn.page())
  await goBack(page)
  await expect(consumer.field('First name')).toHaveValue('Sam')
  expect(await page.evaluate(() => Reflect.get(window, 'persisted'))).toBe(true)
  await consumer.press('Continue')
  await expect(consumer.widget.getByRole('alert')).toContainText('Add your last name')
})

test('a report does not come back with it', async ({ consumer, page, standIn }) => {
  // Without a code: a browser never keeps a page that has waited for a text message.
  await consumer.open({ branch: 'allow' })
  await consumer.toAnswers()
  await consumer.agree()
  await expect(consumer.widget).toContainText('Meridian Motor Finance')
  await page.goto(standIn.page())
  await goBack(page)
  await consumer.seeHeading('Your check is complete')
  await expect(consumer.widget).not.toContainText('Meridian Motor Finance')
})

test('the code’s time goes on while the page is away', async ({ consumer, page, standIn }) => {
  await consumer.open()
  await consumer.toCode()
  await page.goto(standIn.page())
  standIn.advance(200_000)
  await goBack(page)
  await expect(consumer.widget.getByRole('timer')).toHaveText(/^1:[34]\d$/)
})

/** `page.goBack()` waits for a load that a page from the cache does not have. */
async function goBack(page: Page): Promise<void> {
  const { origin } = new URL(page.url())
  // Later, so that the page is still there to answer.
  await page.evaluate(() => void setTimeout(() => history.back()))
  await page.waitForURL(`${origin}/page/0`, { waitUntil: 'commit' })
}
