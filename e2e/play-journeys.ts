// Journeys of the preview's table as a person plays them.
import type { Page } from '@playwright/test'
import { type Journey, openJourney, playJourney } from './journeys.ts'
import { findOddWords } from './odd-words.ts'
import { reportIsDrawn } from './report-pages/drawn.ts'
import { expect, test } from './stack.ts'

/** Declares a test for each of these journeys. */
export function testJourneys(journeys: readonly Journey[]): void {
  for (const journey of journeys)
    test(`${journey.group}: ${journey.title}`, async ({ page }, { workerIndex }) => {
      const { ends } = journey
      const heard = await openJourney(page, journey, `${journey.id}-${workerIndex}`)
      await playJourney(page, journey, heard)
      await expect(page.getByRole('heading', { name: ends.heading })).toBeVisible({ timeout: 30_000 })
      await expect.poll(() => heard.map(({ name }) => name)).toEqual(ends.events)
      expect(heard.find(({ name }) => name === 'error')?.detail.code).toBe(ends.errorCode)
      expect(await findOddWords(page.locator('credit-report-widget'))).toEqual([])
      if (ends.records === undefined) return
      await reportIsDrawn(page)
      for (const folded of await page.locator('credit-report-widget summary', { hasText: 'more accounts' }).all())
        await folded.click()
      await expect.poll(() => countAccounts(page)).toBe(ends.records)
    })
}

/** Each account appears once in full. */
function countAccounts(page: Page): Promise<number> {
  return page.locator('credit-report-widget [part=account]').count()
}
