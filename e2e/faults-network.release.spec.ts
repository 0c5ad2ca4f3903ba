// Networks that come and go, against the real stack: nothing typed is lost, nothing is sent or paid for twice.

import { expect, test } from './faults/stage.ts'
import type { Seen } from './lender/web-server.ts'

const COOL_DOWN_MS = 31_000

test('offline at every step, one after the other', async ({ shopper, page, context, books, expectCost }) => {
  test.slow()
  await page.clock.install()
  await shopper.openFilled()

  await test.step('while details and address are typed, nothing is asked of the network', async () => {
    await context.setOffline(true)
    await shopper.goToAnswers()
  })
  await test.step('when the details are sent', async () => {
    await shopper.agree()
    await shopper.seeHeading('You are not connected to the internet')
    await context.setOffline(false)
    await shopper.press('Try again')
    await shopper.seeHeading('Check your phone')
  })
  await test.step('when another text is asked for', async () => {
    await page.clock.runFor(COOL_DOWN_MS)
    await context.setOffline(true)
    await shopper.press('Send a new code')
    await expect(shopper.widget.getByText('You are not connected to the internet')).toBeVisible()
    expect(await books.countTexts()).toBe(1)
    await context.setOffline(false)
    // Back online the widget asks how things stand, and may count on from the server's clock, which is behind the
    // page's here.
    await expect(async () => {
      await page.clock.runFor(COOL_DOWN_MS)
      await shopper.press('Send a new code')
      await expect(shopper.widget.getByText('We have sent a new code')).toBeVisible()
    }).toPass()
    await expect.poll(books.countTexts).toBe(2)
  })
  await test.step('when the code is sent', async () => {
    await context.setOffline(true)
    const code = await books.newestCode()
    await shopper.giveCode(code)
    await expect(shopper.widget.getByText('You are not connected to the internet')).toBeVisible()
    await expect(shopper.field('Security code')).toHaveValue(code)
    await context.setOffline(false)
    await shopper.press('Continue')
    await shopper.seeHeading('Your credit report')
  })
  await expectCost({ texts: 2 })
})

for (const lost of ['request', 'answer'] as const)
  test(`every second ${lost} is lost, of the widget’s parts too`, async ({
    shopper,
    page,
    front,
    books,
    expectCost,
  }) => {
    await page.clock.install()
    const timesAsked = new Map<string, number>()
    front.disturb = ({ method, path }) => {
      const what = `${method} ${path.replace(/\?.*/, '')}`
      // A page whose one script tag fails has no widget to test.
      if (what.endsWith('/widget.js')) return undefined
      const times = (timesAsked.get(what) ?? 0) + 1
      timesAsked.set(what, times)
      return times % 2 ? lost : undefined
    }
    await shopper.openAtCode()
    await page.clock.runFor(COOL_DOWN_MS)
    await shopper.press('Send a new code')
    await expect(shopper.widget.getByText('We have sent a new code')).toBeVisible()
    await expect.poll(books.countTexts).toBe(2)

    await shopper.giveCode(await books.newestCode())
    await expect(shopper.widget.getByText('We could not check the code. Press Continue')).toBeVisible()
    await shopper.press('Continue')
    await shopper.seeHeading('Your credit report')
    await expectCost({ texts: 2 })
  })

const isGenerate = ({ method, path }: Seen) => method === 'POST' && path === '/credit-reports'
const isCode = ({ path }: Seen) => path.endsWith('/otp-challenge')
const isResend = ({ path }: Seen) => path.endsWith('/resend-sms')

const testLost = test.extend<{
  /** The check has begun and its text is sent; the page never hears of it, and is reloaded without its draft. */
  loseAnswerAndReload: () => Promise<void>
}>({
  loseAnswerAndReload: async ({ shopper, page, front, books }, use) => {
    await use(async () => {
      front.disturb = (asked) => (isGenerate(asked) ? 'answer' : undefined)
      await shopper.openFilled()
      await shopper.goToAnswers()
      await shopper.agree()
      await expect.poll(books.countTexts).toBe(1)
      await page.context().clearCookies({ name: /credit-report-draft$/ })
      await page.reload()
      front.disturb = () => undefined
    })
  },
})

testLost(
  'the answer is lost, the page reloaded, the same details typed again: one report, one charge',
  async ({ shopper, loseAnswerAndReload, books, expectCost }) => {
    await loseAnswerAndReload()
    await shopper.openAtCode()
    expect(await books.read()).toMatchObject({ openHolds: 1 })
    expect(await books.countTexts()).toBe(1)
    await shopper.finish()
    await expectCost({})
  },
)

testLost(
  'the answer is lost, and other details are typed: another check, and the first is not paid for',
  async ({ shopper, loseAnswerAndReload, books }) => {
    await loseAnswerAndReload()
    await shopper.openFilled()
    await shopper.fill({ 'First name': 'Samira' })
    await shopper.goToCode()
    await expect.poll(books.countTexts).toBe(2)
    await shopper.finish()
    // The hold of the unanswered check is released when its time is up.
    await expect.poll(books.read).toEqual({ reports: 1, openHolds: 1, texts: 2 })
  },
)

test('the answer to a right code is lost: the report is asked for and shown, also after a reload', async ({
  shopper,
  page,
  front,
  expectCost,
}) => {
  await shopper.openAtCode()
  front.disturb = (asked) => (isCode(asked) ? 'answer' : undefined)
  await shopper.finish()
  await page.reload()
  await shopper.seeHeading('Your credit report')
  await expectCost({})
})

test('the answer to a resend is lost and the page reloaded: asked for again, no third text is sent', async ({
  shopper,
  page,
  front,
  books,
  expectCost,
}) => {
  await page.clock.install()
  await shopper.openAtCode()
  await page.clock.runFor(COOL_DOWN_MS)
  front.disturb = (asked) => (isResend(asked) ? 'answer' : undefined)
  await shopper.press('Send a new code')
  await expect(shopper.widget.getByText('We could not send a new code')).toBeVisible()
  front.disturb = () => undefined
  await page.reload()
  await shopper.seeHeading('Check your phone')
  await page.clock.runFor(COOL_DOWN_MS)
  await shopper.press('Send a new code')
  await expect(shopper.widget.getByText('We have sent a new code')).toBeVisible()
  expect(await books.countTexts()).toBe(2)
  await shopper.finish()
  await expectCost({ texts: 2 })
})
