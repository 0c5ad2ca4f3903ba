// The report in a real browser: every test runs under a content policy that allows no style, and fails on a single
// violation of it.
import type { Page } from '@playwright/test'
import { findMoving, findTooSmall, findTooWide } from './accessibility/checks.ts'
import { expect, expectAccessible, test } from './report-pages/stage.ts'

const PHONE = { width: 360, height: 740 }

/** The folded parts, and those folded inside them. */
async function openEverything(page: Page): Promise<void> {
  const closed = page.locator('article details:not([open])')
  while ((await closed.count()) > 0) {
    await closed.evaluateAll((details) => {
      for (const one of details) if (one instanceof HTMLDetailsElement) one.open = true
    })
    // The content is made, and some of it fetched, when it is first opened.
    await expect(page.locator('article details').filter({ hasText: 'One moment' })).toHaveCount(0)
    await expect(page.locator('article template')).toHaveCount(0)
  }
}

const visibleText = (page: Page) =>
  page.locator('article').evaluate((element) => (element instanceof HTMLElement ? element.innerText : ''))

test.describe('accessibility', () => {
  for (const theme of ['light', 'dark'] as const)
    test(`has nothing to fault in the ${theme} theme, with everything opened`, async ({ page, open }) => {
      await open({ sample: 'trouble', theme, test: true, agencies: { equifax: 'answered', experian: 'unavailable' } })
      await openEverything(page)
      await expectAccessible(page)
    })

  for (const sample of ['empty', 'settled', 'odd', 'four'])
    test(`has nothing to fault in the ${sample} report`, async ({ page, open }) => {
      await open({ sample })
      await expectAccessible(page)
    })

  test('has nothing to fault in Welsh and in forced colours', async ({ page, open }) => {
    await page.emulateMedia({ forcedColors: 'active' })
    await open({ sample: 'trouble', locale: 'cy' })
    await expectAccessible(page)
  })

  test('everything that can be pressed is large enough', async ({ page, open }) => {
    await page.setViewportSize({ width: 320, height: 800 })
    await open({ sample: 'trouble' })
    await openEverything(page)
    expect(await findTooSmall(page)).toEqual([])
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: PHONE })

  test('the verdict and the first amount are within 300 pixels, in test mode too', async ({ page, open }) => {
    await open({ sample: 'four', test: true })
    const top = (await page.locator('[part=panel]').boundingBox())?.y ?? 0
    const amount = await page.getByText('£18,111.74').boundingBox()
    expect((amount?.y ?? Number.NaN) + (amount?.height ?? 0) - top).toBeLessThanOrEqual(300)
    await expect(page.getByText('Nothing needs your attention')).toBeInViewport({ ratio: 1 })
    await expect(page.getByText('£2,166.43')).toBeInViewport({ ratio: 1 })
  })

  test('four accounts take at most 1,900 pixels', async ({ page, open }) => {
    await open({ sample: 'four', test: true, attributes: 'next-label="Continue to Larkfield"' })
    const panel = await page.locator('[part=panel]').boundingBox()
    expect(panel?.height).toBeLessThanOrEqual(1_900)
  })

  for (const sample of ['empty', 'single', 'four', 'trouble', 'long-40', 'long-500'])
    test(`the ${sample} report has room for everything`, async ({ page, open }) => {
      await open({ sample })
      expect(await findTooWide(page)).toEqual([])
      await expect(page.locator('.report-foot').getByRole('button', { name: 'Close my report' })).toBeVisible()
    })
})

