import { expect, type Page } from '@playwright/test'

/** A template is where more of a report is to come. */
export async function reportIsDrawn(page: Page): Promise<void> {
  await expect(page.locator('credit-report-widget template')).toHaveCount(0)
}
