// A reload before the code: what was typed is still there, and what was sent is not sent twice.
import type { Page } from '@playwright/test'
import { findViolations } from './accessibility/axe.ts'
import { isCurrent } from './echo-nonce.ts'
import { expect, test as live } from './faults/stage.ts'
import { test } from './lender/stage.ts'
import { type Consumer, HOME, SAM } from './widget-pages/stage.ts'

const KEPT = 'We kept what you typed.'
const AGREE = 'Agree and check my credit report'

async function seeValues({ field }: Consumer, values: { [label: string]: string }): Promise<void> {
  for (const [label, value] of Object.entries(values)) await expect(field(label)).toHaveValue(value)
}

/** Resolves when the lender's server has what was typed. */
function saved(page: Page): Promise<unknown> {
  return page.waitForResponse((response) => response.url().endsWith('/draft'))
}

test('a reload at each step: everything typed is still there, and the check goes on', async ({ consumer, page }) => {
  await consumer.open()
  await consumer.seeHeading('Your details')
  await consumer.fill(SAM)
  await page.reload()
  await expect(consumer.widget.getByText(KEPT)).toBeVisible()
  await seeValues(consumer, SAM)
  expect(await findViolations(page, { within: 'credit-report-widget' })).toEqual([])

  const details = saved(page)
  await consumer.press('Continue')
  await consumer.seeHeading('Where do you live?')
  await details
  const { Month: _month, Year: _year, ...home } = HOME
  await consumer.fill(home)
  await page.reload()
  await consumer.seeHeading('Where do you live?')
  await expect(consumer.widget.getByText(KEPT)).toBeVisible()
  await seeValues(consumer, home)

  const answers = saved(page)
  await consumer.giveAddress()
  await consumer.seeHeading('Check your answers')
  await expect(consumer.widget.getByText(KEPT)).toBeHidden()
  await answers
  await page.reload()
  await consumer.seeHeading('Check your answers')
  await expect(consumer.widget.getByText('Sam Patel')).toBeVisible()
  expect(await findViolations(page, { within: 'credit-report-widget' })).toEqual([])

  await consumer.agree()
  await consumer.seeHeading('Check your phone')
  await page.reload()
  await consumer.seeHeading('Check your phone')
  await consumer.press('Change mobile number')
  await seeValues(consumer, SAM)
})

test('a reload of a search goes back to it, with the postcode and the date', async ({ consumer, page }) => {
  const homes = `[{ buildingNumber: '10', thoroughfare: 'High Street', townOrCity: 'Leeds', postcode }]`
  const widget = `document.querySelector('credit-report-widget')`
  await consumer.open({ after: `<script>${widget}.addressLookup = async (postcode) => ${homes}</script>` })
  await consumer.giveDetails()
  await consumer.fill({ Postcode: 'LS1 4AP' })
  await consumer.press('Find address')
  await consumer.fill({ Month: '1', Year: '2010' })
  await page.reload()
  await expect(consumer.widget.getByText(KEPT)).toBeVisible()
  await seeValues(consumer, { Postcode: 'LS1 4AP' })
  await expect(consumer.field('Building number')).toHaveCount(0)
  await consumer.press('Find address')
  await seeValues(consumer, { Month: '1', Year: '2010' })
  await consumer.press('Continue')
  await consumer.seeHeading('Check your answers')
})

test('no script of the page can read it, and another tab does not show it', async ({ consumer, page, context }) => {
  await consumer.open()
  const done = saved(page)
  await consumer.giveDetails()
  await done
  const [draft] = (await context.cookies(page.url())).filter(({ name }) => name.endsWith('credit-report-draft'))
  expect(draft).toBeUndefined()
  const all = (await context.cookies()).filter(({ name }) => name.endsWith('credit-report-draft'))
  expect(all).toMatchObject([{ httpOnly: true, sameSite: 'Strict', path: expect.stringMatching(/^\/credit-reports/) }])
  expect(
    await page.evaluate(() => JSON.stringify([document.cookie, { ...sessionStorage }, { ...localStorage }])),
  ).not.toContain('Patel')
  const second = await context.newPage()
  await second.goto(page.url())
  await expect(second.getByRole('heading', { name: 'Your details' })).toBeVisible()
  await second.waitForLoadState('networkidle')
  await expect(second.getByLabel('Last name')).toHaveValue('')
})

