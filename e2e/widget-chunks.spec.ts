// The files the widget fetches later: early enough that no one waits, and what happens when one is gone for good.
import { test as lenderTest } from './lender/stage.ts'
import { CODE, expect, test } from './widget-pages/stage.ts'

const REPORT = '**/report.*.js*'
const BROKEN = 'Sorry, something went wrong at our end'

test('everything a check needs is there before the form is filled in', async ({ consumer, page }) => {
  const fetched = page.waitForResponse(REPORT)
  await consumer.open()
  await (await fetched).finished()
  await page.route('**/*.js*', (route) => route.abort())
  await consumer.toReport()
})

test('who saves data gets the report’s file when there is a code to wait for', async ({ consumer, page, standIn }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))
  const asked = () => standIn.seen.filter(({ path }) => /\/report\./.test(path)).length
  await consumer.open()
  await consumer.toAnswers()
  expect(asked()).toBe(0)
  await consumer.agree()
  await consumer.seeHeading('Check your phone')
  await expect.poll(asked).toBe(1)
})

test('a page in Welsh fetches no English but that of the first screen', async ({ consumer, page, standIn }) => {
  const fetched = page.waitForResponse(REPORT)
  await consumer.open({ attributes: 'locale="cy"' })
  await (await fetched).finished()
  const paths = standIn.seen.map(({ path }) => path)
  expect(paths.some((path) => /\/cy\./.test(path))).toBe(true)
  expect(paths.filter((path) => /\/en-check\./.test(path))).toEqual([])
})

test('a page whose Welsh is gone goes on in English', async ({ consumer, page }) => {
  await page.route('**/cy.*.js*', (route) => route.abort())
  await consumer.open({ attributes: 'locale="cy"' })
  await consumer.toReport()
})

test('where a street cannot be taken apart, the form asks for the building', async ({ consumer, page }) => {
  await page.route('**/split-street.*.js*', (route) => route.abort())
  await consumer.open()
  await consumer.giveDetails()
  await consumer.field('Street').fill('10 High Street')
  await consumer.press('Continue')
  await expect(consumer.widget.getByRole('alert')).toContainText('Add a building number')
  await expect(consumer.field('Street')).toHaveValue('10 High Street')
})

lenderTest(
  'where the report’s file is gone for good, a new page goes on with the check',
  async ({ consumer, page, front }) => {
    await page.route(REPORT, (route) => route.abort())
    await consumer.open()
    await consumer.toCode()
    await consumer.giveCode(CODE)
    await consumer.seeHeading(BROKEN)
    page.once('framenavigated', () => void page.unroute(REPORT))
    await consumer.press('Try again')
    await consumer.seeHeading('Your credit report')
    expect(front.seen.filter(({ body }) => body.includes('lastName')).length).toBe(1)
  },
)

lenderTest('where a new page cannot load it either, it is not loaded again and again', async ({ consumer, page }) => {
  await page.route(REPORT, (route) => route.abort())
  await consumer.open()
  await consumer.toCode()
  await consumer.giveCode(CODE)
  await consumer.seeHeading(BROKEN)
  let pages = 0
  page.on('framenavigated', () => pages++)
  await consumer.press('Try again')
  await expect.poll(() => pages).toBe(1)
  await consumer.seeHeading(BROKEN)
  expect(pages).toBe(1)
})
