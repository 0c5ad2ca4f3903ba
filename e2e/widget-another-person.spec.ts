// A tablet in a branch: one person after the other on the same page, live.
import { expect, test } from './faults/stage.ts'

test('after reset() another person can be checked', async ({ shopper, books, expectCost }) => {
  await shopper.openAtCode()
  await shopper.finish()
  await shopper.widget.evaluate((element) => {
    if ('reset' in element && typeof element.reset === 'function') element.reset()
  })
  await shopper.seeHeading('Your details')
  await shopper.fill({ 'Last name': 'Okafor' })
  await shopper.goToCode()
  await expect.poll(books.countTexts).toBe(2)
  await shopper.finish()
  await expectCost({ reports: 2, texts: 2 })
})