test('"Start again" empties the form, for the next reload too', async ({ consumer, page }) => {
  await consumer.open()
  const done = saved(page)
  await consumer.giveDetails()
  await done
  await page.reload()
  await expect(consumer.widget.getByText(KEPT)).toBeVisible()
  const dropped = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await consumer.press('Start again')
  await consumer.seeHeading('Your details')
  await expect(consumer.field('Last name')).toHaveValue('')
  await dropped
  await page.reload()
  await consumer.seeHeading('Your details')
  await page.waitForLoadState('networkidle')
  await expect(consumer.field('Last name')).toHaveValue('')
})

test('what is typed after a reload counts more than what comes late', async ({ consumer, page }) => {
  await consumer.open()
  const done = saved(page)
  await consumer.giveDetails()
  await done
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/current?*', async (route) => {
    await held
    await route.continue()
  })
  await page.reload()
  await consumer.seeHeading('Your details')
  await consumer.field('First name').fill('Alex')
  release()
  await expect(consumer.field('Last name')).toHaveValue('Patel')
  await expect(consumer.field('First name')).toHaveValue('Alex')
})

test('`drafts="off"` keeps nothing', async ({ consumer, page, context }) => {
  await consumer.open({ attributes: 'drafts="off"' })
  await consumer.giveDetails()
  await consumer.seeHeading('Where do you live?')
  await page.reload()
  await consumer.seeHeading('Your details')
  expect((await context.cookies()).map(({ name }) => name).join()).not.toContain('draft')
})

for (const [when, loss] of [
  ['the service has answered', 'held-answer'],
  ['nothing has arrived yet', 'held-request'],
] as const)
  live(
    `a reload while the details are checked, ${when}: one text, one charge`,
    async ({ shopper, page, front, context, books, expectCost }) => {
      await shopper.openFilled()
      await shopper.goToAnswers()
      front.disturb = ({ method, path }) => (method === 'POST' && path === '/credit-reports' ? loss : undefined)
      await shopper.agree()
      await shopper.seeHeading('Checking your details')
      await expect.poll(() => front.seen.filter(({ method }) => method === 'POST').length).toBe(1)
      if (loss === 'held-answer') await expect.poll(books.countTexts).toBe(1)
      await page.reload()
      await shopper.seeHeading('Looking for your check')
      expect(await findViolations(page, { within: 'credit-report-widget' })).toEqual([])
      await page.reload()
      front.disturb = () => undefined
      await page.reload()
      await shopper.seeHeading('Check your phone')
      await shopper.finish()
      await expectCost({})
      expect((await context.cookies()).map(({ name }) => name).join()).not.toContain('draft')
    },
  )

live(
  'a line cut while it still checks: "Try again" comes back to the same check',
  async ({ shopper, page, front, expectCost }) => {
    await shopper.openFilled()
    await shopper.goToAnswers()
    front.disturb = ({ method, path }) => (method === 'POST' && path === '/credit-reports' ? 'held-answer' : undefined)
    await shopper.agree()
    await shopper.seeHeading('Checking your details')
    front.disturb = ({ path }) => (isCurrent(path) ? 'request' : undefined)
    await page.reload()
    await shopper.seeHeading('We cannot reach the company you came from')
    front.disturb = () => undefined
    await shopper.press('Try again')
    await shopper.seeHeading('Check your phone')
    await shopper.finish()
    await expectCost({})
  },
)

live(
  'Back while the details are checked, and forward again: one text, one charge',
  async ({ shopper, page, front, expectCost }) => {
    await page.goto(front.page({ document: () => '<!doctype html><title>Elsewhere</title>' }))
    await shopper.openFilled()
    await shopper.goToAnswers()
    front.disturb = ({ method, path }) => (method === 'POST' && path === '/credit-reports' ? 'held-answer' : undefined)
    await shopper.agree()
    await shopper.seeHeading('Checking your details')
    await page.goBack()
    front.disturb = () => undefined
    await page.goForward()
    await shopper.seeHeading('Check your phone')
    await shopper.finish()
    await expectCost({})
  },
)

live('after trouble a reload leads to the answers, and nothing is sent by itself', async ({ shopper, page, front }) => {
  await shopper.openFilled()
  await shopper.goToAnswers()
  front.disturb = ({ method, path }) => (method === 'POST' && path === '/credit-reports' ? 'request' : undefined)
  await shopper.agree()
  await shopper.seeHeading('Sorry, something went wrong at our end')
  front.disturb = () => undefined
  front.seen.length = 0
  await page.reload()
  await shopper.seeHeading('Check your answers')
  await expect(shopper.widget.getByRole('button', { name: AGREE })).toBeVisible()
  expect(front.seen.filter(({ method }) => method === 'POST')).toEqual([])
})
