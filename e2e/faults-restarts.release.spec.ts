// Servers that are restarted or die while a consumer is in the middle of a check: nothing typed is lost, nothing is
// sent or paid for twice.
import { expect, test } from './faults/stage.ts'

for (const which of ['proxy', 'service'] as const) {
  test(`the ${which} is killed and comes back while the consumer looks for the code`, async ({
    shopper,
    lender,
    books,
    expectCost,
  }) => {
    await shopper.openAtCode()
    const code = await books.newestCode()
    await lender[which].end('SIGKILL')
    await shopper.giveCode(code)
    await expect(shopper.widget.getByText('We could not check the code. Press Continue')).toBeVisible()
    await expect(shopper.field('Security code')).toHaveValue(code)
    await lender[which].start()
    await shopper.press('Continue')
    await shopper.seeHeading('Your credit report')
    await expectCost({})
  })

  test(`the ${which} is away when the details are sent`, async ({ shopper, lender, expectCost }) => {
    await shopper.openFilled()
    await shopper.goToAnswers()
    await lender[which].end()
    await shopper.agree()
    await shopper.seeHeading('Sorry, something went wrong at our end')
    await lender[which].start()
    await shopper.press('Try again')
    await shopper.seeHeading('Check your phone')
    await shopper.finish()
    await expectCost({})
  })
}

test('both are restarted after an answer was lost: the details that were kept find the same check', async ({
  shopper,
  page,
  front,
  lender: { proxy, service },
  books,
  expectCost,
}) => {
  front.disturb = ({ method }) => (method === 'POST' ? 'answer' : undefined)
  await shopper.openFilled()
  await shopper.goToAnswers()
  await shopper.agree()
  const code = await books.newestCode()
  await Promise.all([proxy.end('SIGKILL'), service.end('SIGKILL')])
  await Promise.all([proxy.start(), service.start()])
  await shopper.seeHeading('Sorry, something went wrong at our end')
  front.disturb = () => undefined
  await page.reload()
  await shopper.seeHeading('Check your answers')
  await shopper.agree()
  await shopper.seeHeading('Check your phone')
  await shopper.giveCode(code)
  await shopper.seeHeading('Your credit report')
  await expectCost({})
})
