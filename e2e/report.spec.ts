// The report in a real browser: every test runs under the strictest content policy and fails on a single violation of it.
import type { Page } from '@playwright/test'
import { ALL_TAGS, findViolations } from './accessibility/axe.ts'
import { expect, test, WHOLE_MS } from './report-pages/stage.ts'

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

  test('bars and lanes can be seen in forced colours, dark and light', async ({ page, open }) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ forcedColors: 'active', colorScheme })
      await open()
      const colours = await page.locator('article').evaluate((article) => {
        const probe = document.createElement('span')
        probe.style.color = 'Canvas'
        document.body.append(probe)
        const paint = (selector: string, property: 'fill' | 'stroke') => {
          const shape = article.querySelector(selector)
          return shape ? getComputedStyle(shape)[property] : 'missing'
        }
        return {
          canvas: getComputedStyle(probe).color,
          bar: paint('rect + rect', 'fill'),
          open: paint('svg[class=""] line[y1]', 'stroke'),
          ended: paint('svg:not([class=""]) line[y1]', 'stroke'),
        }
      })
      for (const shape of ['bar', 'open', 'ended'] as const) {
        expect(colours[shape]).toMatch(/^rgb/)
        expect(colours[shape]).not.toBe(colours.canvas)
      }
    }
  })

  test('everything that can be pressed is large enough', async ({ page, open }) => {
    await page.setViewportSize({ width: 320, height: 800 })
    await open()
    await openEverything(page)
    const TARGET_MIN_PX = 24
    const small = await page.locator('article :is(button, summary, select)').evaluateAll(
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

  test('on a small phone with text twice as large what is owed and to pay stays in one line', async ({
    page,
    open,
  }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    await open()
    await doubleLetters(page)
    for (const [term, figure] of [
      ['You owe', '£8,353.99'],
      ['To pay each month', '£1,483.40'],
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
    .locator('article *:not(svg *, .unseen)')
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
  for (const accounts of [50, 120, 500])
    test(`the contents of ${accounts} accounts lead to the right heading, however early they are pressed`, async ({
      page,
      open,
    }) => {
      test.slow()
      await page.setViewportSize({ width: 390, height: 844 })
      await open({ sample: `long-${accounts}` }, { isWhole: false })
      await page.getByRole('button', { name: 'If something is wrong' }).press('Enter')
      const heading = page.getByRole('heading', { name: 'If something is wrong' })
      await expect(page.locator('article :is(li, div)[aria-hidden]')).toHaveCount(0, { timeout: WHOLE_MS })
      await expect(heading).toBeFocused()
      await expect(heading).toBeInViewport()
      // Whoever moves on is not held back.
      await page.mouse.move(200, 400)
      await page.mouse.wheel(0, -2_000)
      await expect(heading).not.toBeInViewport()
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
  for (const answer of ['You owe', '£8,353.99', 'To pay each month', '£1,483.40', 'Needs attention'])
    await expect(page.getByText(answer, { exact: true }).first()).toBeInViewport({ ratio: 1 })
})

test('bars have the whole width', async ({ page, open }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await open()
  const [bar, section] = await page
    .locator('section')
    .filter({ hasText: 'What you owe, by type' })
    .evaluate((element) => [element.querySelector('svg')?.clientWidth, element.clientWidth])
  expect(bar).toBe(section)
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

test('a reference can be copied', async ({ page, context, open }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await open({ sample: 'single' })
  await page.getByText('More about this account').click()
  await page.getByRole('button', { name: 'Copy EQ-7F3K-2291' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('EQ-7F3K-2291')
})

test('where copying is not allowed, the reference is selected for the person to copy', async ({ page, open }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
  })
  await open({ sample: 'single' })
  await page.getByText('More about this account').click()
  await page.getByRole('button', { name: 'Copy EQ-7F3K-2291' }).click()
  await expect.poll(() => page.evaluate(() => String(getSelection()))).toContain('EQ-7F3K-2291')
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

test('five hundred accounts arrive in slices, none of them large', async ({ page, open }) => {
  // Time depends on the machine; how much is drawn at once does not. About 250 elements are well under 50 ms on a slow phone.
  const ELEMENTS_AT_ONCE_MAX = 250
  test.slow()
  await page.addInitScript(() => {
    const grown: number[] = []
    Object.assign(window, { grown })
    const attach = Element.prototype.attachShadow
    Element.prototype.attachShadow = function (options) {
      const root = attach.call(this, options)
      // Called once for everything one task has drawn.
      new MutationObserver((changes) => {
        const added = changes.flatMap(({ addedNodes }) => [...addedNodes]).filter((node) => node instanceof Element)
        grown.push(added.reduce((sum, element) => sum + 1 + element.querySelectorAll('*').length, 0))
      }).observe(root, { childList: true, subtree: true })
      return root
    }
  })
  await open({ sample: 'long-500' })
  await expect(page.locator('[part=account]')).toHaveCount(500)
  const grown = await page.evaluate(() => ('grown' in window ? window.grown : []))
  expect(Math.max(...(Array.isArray(grown) ? grown : [Number.POSITIVE_INFINITY]))).toBeLessThan(ELEMENTS_AT_ONCE_MAX)
})

test.describe('where to go from here', () => {
  test('the lender’s button is above and at the end, and tells the page which report', async ({ page, open }) => {
    await open({ attributes: 'next-label="Continue to Larkfield"' })
    await page.evaluate(() => {
      const told: unknown[] = []
      Object.assign(window, { told })
      addEventListener('credit-report-next', (event) => told.push(Reflect.get(event, 'detail')))
    })
    const buttons = page.getByRole('button', { name: 'Continue to Larkfield' })
    await expect(buttons).toHaveCount(2)
    await buttons.first().click()
    await buttons.last().click()
    await expect
      .poll(() => page.evaluate(() => Reflect.get(window, 'told')))
      .toEqual([{ creditReportId: 'report-1' }, { creditReportId: 'report-1' }])
  })

  test('the lender’s own link is in reach at either end', async ({ page, open }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await open({ content: '<p slot="report-next"><a href="#order">Back to your order</a></p>' })
    const link = page.getByRole('link', { name: 'Back to your order' })
    await page.getByRole('button', { name: 'Hide amounts' }).scrollIntoViewIfNeeded()
    await expect(link).toBeInViewport()
    const end = page.getByText('This report is on this page only')
    await end.scrollIntoViewIfNeeded()
    await expect(link).toBeInViewport()
    await expect(end).toBeInViewport()
    await page.getByRole('button', { name: 'Hide amounts' }).scrollIntoViewIfNeeded()
    await expect(link).toBeInViewport()
  })
})

test.describe('leaving the report', () => {
  const isGone = async (page: Page) => {
    await expect(page.getByRole('heading', { name: 'Your report is closed' })).toBeFocused()
    await expect(page.getByText('£')).toHaveCount(0)
  }

  test('it closes when asked, and the server is asked to forget it', async ({ page, open }) => {
    await page.route('**/current', (route) =>
      route.request().method() === 'DELETE' ? route.fulfill({ status: 204 }) : route.continue(),
    )
    await open({ attributes: 'next-label="Continue to Larkfield"' })
    const forgotten = page.waitForRequest((request) => request.method() === 'DELETE')
    await page.getByRole('button', { name: 'Close my report' }).click()
    expect(new URL((await forgotten).url()).pathname).toMatch(/\/current$/)
    await isGone(page)
    await expectAccessible(page)
    await expect(page.getByRole('button', { name: 'Continue to Larkfield' })).toBeVisible()
  })

  test('left alone it warns after nine minutes, lets its reader stay, and closes after ten', async ({ page, open }) => {
    await page.route('**/current', (route) =>
      route.request().method() === 'DELETE' ? route.fulfill({ status: 204 }) : route.continue(),
    )
    await page.clock.install()
    await open({}, { isWhole: false })
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
    await isGone(page)
    await expect(page.getByText('No one used this page for 10 minutes')).toBeVisible()
  })
})
