// Every screen, in light, dark and forced colours, with a keyboard only, at 320 pixels and at twice the text size.
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { CODE, type Consumer, expect, test } from './widget-pages/stage.ts'
import type { StandIn } from './widget-pages/stand-in-proxy.ts'

const head = '<style>html { color-scheme: light dark }</style>'
const TARGET_SIDE_MIN_PX = 24

type Visit = { name: string; go: (consumer: Consumer, standIn: StandIn) => Promise<void> }

/** Each screen from the one before, in one journey. */
const formScreens: Visit[] = [
  { name: 'details', go: (consumer) => consumer.seeHeading('Your details') },
  { name: 'details with errors', go: (consumer) => consumer.press('Continue') },
  { name: 'address', go: async (consumer) => consumer.giveDetails() },
  { name: 'address with errors', go: (consumer) => consumer.press('Continue') },
  {
    name: 'earlier address',
    go: async (consumer) => {
      await consumer.giveAddress({ Year: String(new Date().getFullYear() - 1) })
      await consumer.seeHeading('Where did you live before?')
    },
  },
  {
    name: 'answers',
    go: async (consumer) => {
      await consumer.giveAddress({ 'Building number': '22', Year: '2012' })
      await consumer.seeHeading('Check your answers')
    },
  },
]

const checkScreens: Visit[] = [
  {
    name: 'sending',
    go: async (consumer, standIn) => {
      await consumer.toAnswers()
      standIn.instead('/run-1', { delayMs: 4_000 })
      await consumer.agree()
      await consumer.seeHeading('Checking your details')
    },
  },
  { name: 'code', go: (consumer) => consumer.seeHeading('Check your phone') },
  {
    name: 'code with an error',
    go: async (consumer) => {
      await consumer.giveCode('000000')
      await expect(consumer.widget.getByRole('alert')).toBeVisible()
    },
  },
  {
    name: 'another number',
    go: async (consumer) => {
      await consumer.press('Change mobile number')
      await consumer.seeHeading('Change your mobile number')
    },
  },
  {
    name: 'session ended',
    go: async (consumer, standIn) => {
      await consumer.press('Back')
      standIn.instead('/otp-challenge', { status: 401 })
      await consumer.giveCode(CODE)
      await consumer.seeHeading('Your session has ended')
    },
  },
  {
    name: 'expired',
    go: async (consumer, standIn) => {
      await consumer.press('Carry on')
      standIn.instead('/otp-challenge', { status: 410 })
      await consumer.giveCode(CODE)
      await consumer.seeHeading('That code has run out')
    },
  },
  {
    name: 'broken',
    go: async (consumer, standIn) => {
      standIn.instead('/run-1', { status: 400 })
      await consumer.press('Send a new code')
      await consumer.seeHeading('Sorry, something went wrong at our end')
    },
  },
  {
    name: 'busy',
    go: async (consumer, standIn) => {
      standIn.instead('/run-1', { status: 429 })
      await consumer.press('Try again')
      await consumer.seeHeading('Wait a few minutes, then try again')
    },
  },
]

