// The ways on from a report, and what becomes of it when the reader leaves.
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './report-pages/stage.ts'

test.describe('where to go from here', () => {
  test('the lender’s button is at the foot, and tells the page which report', async ({ page, open }) => {
    await open({ attributes: 'next-label="Continue to Larkfield"' })
    await page.evaluate(() => {
      const heard: unknown[] = []
      Object.assign(window, { heard })
      addEventListener('credit-report-next', (event) => heard.push(Reflect.get(event, 'detail')))
    })
    await page.getByRole('button', { name: 'Continue to Larkfield' }).click()
    await expect.poll(() => page.evaluate(() => Reflect.get(window, 'heard'))).toEqual([{ creditReportId: 'report-1' }])
  })

  test('the lender’s own link stands in its place', async ({ page, open }) => {
    await open({ content: '<p slot="report-next"><a href="#order">Back to your order</a></p>' })
    const link = await page.getByRole('link', { name: 'Back to your order' }).boundingBox()
    const above = await page.getByText('What the words mean').boundingBox()
    const below = await page.getByText('Prepared on').boundingBox()
    expect(link?.y).toBeGreaterThan(above?.y ?? Number.NaN)
    expect(link?.y).toBeLessThan(below?.y ?? Number.NaN)
  })

  test('it comes when everything above it is drawn, and does not move', async ({ page, open }) => {
    await page.setViewportSize({ width: 900, height: 2_400 })
    await page.addInitScript(() => {
      const tops = new Set<number>()
      Object.assign(window, { tops })
      function look(): void {
        const root = document.querySelector('credit-report-widget')?.shadowRoot
        const button = root?.querySelector('.report-foot .button')
        if (button) tops.add(Math.round(button.getBoundingClientRect().top))
        requestAnimationFrame(look)
      }
      look()
    })
    await open({ sample: 'four', attributes: 'next-label="Continue to Larkfield"' })
    expect(await page.evaluate(() => [...Reflect.get(window, 'tops')])).toHaveLength(1)
  })
})

test.describe('leaving the report', () => {
  const forgets = (page: Page) =>
    page.route('**/current', (route) =>
      route.request().method() === 'DELETE' ? route.fulfill({ status: 204 }) : route.continue(),
    )

  test('it closes when asked, and the server is asked to close it', async ({ page, open }) => {
    await forgets(page)
    await open({ attributes: 'next-label="Continue to Larkfield"' })
    const closed = page.waitForRequest((request) => request.method() === 'DELETE')
    await page.getByRole('button', { name: 'Close my report' }).click()
    expect(new URL((await closed).url()).pathname).toMatch(/\/current$/)
    await expect(page.getByRole('heading', { name: 'Your check is complete' })).toBeFocused()
    await expect(page.getByText('no one can open it here again')).toBeVisible()
    await expect(page.getByText('£')).toHaveCount(0)
    await expectAccessible(page)
    await expect(page.getByRole('button', { name: 'Continue to Larkfield' })).toBeVisible()
  })

  test('left alone it warns after nine minutes, lets its reader stay, and locks after ten', async ({ page, open }) => {
    await forgets(page)
    await page.clock.install()
    await open()
    await page.mouse.click(5, 5)
    await page.clock.runFor('08:59')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.clock.runFor('00:02')
    await expect(page.getByRole('dialog', { name: 'Are you still there?' })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Keep it open' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.clock.runFor('09:30')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.clock.runFor('10:01')
    await expect(page.getByRole('heading', { name: 'Your report is locked' })).toBeFocused()
    await expect(page.getByText('No one used this page for 10 minutes')).toBeVisible()
    await expect(page.getByText('£')).toHaveCount(0)
  })

  for (const [minutes, words] of [
    [15, 'We will lock your report in 1 minute'],
    [8, 'We will close your report in 1 minute'],
    [0, 'We will close your report in 1 minute'],
  ] as const)
    test(`with ${minutes} minutes to open it again the warning says “${words}”, and offers to print`, async ({
      page,
      open,
    }) => {
      await page.clock.install()
      await open({ opensForSeconds: minutes * 60 })
      await page.mouse.click(5, 5)
      await page.clock.runFor('09:01')
      const dialog = page.getByRole('dialog', { name: 'Are you still there?' })
      await expect(dialog).toContainText(words)
      const printed = page.evaluate(
        () => new Promise((resolve) => addEventListener('message', resolve, { once: true })),
      )
      await dialog.getByRole('button', { name: 'Print or save' }).click()
      await printed
      await expect(dialog).toHaveCount(0)
    })
})
