// The whole way with a keyboard only: focus goes where the news is, can always be seen, and is never under the page's
// own bars.
import type { Page } from '@playwright/test'
import { CODE, expect, test } from './widget-pages/stage.ts'

test('details to report, and focus goes where the news is', async ({ consumer, page }) => {
  await consumer.open({ before: '<button>before</button>', after: '<button>after</button>' })
  const type = async (...texts: string[]) => {
    for (const text of texts) {
      await page.keyboard.press('Tab')
      await page.keyboard.type(text)
    }
  }
  const focused = () =>
    page.evaluate(
      () => document.activeElement?.shadowRoot?.activeElement?.textContent ?? document.activeElement?.tagName,
    )
  await expect(page.locator('body')).toBeFocused()
  await page.getByText('before').focus()
  await type('Sam', '', 'Patel', '27', '3', '85', '07700900123', '')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect.poll(focused).toContain('There is a problem')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(consumer.field('Year')).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('1985')
  await page.keyboard.press('Enter')
  await expect.poll(focused).toBe('Where do you live?')

  await type('10', '', '', 'High Street', '', 'Leeds', 'LS14AP', '9', '2015')
  await page.keyboard.press('Enter')
  await expect.poll(focused).toBe('Check your answers')
  // Change, Change, More about the search, Agree.
  for (let press = 0; press < 4; press++) await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await expect.poll(focused).toBe('Check your phone')
  await type(CODE)
  await page.keyboard.press('Enter')
  await expect.poll(focused).toBe('Your credit report')
  expect(new URL(page.url()).hash).toBe('')
})

test('focus stays with the person who asked for the last text', async ({ consumer, page, standIn }) => {
  await page.clock.install()
  await consumer.open()
  await consumer.toCode()
  const resend = consumer.widget.getByRole('button', { name: 'Send a new code' })
  await page.clock.runFor(31_000)
  standIn.instead('/resend-sms', { status: 402, body: { code: 'insufficient-funds', message: 'none left' } })
  await resend.press('Enter')
  await expect(consumer.widget.getByRole('status').getByText('We cannot send more codes')).toBeVisible()
  await expect(resend).toBeFocused()
})

test('taking away an address leads to the answers that are left', async ({ consumer }) => {
  const thisYear = new Date().getFullYear()
  await consumer.open()
  await consumer.giveDetails()
  await consumer.giveAddress({ Year: String(thisYear - 1) })
  await consumer.seeHeading('Where did you live before?')
  await consumer.giveAddress({ 'Building number': '12', Year: String(thisYear - 2) })
  await expect(consumer.field('Building number')).toHaveValue('')
  await consumer.press('I lived outside the UK before that')
  const remove = consumer.widget.getByRole('button', { name: 'Remove' })
  await remove.press('Enter')
  await expect(remove).toHaveCount(0)
  await expect(consumer.widget.getByRole('heading', { name: 'Check your answers' })).toBeFocused()
})

test('a press that is only a click, as assistive technology makes it, moves focus too', async ({ consumer }) => {
  const known = { firstName: 'Sam', lastName: 'Patel', dateOfBirth: '1985-03-27', mobileNumber: '07700900123' }
  await consumer.open({
    after: `<script>document.querySelector('credit-report-widget').prefill = ${JSON.stringify(known)}</script>`,
  })
  await consumer.widget.getByRole('button', { name: 'Continue' }).dispatchEvent('click')
  await expect(consumer.widget.getByRole('heading', { name: 'Where do you live?' })).toBeFocused()
})

test('the page does not take the focus when it opens', async ({ consumer, page }) => {
  await consumer.open()
  await expect(page.locator('body')).toBeFocused()
})

test('the element is no trap: Tab leads in and out again, both ways', async ({ consumer, page }) => {
  await consumer.open({ before: '<button>before</button>', after: '<button>after</button>' })
  await page.getByText('before').focus()
  await walk(page, 'Tab', 'after')
  await walk(page, 'Shift+Tab', 'before')
})

// A page with bars over its edges has to say this once, for everything focused on it.
const BARS = `<style>html { scroll-padding-block: 100px } body { margin: 0; padding-block: 100px }
  .edge { position: fixed; inset: 0 0 auto; block-size: 90px; background: #ccd } .edge.low { inset: auto 0 0 }</style>`

for (const colours of [
  { colorScheme: 'light', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'active' },
] as const)
  test(`wherever focus is, it is seen: ${colours.colorScheme}, forced colours ${colours.forcedColors}`, async ({
    consumer,
    page,
  }) => {
    await page.emulateMedia(colours)
    await page.setViewportSize({ width: 480, height: 480 })
    await consumer.open({
      head: `${BARS}<style>html { color-scheme: ${colours.colorScheme} }</style>`,
      before: '<div class="edge"><button>before</button></div>',
      after: '<div class="edge low"><button>after</button></div>',
    })
    const look = async () => {
      await page.getByText('before').focus()
      const stops = await walk(page, 'Tab', 'after', () => readFocus(page))
      expect(stops.length).toBeGreaterThan(2)
      expect(stops.filter(({ isSeen }) => !isSeen)).toEqual([])
      expect(stops.filter(({ isCovered }) => isCovered)).toEqual([])
    }
    await look()
    await consumer.press('Continue')
    await look()
    await consumer.toCode()
    await look()
  })

const STOPS_MAX = 40

/** Presses until focus is on the page's own button of that name; what `read` says of each stop within the element. */
async function walk<Stop>(page: Page, key: string, until: string, read?: () => Promise<Stop>): Promise<Stop[]> {
  const stops: Stop[] = []
  for (let press = 0; press < STOPS_MAX; press++) {
    await page.keyboard.press(key)
    const isInside = await page.evaluate(() => document.activeElement?.localName === 'credit-report-widget')
    if (isInside) {
      if (read) stops.push(await read())
    } else if (await page.evaluate((name) => document.activeElement?.textContent === name, until)) return stops
  }
  throw new Error(`${key} did not get to "${until}" in ${STOPS_MAX} presses`)
}

type Focus = { name: string; isSeen: boolean; isCovered: boolean }

const OUTLINE_MIN_PX = 2

/** True when the focused element has an outline and can be seen at all. */
function readFocus(page: Page): Promise<Focus> {
  return page.evaluate((outlineMin) => {
    const root = document.activeElement?.shadowRoot
    const focused = root?.activeElement ?? document.body
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(focused)
    const { backgroundColor } = getComputedStyle(root?.querySelector('.panel') ?? document.body)
    const box = focused.getBoundingClientRect()
    const points = [0.1, 0.5, 0.9].map((share) => [box.left + box.width * share, box.top + box.height / 2] as const)
    return {
      name: focused.id || focused.textContent || focused.localName,
      isSeen:
        outlineStyle === 'solid' && Number.parseFloat(outlineWidth) >= outlineMin && outlineColor !== backgroundColor,
      isCovered: points.some(([x, y]) => !focused.contains(root?.elementFromPoint(x, y) ?? null)),
    }
  }, OUTLINE_MIN_PX)
}