const ALL_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** In other colours only what depends on them is looked at again. */
async function violations(page: Page, isRepeat: boolean): Promise<string[]> {
  const axe = new AxeBuilder({ page }).include('credit-report-widget')
  const { violations } = await (isRepeat ? axe.withRules(['color-contrast']) : axe.withTags(ALL_TAGS)).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

for (const [group, screens] of [
  ['the form', formScreens],
  ['the check', checkScreens],
] as const)
  test(`${group}: nothing for axe to find on any screen, in any colours`, async ({ consumer, standIn, page }) => {
    test.slow()
    await consumer.open({ head })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    for (const { name, go } of screens) {
      await test.step(name, async () => {
        await go(consumer, standIn)
        for (const colours of [
          { colorScheme: 'light', forcedColors: 'none' },
          { colorScheme: 'dark', forcedColors: 'none' },
          { colorScheme: 'dark', forcedColors: 'active' },
        ] as const) {
          await page.emulateMedia(colours)
          expect
            .soft(await violations(page, colours.colorScheme === 'dark'), `${name}, ${JSON.stringify(colours)}`)
            .toEqual([])
        }
        await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' })
      })
    }
  })

for (const [group, screens] of [
  ['the form', formScreens],
  ['the check', checkScreens.filter(({ name }) => name !== 'sending')],
] as const)
  test(`${group}: fits 320 pixels, at twice the text size too, with room to press`, async ({
    consumer,
    standIn,
    page,
  }) => {
    test.slow()
    await page.setViewportSize({ width: 320, height: 640 })
    await consumer.open({ head: '<style>body { margin: 0 }</style>' })
    if (group === 'the check') {
      await consumer.toAnswers()
      await consumer.agree()
    }
    for (const { name, go } of screens) {
      await go(consumer, standIn)
      for (const size of ['medium', '32px']) {
        await page.locator('credit-report-widget').evaluate((element, value) => {
          if (element instanceof HTMLElement) element.style.setProperty('--credit-report-font-size', value)
        }, size)
        expect.soft(await tooWide(page), `${name} at ${size}`).toEqual([])
        expect.soft(await tooSmall(page), `${name} at ${size}`).toEqual([])
      }
      await page.locator('credit-report-widget').evaluate((element) => element.removeAttribute('style'))
    }
  })

test('the whole way with a keyboard only, and focus goes where the news is', async ({ consumer, page }) => {
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
  // Change, Change, Agree.
  for (let press = 0; press < 3; press++) await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await expect.poll(focused).toBe('Check your phone')
  await type(CODE)
  await page.keyboard.press('Enter')
  await expect.poll(focused).toBe('Your credit report')
  expect(new URL(page.url()).hash).toBe('')
})

test('nobody’s focus is taken when the page opens', async ({ consumer, page }) => {
  await consumer.open()
  await expect(page.locator('body')).toBeFocused()
})

test('nothing moves for those who ask for stillness', async ({ consumer, page, standIn }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await consumer.open()
  await consumer.toAnswers()
  standIn.instead('/run-1', { delayMs: 2_000 })
  await consumer.agree()
  await consumer.seeHeading('Checking your details')
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
})

test('wide spacing of letters, words and lines hides nothing', async ({ consumer, page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await consumer.open({ head: '<style>body { margin: 0 }</style>' })
  await page.locator('credit-report-widget').evaluate((element) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(
      '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-block-end: 2em !important }',
    )
    element.shadowRoot?.adoptedStyleSheets.push(sheet)
  })
  await consumer.press('Continue')
  expect(await tooWide(page)).toEqual([])
})

/** What sticks out of the page. */
function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.querySelector('credit-report-widget')?.shadowRoot
    const wide = [...(root?.querySelectorAll<HTMLElement>('.panel *') ?? [])].filter(
      (element) => element.getBoundingClientRect().right > innerWidth + 1 && !element.closest('.unseen'),
    )
    const page = document.documentElement.scrollWidth > innerWidth ? ['the page scrolls sideways'] : []
    return [...page, ...wide.map((element) => `${element.tagName}.${element.className}`)]
  })
}

/** What is too small to press. */
function tooSmall(page: Page): Promise<string[]> {
  return page.evaluate((sideMin) => {
    const root = document.querySelector('credit-report-widget')?.shadowRoot
    const targets = [...(root?.querySelectorAll<HTMLElement>('a, button, input, summary') ?? [])]
    return targets
      .filter((target) => target.checkVisibility())
      .map((target) => ({ target, box: target.getBoundingClientRect() }))
      .filter(({ box }) => box.width < sideMin || box.height < sideMin)
      .map(({ target, box }) => `${target.tagName} ${target.textContent || target.id} ${box.width}×${box.height}`)
  }, TARGET_SIDE_MIN_PX)
}
