// The report on paper, and as the page's own print command makes it.
import type { Page } from '@playwright/test'
import { expect, test } from './report-pages/stage.ts'

type Paper = { paper: string; title: string; lang: string; html: string }

const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length

/** Words that begin on one line and end on another. */
const findBrokenWords = (page: Page) =>
  page.evaluate(() => {
    const root =
      document.querySelector('credit-report-widget')?.shadowRoot?.querySelector('.report-paper') ?? document.body
    const broken: string[] = []
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.parentElement?.closest('.unseen, style')) continue
      for (const word of node.textContent?.matchAll(/[\p{L}\p{N}]+/gu) ?? []) {
        const range = document.createRange()
        range.setStart(node, word.index)
        range.setEnd(node, word.index + word[0].length)
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word[0])
      }
    }
    return broken
  })

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
    for (const text of ['Larkfield Cars', 'Print or save', 'Hide amounts', 'Copy', 'Details'])
      expect(paper).not.toContain(text)
    expect(paper).toContain('No account is reported late or in default.')
  })

  test('the lender’s letterhead stands above it, and is not on the screen', async ({ page, open }) => {
    await open({ content: '<p slot="letterhead">Larkfield on paper</p>' })
    await expect(page.getByText('Larkfield on paper')).toBeHidden()
    const { paper } = await print(page)
    expect(paper).toMatch(/^Larkfield on paper\s+Your credit report/)
  })

  test('four accounts take two sheets, and no word is broken', async ({ page, context, open }) => {
    await open({ sample: 'four' })
    const { html } = await print(page)
    const sheet = await context.newPage()
    await sheet.setViewportSize({ width: 688, height: 1_000 })
    await sheet.emulateMedia({ media: 'print' })
    await sheet.setContent(html)
    expect(await findBrokenWords(sheet)).toEqual([])
    expect(pagesOf(await sheet.pdf({ format: 'A4' }))).toBe(2)
    // Both figures beside each other, their bars as long as they are.
    const bars = await sheet
      .locator('.report-bar')
      .evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect()).map(({ top, width }) => [top, width > 200]))
    expect(bars[0]).toEqual(bars[1])
    expect(bars[0]?.[1]).toBe(true)
  })

  test('every account of a long report is there', async ({ page, open }) => {
    await open({ sample: 'long-500' })
    const { paper } = await print(page)
    for (const index of [1, 250, 500]) expect(paper).toContain(`Finance ${index}\n`)
    expect(paper.match(/EXP-\d+/g)).toHaveLength(500)
  })

  test('fifteen accounts take at most six pages, with name and date on the first', async ({ page, context, open }) => {
    await open({ sample: 'long-15' })
    const { paper, html } = await print(page)
    expect(paper.replace(/\s+/g, ' ')).toMatch(/^Your credit report Name Ms Rowan Ellery Prepared on 15 November 2026/)
    expect(paper).not.toContain('I do not recognise this account')
    const sheet = await context.newPage()
    await sheet.setContent(html)
    expect(pagesOf(await sheet.pdf({ format: 'A4' }))).toBeLessThanOrEqual(6)
  })

  test('the page’s own print command prints four accounts on two sheets, and breaks no word', async ({
    page,
    open,
  }) => {
    await page.setViewportSize({ width: 688, height: 1_000 })
    await open({ sample: 'four' })
    await page.emulateMedia({ media: 'print' })
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    expect(await findBrokenWords(page)).toEqual([])
    expect((await page.locator('[part=panel]').boundingBox())?.width).toBeGreaterThan(650)
    expect(pagesOf(await page.pdf({ format: 'A4' }))).toBe(2)
  })

  test('the page’s own print command prints the same, opened and without buttons', async ({ page, open }) => {
    await open({ sample: 'long-15', theme: 'dark' })
    const onPaper = () => page.locator('[part=panel]').innerText()
    await page.emulateMedia({ media: 'print' })
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    const text = await onPaper()
    expect(text).toContain('EXP-14')
    expect(text).toContain('Ms Rowan Ellery')
    for (const button of ['Print or save', 'Hide amounts', 'Close my report', 'Details', 'Copy'])
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
    test(`a browser inside an app that ${browser} is named, and what else to do`, async ({ page, open }) => {
      await page.addInitScript((isMissing) => {
        Object.defineProperty(window, 'print', { value: isMissing ? undefined : () => undefined })
      }, print === undefined)
      await open()
      await page.getByRole('button', { name: 'Print or save' }).click()
      await expect(page.getByText('This browser cannot print or save pages.')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Print or save' })).toBeFocused()
      expect(page.frames()).toHaveLength(1)
    })

  test('hidden amounts stay hidden', async ({ page, open }) => {
    await open()
    await page.getByRole('button', { name: 'Hide amounts' }).click()
    const { paper } = await print(page)
    expect(paper).not.toContain('£')
    expect(paper).not.toMatch(/\d%/)
  })

  test('every search is there once, and nothing that is only true of a screen', async ({ page, open }) => {
    await open()
    const { paper } = await print(page)
    for (const dates of ['19 October 2026, 2 October 2026, 11 May 2025', '4 March 2026'])
      expect(paper.split(`\n${dates}\n`)).toHaveLength(2)
    for (const text of ['Copy', 'Close', 'device']) expect(paper).not.toContain(text)
  })

  test('it is styled, and its frame goes when the printing is done', async ({ page, open }) => {
    await open({ locale: 'cy' })
    await print(page)
    const frame = page.frames().find((candidate) => candidate !== page.mainFrame())
    if (!frame) throw new Error('nothing was printed')
    expect(
      await frame.evaluate(() => {
        const card = document.querySelector('[part=account]')
        return [
          document.adoptedStyleSheets.length,
          // A label on one sheet and its figure on the next are no use to anyone.
          card && getComputedStyle(card).breakInside,
          document.documentElement.lang,
        ]
      }),
    ).toEqual([1, 'avoid', 'cy'])
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
