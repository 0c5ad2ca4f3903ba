// Every screen: what axe finds, what can be seen in any colours, what fits a small screen with large text, what moves.

import { ALL_TAGS, findViolations, OF_COLOURS } from './accessibility/axe.ts'
import { findFaint, findMoving, findTooSmall, findTooWide } from './accessibility/checks.ts'
import { groups } from './accessibility/screens.ts'
import { findOddWords } from './odd-words.ts'
import { expect, test } from './widget-pages/stage.ts'

const FOLLOWS_THE_DEVICE = '<style>html { color-scheme: light dark }</style>'
const NO_MARGIN = '<style>body { margin: 0 }</style>'

const ALL = { within: 'credit-report-widget', tags: ALL_TAGS }
const CONTRAST = { within: 'credit-report-widget', rules: OF_COLOURS }

const COLOURS = [
  { colorScheme: 'light', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'none' },
  { colorScheme: 'light', forcedColors: 'active' },
  { colorScheme: 'dark', forcedColors: 'active' },
] as const

for (const { name: group, open, visits } of groups) {
  test(`${group}: nothing for axe to find, every control to be seen in any colours, nothing that moves`, async ({
    consumer,
    standIn,
    page,
  }) => {
    test.slow()
    await consumer.open({ head: FOLLOWS_THE_DEVICE, ...open })
    for (const { name, go } of visits)
      await test.step(name, async () => {
        await go({ consumer, standIn, page })
        expect.soft(await findOddWords(consumer.widget), name).toEqual([])
        expect.soft(await findMoving(page), name).toEqual([])
        for (const [index, colours] of COLOURS.entries()) {
          await page.emulateMedia(colours)
          const where = `${name}, ${JSON.stringify(colours)}`
          expect.soft(await findFaint(page), where).toEqual([])
          // Forced colours are the person's own; whether text can be read in them is not ours to say.
          if (colours.forcedColors === 'active') continue
          expect.soft(await findViolations(page, index === 0 ? ALL : CONTRAST), where).toEqual([])
        }
        await page.emulateMedia(COLOURS[0])
      })
  })

  test(`${group}: fits 320 × 256 pixels, with letters twice as large too, and room to press`, async ({
    consumer,
    standIn,
    page,
  }) => {
    test.slow()
    await page.setViewportSize({ width: 320, height: 256 })
    await consumer.open({ head: NO_MARGIN, ...open })
    for (const { name, go } of visits) {
      await go({ consumer, standIn, page })
      for (const size of ['medium', '32px']) {
        await consumer.widget.evaluate((element, value) => {
          if (element instanceof HTMLElement) element.style.setProperty('--credit-report-font-size', value)
        }, size)
        expect.soft(await findTooWide(page), `${name} at ${size}`).toEqual([])
        expect.soft(await findTooSmall(page), `${name} at ${size}`).toEqual([])
      }
      await consumer.widget.evaluate((element) => element.removeAttribute('style'))
    }
  })
}

test('things do move for everyone else', async ({ consumer, page, standIn }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await consumer.open()
  await consumer.toAnswers()
  standIn.instead('/run-1', { isHeld: true })
  await consumer.agree()
  await consumer.seeHeading('Checking your details')
  expect(await findMoving(page)).toContain('spinner')
})

test('the next screen comes from one side, the one before from the other', async ({ consumer, page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await consumer.open()
  // The first position of each screen, before it is drawn for the first time.
  await page.evaluate(() => {
    const begins: string[] = []
    Object.assign(window, { begins })
    document.querySelector('credit-report-widget')?.shadowRoot?.addEventListener('animationstart', ({ target }) => {
      if (!(target instanceof HTMLElement)) return
      const [animation] = target.getAnimations()
      if (!animation || !target.matches('.screen')) return
      animation.currentTime = 0
      begins.push(getComputedStyle(target).translate)
      animation.finish()
    })
  })
  await consumer.giveDetails()
  await consumer.seeHeading('Where do you live?')
  await consumer.press('Back')
  await consumer.seeHeading('Your details')
  await expect.poll(() => page.evaluate(() => Reflect.get(window, 'begins'))).toEqual(['16px', '-16px'])
})

test('wide spacing of letters, words and lines hides nothing', async ({ consumer, page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await consumer.open({ head: NO_MARGIN })
  await consumer.widget.evaluate((element) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(
      '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-block-end: 2em !important }',
    )
    element.shadowRoot?.adoptedStyleSheets.push(sheet)
  })
  await consumer.press('Continue')
  expect(await findTooWide(page)).toEqual([])
})

test('in Welsh, nothing for axe to find, and the language is marked', async ({ consumer, page }) => {
  await consumer.open({ attributes: 'locale="cy"' })
  await consumer.press('Parhau')
  await expect(consumer.widget.getByRole('alert')).toContainText('Mae problem')
  expect(await findViolations(page, ALL)).toEqual([])
  await expect(consumer.widget.locator('[lang]').first()).toHaveAttribute('lang', 'cy')
})
