// The report in a real browser: every test runs under the strictest content policy and fails on a single violation of it.
import type { Page } from '@playwright/test'
import { ALL_TAGS, findViolations } from './accessibility/axe.ts'
import { expect, test } from './report-pages/stage.ts'

async function expectAccessible(page: Page): Promise<void> {
  expect(await findViolations(page, { tags: ALL_TAGS })).toEqual([])
}

async function openEverything(page: Page): Promise<void> {
  const all = page.locator('article details')
  await all.evaluateAll((details) => {
    for (const one of details) if (one instanceof HTMLDetailsElement) one.open = true
  })
  // What is inside is made when it is first opened.
  await expect
    .poll(() =>
      all.evaluateAll((details) => details.filter(({ lastChild, firstChild }) => lastChild === firstChild).length),
    )
    .toBe(0)
}

test.describe('accessibility', () => {
  for (const theme of ['light', 'dark'] as const)
    test(`has nothing to fault in the ${theme} theme, with everything opened`, async ({ page, open }) => {
      await open({ theme, test: true })
      await openEverything(page)
      await expectAccessible(page)
    })

  for (const sample of ['empty', 'settled', 'odd'])
    test(`has nothing to fault in the ${sample} report`, async ({ page, open }) => {
      await open({ sample })
      await expectAccessible(page)
    })

  test('has nothing to fault in Welsh and in forced colours', async ({ page, open }) => {
    await page.emulateMedia({ forcedColors: 'active' })
    await open({ locale: 'cy' })
    await expectAccessible(page)
  })

  test('everything that can be pressed is large enough', async ({ page, open }) => {
    await page.setViewportSize({ width: 320, height: 800 })
    await open()
    await openEverything(page)
    const TARGET_MIN_PX = 24
    const small = await page.locator('article :is(button, summary, select, a)').evaluateAll(
      (targets, min) =>
        targets
          .map((target) => ({ name: target.textContent, box: target.getBoundingClientRect() }))
          .filter(({ box }) => box.width < min || box.height < min)
          .map(({ name }) => name),
      TARGET_MIN_PX,
    )
    expect(small).toEqual([])
  })
})

test.describe('narrow screens and large text', () => {
  for (const sample of ['default', 'odd', 'empty'])
    test(`the ${sample} report fits 320 pixels without sideways scrolling`, async ({ page, open }) => {
      await page.setViewportSize({ width: 320, height: 256 })
      await open({ sample, test: true })
      await openEverything(page)
      await expectNoSidewaysScrolling(page)
    })

  test('text twice as large still fits', async ({ page, open }) => {
    await page.setViewportSize({ width: 640, height: 800 })
    await open()
    await doubleLetters(page)
    await openEverything(page)
    await expectNoSidewaysScrolling(page)
  })

  test('on a small phone with text twice as large what is owed and paid stays in one line', async ({ page, open }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    await open()
    await doubleLetters(page)
    for (const [term, figure] of [
      ['You owe', '£8,353.99'],
      ['Regular payments reported', '£1,483.40'],
    ] as const) {
      const amount = page.locator('dt', { hasText: term }).locator('+ dd').getByText(figure)
      expect(await amount.evaluate((element) => element.getClientRects().length)).toBe(1)
    }
  })
})

async function doubleLetters(page: Page): Promise<void> {
  await page.locator('credit-report-widget').evaluate((element) => {
    if (element instanceof HTMLElement) element.style.setProperty('--credit-report-font-size', '32px')
  })
}

async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const overflowing = await page
    .locator('article *:not(svg *, .unseen, .unseen *)')
    .evaluateAll((elements) =>
      elements
        .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
        .map((element) => element.outerHTML.slice(0, 80)),
    )
  expect(overflowing).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
}

test('names with mark-up in them stay names', async ({ page, open }) => {
  await open({ sample: 'odd' })
  await openEverything(page)
  await expect(page.getByText('<img src=x onerror="window.hacked=1">').first()).toBeVisible()
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
})

test('the contents list moves focus and leaves the address of the page alone', async ({ page, open }) => {
  await open()
  const address = page.url()
  await page.getByRole('button', { name: 'If something is wrong' }).press('Enter')
  const heading = page.getByRole('heading', { name: 'If something is wrong' })
  await expect(heading).toBeFocused()
  await expect(heading).toBeInViewport()
  expect(page.url()).toBe(address)
})

test.describe('a long report', () => {
  for (const accounts of [50, 300])
    test(`the contents of ${accounts} accounts lead to the right heading`, async ({ page, open }) => {
      await page.setViewportSize({ width: 390, height: 844 })
      await open({ sample: `long-${accounts}` })
      await page.getByRole('button', { name: 'If something is wrong' }).press('Enter')
      const heading = page.getByRole('heading', { name: 'If something is wrong' })
      await expect(heading).toBeFocused()
      await expect(heading).toBeInViewport()
    })

  test('so they do while it is drawn, in a browser that does not hold what is in sight', async ({ page, open }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await open({ sample: 'long-300' })
    const all = await page.locator('[part=account]').count()
    const browser = await page.context().newCDPSession(page)
    await browser.send('Emulation.setCPUThrottlingRate', { rate: 6 })
    await page.reload({ waitUntil: 'commit' })
    await page.getByRole('button', { name: 'If something is wrong' }).press('Enter')
    await page.evaluate(() => document.documentElement.style.setProperty('overflow-anchor', 'none'))
    await expect(page.locator('[part=account]')).toHaveCount(all)
    const heading = page.getByRole('heading', { name: 'If something is wrong' })
    await expect(heading).toBeFocused()
    await expect(heading).toBeInViewport()
  })

  test('its accounts can be narrowed with an input like every other', async ({ page, open }) => {
    await open({ sample: 'long-50' })
    const filter = page.getByRole('combobox', { name: 'Show' })
    const box = await filter.boundingBox()
    expect(box?.height).toBeGreaterThanOrEqual(44)
    const letters = await filter.evaluate((select) => Number.parseFloat(getComputedStyle(select).fontSize))
    expect(letters).toBeGreaterThanOrEqual(16)
    await filter.selectOption({ label: 'Mortgage' })
    await expect(page.locator('[part=account]')).toHaveCount(8)
  })
})