test.describe('zoom, large text and other directions', () => {
  for (const sample of ['four', 'odd', 'empty'])
    test(`the ${sample} report fits a window zoomed to 400 %`, async ({ page, open }) => {
      await page.setViewportSize({ width: 320, height: 256 })
      await open({ sample, test: true })
      await openEverything(page)
      expect(await findTooWide(page)).toEqual([])
    })

  test('the mark of a list stands at the first line of an address that takes two', async ({ page, open }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    await open({ sample: 'four' })
    await openEverything(page)
    const below = await page
      .getByRole('link', { name: /^TransUnion: / })
      .last()
      .evaluate((link) => {
        // In the place of the mark, which has no box of its own; without width, as it stands outside the line.
        const mark = document.createElement('span')
        mark.textContent = '\u2060'
        link.before(mark)
        return mark.getBoundingClientRect().bottom - link.getBoundingClientRect().top
      })
    expect(below).toBeLessThan(30)
  })

  test('between a name and its figure there is room, however long the name is', async ({ page, open }) => {
    await open({ sample: 'four' })
    const row = page.locator('.report-legend > li').first()
    for (let width = 320; width < 400; width += 4) {
      await page.setViewportSize({ width, height: 640 })
      const [name, figure] = await row
        .locator('> span')
        .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect()))
      expect((figure?.left ?? 0) - (name?.right ?? 0)).toBeGreaterThan(5)
    }
  })

  test('a long figure does not squeeze the name beside it', async ({ page, open }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    await open({ sample: 'odd' })
    const lines = await page
      .getByRole('heading', { name: 'Not a currency' })
      .evaluate((element) => element.getClientRects()[0]?.height)
    expect(lines).toBeLessThan(50)
  })

  for (const width of [320, 640])
    test(`letters twice as large fit ${width} pixels, and figures stay in one line`, async ({ page, open }) => {
      await page.setViewportSize({ width, height: 800 })
      await open({ sample: 'four' })
      await page.locator('credit-report-widget').evaluate((element) => {
        if (element instanceof HTMLElement) element.style.setProperty('--credit-report-font-size', '32px')
      })
      for (const figure of ['£18,111.74', '£2,166.43', '£269,696.70'])
        expect(
          await page
            .getByText(figure)
            .first()
            .evaluate((element) => element.getClientRects().length),
        ).toBe(1)
      await openEverything(page)
      expect(await findTooWide(page)).toEqual([])
    })

  test('on a page that reads from right to left the report reads as it always does', async ({ page, open }) => {
    await page.setViewportSize(PHONE)
    await open({ sample: 'four', page: 'dir="rtl"' })
    expect(await findTooWide(page)).toEqual([])
    const [first, last] = [
      page.locator('.report-bar > i').first(),
      page.locator('.report-bar').first().locator('> i').last(),
    ]
    expect((await first.boundingBox())?.x).toBeLessThan((await last.boundingBox())?.x ?? 0)
    const row = page.locator('[part=account]').first()
    const name = await row.getByRole('heading').boundingBox()
    const balance = await row.getByText('£8,827.02').boundingBox()
    expect(name?.x).toBeLessThan(balance?.x ?? 0)
  })
})

test.describe('pictures', () => {
  test('the bar of what is owed is as long as the accounts say', async ({ page, open }) => {
    await open({ sample: 'four' })
    const widths = await page
      .locator('.report-bar')
      .first()
      .locator('> i')
      .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().width))
    const total = widths.reduce((sum, width) => sum + width, 0)
    const shares = [8_827.02, 4_453.28, 4_831.44].map((owed) => owed / 18_111.74)
    expect(widths.map((width) => (width / total).toFixed(1))).toEqual(shares.map((share) => share.toFixed(1)))
  })

  test('an open account reaches today, and begins where its date is', async ({ page, open }) => {
    await open({ sample: 'four' })
    const lanes = page.getByRole('heading', { name: 'Over time' }).locator('..').getByRole('listitem')
    const boxOf = async (name: string) =>
      (await lanes.filter({ hasText: name }).locator('i').boundingBox()) ?? { x: 0, width: 0 }
    const [oldest, newest] = [await boxOf('Pennistone'), await boxOf('Larkfield')]
    expect(oldest.x + oldest.width).toBeCloseTo(newest.x + newest.width, 0)
    expect(oldest.width).toBeGreaterThan(newest.width * 3)
  })

  for (const forcedColors of ['active', 'none'] as const)
    test(`patterns differ from each other, forced colours ${forcedColors}`, async ({ page, open }) => {
      await page.emulateMedia({ forcedColors })
      await open({ sample: 'long-40' })
      const bar = page.locator('.report-bar').first().locator('> i')
      const looks = await bar.evaluateAll((parts) =>
        parts.map((part) => {
          const { backgroundImage, backgroundSize, backgroundColor } = getComputedStyle(part)
          return { pattern: `${backgroundImage} ${backgroundSize}`, backgroundColor }
        }),
      )
      expect(new Set(looks.map(({ pattern }) => pattern)).size).toBe(looks.length)
      if (forcedColors === 'active') expect(new Set(looks.map(({ backgroundColor }) => backgroundColor)).size).toBe(1)
    })

  test('in forced colours a bar of what is repaid is filled as far as it is', async ({ page, open }) => {
    await page.emulateMedia({ forcedColors: 'active' })
    await open({ sample: 'four' })
    const bar = page.locator('.report-repaid > i').first()
    const { image, size, adjust } = await bar.evaluate((element) => {
      const { backgroundImage: image, backgroundSize: size, forcedColorAdjust: adjust } = getComputedStyle(element)
      return { image, size, adjust }
    })
    expect(adjust).toBe('none')
    expect(image).toContain('gradient')
    expect(size).toContain('20.8')
  })

  test('bars grow once, and not again when amounts were hidden', async ({ page, open }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await watchMotion(page)
    await open({ sample: 'four' })
    await expect.poll(() => findMoving(page)).toEqual([])
    const button = page.getByRole('button', { name: 'Hide amounts' })
    await button.click()
    await button.click()
    expect(await findMoving(page)).toEqual([])
    expect((await motion(page)).filter((name) => name === 'report-grow')).toHaveLength(2)
  })

  test('nothing moves for those who ask for that', async ({ page, open }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await watchMotion(page)
    await open({ sample: 'four' })
    expect(await motion(page)).toEqual([])
  })
})

