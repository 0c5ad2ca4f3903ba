// The files the widget fetches later: early enough that no one waits, and what happens when one is gone for good.
import { expect, test } from './widget-pages/stage.ts'

const CHECK = '**/check.*.js*'

test('everything a check needs is there before the form is filled in', async ({ consumer, page }) => {
  const fetched = Promise.all([CHECK, '**/en-check.*.js*'].map((file) => page.waitForResponse(file)))
  await consumer.open()
  for (const file of await fetched) await file.finished()
  await page.route('**/*.js*', (route) => route.abort())
  await consumer.toReport()
})

test('a page in Welsh fetches no English but that of the first screen', async ({ consumer, page, standIn }) => {
  const fetched = page.waitForResponse(CHECK)
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
