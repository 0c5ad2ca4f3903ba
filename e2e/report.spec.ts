// The report in a real browser: every test runs under the strictest content policy and fails on a single violation of it.
import AxeBuilder from '@axe-core/playwright'
import { test as base, expect, type Page } from '@playwright/test'
import { type Look, type Served, serveReportPage } from './report-pages/serve.ts'

type Open = (look?: Partial<Look>, wait?: { isWhole: boolean }) => Promise<void>

/** A loaded machine with two cores needs its time for five hundred accounts. */
const WHOLE_MS = 150_000

const test = base.extend<{ open: Open }, { served: Served }>({
  served: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to find what a fixture needs
    async ({}, use) => {
      const served = await serveReportPage()
      await use(served)
      await served.close()
    },
    { scope: 'worker' },
  ],
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
    await use(async (look, { isWhole } = { isWhole: true }) => {
      await page.goto(served.page({ sample: 'default', theme: 'light', locale: 'en-GB', test: false, ...look }))
      await expect(page.locator('article')).toBeVisible()
      // Nothing is left that only keeps room for what comes later.
      if (isWhole) await expect(page.locator('article :is(li, div)[aria-hidden]')).toHaveCount(0, { timeout: WHOLE_MS })
    })
    expect(objections).toEqual([])
  },
})

const A11Y_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(A11Y_TAGS).analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
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
    await page.locator('credit-report-widget').evaluate((element) => {
      if (element instanceof HTMLElement) element.style.setProperty('--credit-report-font-size', '32px')
    })
    await openEverything(page)
    await expectNoSidewaysScrolling(page)
  })
})

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

type Paper = { paper: string; title: string; lang: string; html: string }

const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length

async function print(page: Page): Promise<Paper> {
  const printed = page.evaluate(
    () =>
      new Promise<Paper>((resolve) => {
        addEventListener('message', ({ data }) => resolve(data), { once: true })
      }),
  )
  await page.emulateMedia({ media: 'print' })
  await page.getByRole('button', { name: /Print or save|Argraffu/ }).click()
  return printed
}

test.describe('on paper', () => {
  test('there is the whole report and nothing of the page around it', async ({ page, open }) => {
    await open({ test: true })
    const { paper, title, lang } = await print(page)
    expect(title).toBe('Your credit report 2026-11-15')
    expect(lang).toBe('en-GB')
    for (const text of ['Synthetic data', 'Ms Rowan Ellery', '27 March 1988', 'EXP00409812', '11 May 2025', '28 days'])
      expect(paper).toContain(text)
    for (const text of ['Larkfield Cars', 'Print or save', 'Hide amounts', 'Copy', 'In this report'])
      expect(paper).not.toContain(text)
  })

  test('every account of a long report is there, even before the screen has them all', async ({ page, open }) => {
    test.slow()
    await open({ sample: 'long-500' }, { isWhole: false })
    const { paper } = await print(page)
    for (const index of [1, 250, 500]) expect(paper).toContain(`Finance ${index}\n`)
    expect(paper.match(/EXP-\d+/g)).toHaveLength(500)
  })

  test('fifteen accounts take at most six pages, with name and date on the first', async ({ page, context, open }) => {
    await open({ sample: 'long-15' })
    const { paper, html } = await print(page)
    expect(paper.replace(/\s+/g, ' ')).toMatch(/^Your credit report Name Ms Rowan Ellery Prepared on 15 November 2026/)
    expect(paper.match(/Does this look wrong/g)).toBeNull()
    const sheet = await context.newPage()
    await sheet.setContent(html)
    expect(pagesOf(await sheet.pdf({ format: 'A4' }))).toBeLessThanOrEqual(6)
  })

  test('the page’s own print command prints the same, opened and without buttons', async ({ page, open }) => {
    await open({ sample: 'long-15', theme: 'dark' })
    const onPaper = () => page.locator('[part=panel]').innerText()
    await page.emulateMedia({ media: 'print' })
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    const text = await onPaper()
    expect(text).toContain('EXP-14')
    expect(text).toContain('Ms Rowan Ellery')
    for (const button of ['Print or save', 'Hide amounts', 'Close my report', 'More about this account'])
      expect(text).not.toContain(button)
    expect(pagesOf(await page.pdf({ format: 'A4' }))).toBeLessThanOrEqual(6)
    await page.emulateMedia({ media: 'screen' })
    await page.evaluate(() => dispatchEvent(new Event('afterprint')))
    expect(await onPaper()).toContain('Close my report')
  })

  for (const [browser, print] of [
    ['has no print command', undefined],
    ['says nothing and prints nothing', () => undefined],
  ] as const)
    test(`a browser inside an app that ${browser} is told about, and what else to do`, async ({ page, open }) => {
      await page.addInitScript((isMissing) => {
        Object.defineProperty(window, 'print', { value: isMissing ? undefined : () => undefined })
      }, print === undefined)
      await open()
      await page.getByRole('button', { name: 'Print or save as PDF' }).click()
      await expect(page.getByText('This browser cannot print or save pages.')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Print or save as PDF' })).toBeFocused()
      expect(page.frames()).toHaveLength(1)
    })

  test('hidden amounts stay hidden', async ({ page, open }) => {
    await open()
    await page.getByRole('button', { name: 'Hide amounts' }).click()
    expect((await print(page)).paper).not.toContain('£')
  })

  test('every search is there once, and nothing that is only true of a screen', async ({ page, open }) => {
    await open()
    const { paper } = await print(page)
    for (const date of ['19 October 2026', '2 October 2026', '11 May 2025', '4 March 2026'])
      expect(paper.split(`\n${date}\n`)).toHaveLength(2)
    expect(paper).not.toContain('on this page only')
  })

  test('it is styled, and its frame goes when the printing is done', async ({ page, open }) => {
    await open({ locale: 'cy' })
    await print(page)
    const frame = page.frames().find((candidate) => candidate !== page.mainFrame())
    if (!frame) throw new Error('nothing was printed')
    expect(
      await frame.evaluate(() => {
        const bar = document.querySelector('rect + rect')
        const card = document.querySelector('[part=account]')
        return [
          document.adoptedStyleSheets.length,
          bar && getComputedStyle(bar).fill,
          // A label on one sheet and its figure on the next are no use to anyone.
          card && getComputedStyle(card).breakInside,
          document.documentElement.lang,
        ]
      }),
    ).toEqual([1, 'rgb(10, 95, 102)', 'avoid', 'cy'])
    await frame.evaluate(() => {
      setTimeout(() => dispatchEvent(new Event('afterprint')))
    })
    await expect.poll(() => page.frames().length).toBe(1)
    await expect(page.getByRole('button', { name: 'Argraffu' })).toBeFocused()
  })
})

test.describe('where it is still the day before', () => {
  test.use({ timezoneId: 'Pacific/Pago_Pago' })

  test('the report is dated as in the UK, where its agencies are', async ({ page, open }) => {
    await open()
    await expect(page.getByText('15 November 2026')).toBeVisible()
    expect((await print(page)).title).toBe('Your credit report 2026-11-15')
    await expect(page.getByText('4 March 2024')).toBeVisible()
  })
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
    expect(await page.evaluate(() => Reflect.get(window, 'told'))).toEqual([
      { creditReportId: 'report-1' },
      { creditReportId: 'report-1' },
    ])
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