/** Notes every animation that runs, each once. */
function watchMotion(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    const moved = new Set<Animation>()
    Object.assign(window, { moved })
    function look(): void {
      const root = document.querySelector('credit-report-widget')?.shadowRoot
      for (const animation of root?.getAnimations() ?? []) moved.add(animation)
      requestAnimationFrame(look)
    }
    look()
  })
}

function motion(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...Reflect.get(window, 'moved')].map((animation) => String(Reflect.get(animation, 'animationName'))),
  )
}

test('hidden amounts are gone from the page a person sees, lengths and shares too, and come back', async ({
  page,
  open,
}) => {
  await open({ sample: 'four' })
  await openEverything(page)
  const button = page.getByRole('button', { name: 'Hide amounts' })
  const bars = page.locator('.report-bar, .report-repaid > i')
  expect(await visibleText(page)).toContain('£18,111.74')
  await button.press('Space')
  await expect(button).toHaveAttribute('aria-pressed', 'true')
  const hidden = await visibleText(page)
  expect(hidden).not.toContain('£')
  expect(hidden).not.toMatch(/\d%/)
  for (const bar of await bars.all()) await expect(bar).toBeHidden()
  const word = page.locator('.report-amount').first()
  expect(await word.evaluate((amount) => getComputedStyle(amount, '::after').content)).toBe('"Hidden"')
  await button.press('Space')
  expect(await visibleText(page)).toContain('£18,111.74')
  for (const bar of await bars.all()) await expect(bar).toBeVisible()
})

test('names with mark-up in them stay names', async ({ page, open }) => {
  await open({ sample: 'odd' })
  await openEverything(page)
  await expect(page.getByText('<img src=x onerror="window.hacked=1">').first()).toBeVisible()
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
})

test.describe('the way to what needs attention', () => {
  test('moves focus and leaves the address of the page alone', async ({ page, open }) => {
    await page.setViewportSize(PHONE)
    await open({ sample: 'trouble' })
    const address = page.url()
    await page.getByRole('button', { name: '1 account is in default' }).press('Enter')
    const heading = page.getByRole('heading', { name: 'Late or in default' })
    await expect(heading).toBeFocused()
    await expect(heading).toBeInViewport()
    expect(page.url()).toBe(address)
  })

  test('waits while a long report is drawn, in a browser that does not hold what is in sight', async ({
    page,
    open,
  }) => {
    await page.setViewportSize(PHONE)
    await open({ sample: 'long-500' })
    const all = await page.locator('[part=account]').count()
    const browser = await page.context().newCDPSession(page)
    await browser.send('Emulation.setCPUThrottlingRate', { rate: 6 })
    await page.reload({ waitUntil: 'commit' })
    await page.getByRole('button', { name: /^Check \d+ companies that searched/ }).press('Enter')
    await page.evaluate(() => document.documentElement.style.setProperty('overflow-anchor', 'none'))
    await expect(page.locator('[part=account]')).toHaveCount(all)
    const heading = page.getByRole('heading', { name: 'Who searched' })
    await expect(heading).toBeFocused()
    await expect(heading).toBeInViewport()
  })
})

test.describe('what few people open', () => {
  test('is fetched when it is opened, and nothing else is', async ({ page, open }) => {
    await open({ sample: 'single' })
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await page.locator('summary', { hasText: 'About you' }).click()
    expect(requests).toEqual([])
    await page.locator('summary', { hasText: 'What the words mean' }).click()
    await expect(page.getByText('A company that keeps records of how people borrow and repay.')).toBeVisible()
    await page.locator('summary', { hasText: 'If something is wrong' }).click()
    await expect(page.getByText('notice of correction')).toBeVisible()
    expect(new Set(requests.map((path) => path.replace(/\.[\w-]+\.js$/, '')))).toEqual(
      new Set(['/credit-reports/help']),
    )
  })

  test('a letter to the agencies can be copied, and nothing is sent', async ({ page, context, open }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await open({ sample: 'single' })
    const row = page.locator('[part=account]')
    await row.getByText('Details').click()
    await row.getByText('I do not recognise this').click()
    await expect(row.getByRole('link', { name: /equifax.co.uk/ })).toBeVisible()
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await row.getByRole('button', { name: 'Copy the letter Larkfield Motor Finance' }).click()
    await expect(row.getByRole('status').filter({ hasText: 'Copied' })).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('Equifax reference: EQ-7F3K-2291')
    expect(requests).toEqual([])
  })

  test('where copying is not allowed, the letter is selected for the person to copy', async ({ page, open }) => {
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined })
    })
    await open({ sample: 'single' })
    await page.locator('summary', { hasText: 'Who searched' }).click()
    const row = page.locator('section', { hasText: 'Who searched' }).getByRole('listitem').first()
    await row.getByText('I do not recognise this').click()
    await row.getByRole('button', { name: 'Copy' }).click()
    await expect.poll(() => page.evaluate(() => String(getSelection()))).toContain('Company: Merrowdown Car Finance')
  })
})