test('the first screen of a phone has the answers', async ({ page, open }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await open({ test: true })
  for (const answer of ['You owe', '£8,353.99', 'Regular payments reported', '£1,483.40'])
    await expect(page.getByText(answer, { exact: true }).first()).toBeInViewport({ ratio: 1 })
})

test('hidden amounts are gone from the page a person sees, and come back', async ({ page, open }) => {
  await open()
  const article = page.locator('article')
  const text = () => article.evaluate((element) => (element instanceof HTMLElement ? element.innerText : ''))
  const button = page.getByRole('button', { name: 'Hide amounts' })
  expect(await text()).toContain('£8,353.99')
  await button.press('Space')
  await expect(button).toHaveAttribute('aria-pressed', 'true')
  expect(await text()).not.toContain('£')
  const replacement = await page
    .locator('article dd > span:has(> span)')
    .first()
    .evaluate((amount) => getComputedStyle(amount, '::after').content)
  expect(replacement).toBe('"Hidden"')
  await button.press('Space')
  expect(await text()).toContain('£8,353.99')
})

test('the words to the agencies can be copied, and nothing is sent', async ({ page, context, open }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await open({ sample: 'single' })
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const card = page.locator('[part=account]')
  await card.getByText('I do not recognise this').click()
  await expect(card.getByRole('link', { name: 'equifax.co.uk' })).toBeVisible()
  await card.getByRole('button', { name: 'Copy Larkfield Motor Finance' }).click()
  await expect(card.getByRole('status').filter({ hasText: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('Equifax reference: EQ-7F3K-2291')
  expect(asked).toEqual([])
})

test('where copying is not allowed, the words are selected for the person to copy', async ({ page, open }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
  })
  await open({ sample: 'single' })
  const row = page.locator('section', { hasText: 'Who searched' }).getByRole('listitem').first()
  await row.getByText('I do not recognise this').click()
  await row.getByRole('button', { name: 'Copy' }).click()
  await expect.poll(() => page.evaluate(() => String(getSelection()))).toContain('Company: Merrowdown Car Finance')
})

test('a sum too long for its tile is broken, not covered', async ({ page, open }) => {
  await page.setViewportSize({ width: 390, height: 800 })
  await open()
  const owed = page.locator('dd').filter({ hasText: 'on mortgages' })
  await owed
    .locator('span > span')
    .first()
    .evaluate((figure) => {
      figure.textContent = '£12,345,678,901.23'
    })
  expect(await owed.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
})

test.describe('where to go from here', () => {
  test('the lender’s button is above and at the end, and tells the page which report', async ({ page, open }) => {
    await open({ attributes: 'next-label="Continue to Larkfield"' })
    await page.evaluate(() => {
      const heard: unknown[] = []
      Object.assign(window, { heard })
      addEventListener('credit-report-next', (event) => heard.push(Reflect.get(event, 'detail')))
    })
    const buttons = page.getByRole('button', { name: 'Continue to Larkfield' })
    await expect(buttons).toHaveCount(2)
    await buttons.first().click()
    await buttons.last().click()
    await expect
      .poll(() => page.evaluate(() => Reflect.get(window, 'heard')))
      .toEqual([{ creditReportId: 'report-1' }, { creditReportId: 'report-1' }])
  })

  test('the lender’s own link is in reach at either end', async ({ page, open }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await open({ content: '<p slot="report-next"><a href="#order">Back to your order</a></p>' })
    const link = page.getByRole('link', { name: 'Back to your order' })
    const start = page.getByRole('navigation', { name: 'In this report' })
    const end = page.getByText('What the words mean').last()
    for (const place of [start, end, start]) {
      await place.scrollIntoViewIfNeeded()
      await expect(link).toBeInViewport()
    }
  })

  test('on a tall screen, the lender’s own link stays above while the report is drawn', async ({ page, open }) => {
    await page.setViewportSize({ width: 900, height: 1600 })
    await page.addInitScript(() => {
      const tops = new Set<number>()
      Object.assign(window, { tops })
      function look(): void {
        const isOpen = document.querySelector('credit-report-widget')?.shadowRoot?.querySelector('article')
        const link = document.querySelector('[slot=report-next]')
        if (isOpen && link) tops.add(link.getBoundingClientRect().top)
        requestAnimationFrame(look)
      }
      look()
    })
    await open({ content: '<p slot="report-next"><a href="#order">Back to your order</a></p>' })
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
})
