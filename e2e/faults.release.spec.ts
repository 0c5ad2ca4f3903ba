// Hasty fingers, several tabs, reloads and wrong clocks, against the real stack: nothing typed is lost, nothing is sent
// or paid for twice.
import { expect, test, WRONG_CODE } from './faults/stage.ts'
import { expect as expectStandIn, test as standInTest } from './widget-pages/stage.ts'

const AGREE = 'Agree and check my credit report'
const HELD_KEY_REPEATS = 20

test('pressing "Agree" twice, and once more with the keyboard', async ({ shopper, front, expectCost }) => {
  await shopper.openFilled()
  await shopper.goToAnswers()
  const agree = shopper.widget.getByRole('button', { name: AGREE })
  await agree.focus()
  // All in one go, faster than any screen can change.
  await agree.evaluate((button) => {
    if (!(button instanceof HTMLElement)) return
    button.click()
    button.click()
    button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, composed: true }))
    button.click()
  })
  await shopper.seeHeading('Check your phone')
  expect(front.seen.filter(({ method }) => method === 'POST')).toHaveLength(1)
  await shopper.finish()
  await expectCost({})
})

test('a press and Enter held down cost one attempt', async ({ shopper, page, front, expectCost }) => {
  await shopper.openAtCode()
  const attempts = () => front.seen.filter(({ path }) => path.endsWith('/otp-challenge')).length
  await shopper.field('Security code').fill(WRONG_CODE)
  await shopper.widget.getByRole('button', { name: 'Continue' }).evaluate((button) => {
    if (!(button instanceof HTMLButtonElement)) return
    button.click()
    button.form?.requestSubmit(button)
    button.click()
  })
  await expect(shopper.widget.getByRole('alert')).toContainText('You have 2 attempts left')
  expect(attempts()).toBe(1)

  // A held key repeats itself; after the answer it must not count as another try.
  await shopper.field('Security code').focus()
  for (let repeat = 0; repeat < HELD_KEY_REPEATS; repeat++) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await expect(shopper.widget.getByRole('alert')).toContainText('You have 1 attempt left')
  expect(attempts()).toBe(2)
  await shopper.finish()
  await expectCost({})
})

test('two tabs share one check: one text, one count of attempts, the report in both', async ({
  shopper,
  context,
  expectCost,
}) => {
  await shopper.openAtCode()
  const second = shopper.inTab(await context.newPage())
  await second.goBackToCheck()
  await second.giveCode(WRONG_CODE)
  await expect(second.widget.getByRole('alert')).toContainText('You have 2 attempts left')
  await shopper.giveCode(WRONG_CODE)
  await expect(shopper.widget.getByRole('alert')).toContainText('You have 1 attempt left')
  await second.finish()
  await shopper.finish()
  await expectCost({})
})

test('a tab duplicated while the answer was lost asks for the same check', async ({
  shopper,
  page,
  front,
  books,
  expectCost,
}) => {
  front.disturb = ({ method }) => (method === 'POST' ? 'answer' : undefined)
  await shopper.openFilled()
  await shopper.goToAnswers()
  await shopper.agree()
  await shopper.seeHeading('Sorry, something went wrong at our end')
  front.disturb = () => undefined

  // A window opened by the page starts with a copy of its session's storage, as a duplicated tab does.
  const opened = page.waitForEvent('popup')
  await page.evaluate(() => void window.open(location.href))
  const twin = shopper.inTab(await opened)
  await twin.openAtCode()
  await shopper.press('Try again')
  await shopper.seeHeading('Check your phone')
  expect(await books.countTexts()).toBe(1)
  await twin.finish()
  await shopper.finish()
  await expectCost({})
})

test('reloading, leaving and coming back while waiting for the code', async ({
  shopper,
  page,
  books,
  front,
  expectCost,
}) => {
  await shopper.openAtCode()
  await page.reload()
  await shopper.seeHeading('Check your phone')
  await page.goto(front.page({ document: () => '<!doctype html><title>Messages</title>' }))
  await page.goBack()
  await shopper.seeHeading('Check your phone')
  await expect(shopper.widget.getByRole('timer')).toHaveText(/^(5:00|4:\d\d)$/)
  expect(await books.countTexts()).toBe(1)
  await shopper.finish()
  await expectCost({})
})

test('closing the tab and coming back', async ({ shopper, page, context, expectCost }) => {
  await shopper.openAtCode()
  await page.close()
  const later = shopper.inTab(await context.newPage())
  await later.goBackToCheck()
  await later.finish()
  await expectCost({})
})

for (const [name, offMs] of [
  ['seven hours fast', 7 * 3_600_000],
  ['two days slow', -2 * 86_400_000],
] as const)
  test(`a device whose clock is ${name}`, async ({ shopper, page, expectCost }) => {
    await page.clock.install({ time: Date.now() + offMs })
    await shopper.openAtCode()
    await expect(shopper.widget.getByRole('timer')).toHaveText(/^(5:00|4:\d\d)$/)
    await shopper.finish()
    await expectCost({})
  })

/** While a device sleeps, its monotonic clock may stand still; the wall clock goes on, and so does the server's. */
standInTest.describe('a device that slept', () => {
  standInTest.beforeEach(async ({ page }) => {
    await page.addInitScript(() => {
      const now = Date.now
      Date.now = () => now() + (Number(Reflect.get(window, 'sleptMs')) || 0)
    })
  })

  standInTest('for two minutes shows the time that is left', async ({ consumer, page, standIn }) => {
    await consumer.open()
    await consumer.toCode()
    await page.evaluate(() => Reflect.set(window, 'sleptMs', 120_000))
    standIn.advance(120_000)
    await expectStandIn(consumer.widget.getByRole('timer')).toHaveText(/^[0-2]:\d\d$/)
    await consumer.giveCode('123456')
    await consumer.seeHeading('Your credit report')
  })

  standInTest('for ten says that the code has expired, and keeps the answers', async ({ consumer, page, standIn }) => {
    await consumer.open()
    await consumer.toCode()
    await page.evaluate(() => Reflect.set(window, 'sleptMs', 600_000))
    standIn.advance(600_000)
    await consumer.seeHeading('That code has expired')
    await consumer.press('Send a new code')
    await consumer.seeHeading('Check your phone')
    const sent = standIn.seen.filter(({ method }) => method === 'POST')
    expectStandIn(sent.map(({ body }) => body)).toEqual([sent[0]?.body, sent[0]?.body])
  })
})
