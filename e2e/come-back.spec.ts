// Wherever a consumer comes back, they see what is true; against the real stack, so that it shows what that costs.
import { expect, test, WRONG_CODE } from './faults/stage.ts'

test('finished in one tab, the other shows it locked, and a code typed there opens nothing', async ({
  shopper,
  page,
  context,
  expectCost,
}) => {
  await shopper.openAtCode()
  const second = shopper.inTab(await context.newPage())
  await second.goBackToCheck()
  await second.finish()
  await shopper.giveCode(WRONG_CODE)
  await shopper.seeHeading('Your report is locked')
  await page.reload()
  await shopper.seeHeading('Your report is locked')
  await expectCost({})
})

test('a reload on the report, and leaving it and coming back, show it again', async ({
  shopper,
  page,
  front,
  expectCost,
}) => {
  await shopper.openAtCode()
  await shopper.finish()
  await page.reload()
  await shopper.seeHeading('Your credit report')
  await page.goto(front.page({ document: () => '<!doctype html><title>Elsewhere</title>' }))
  await page.goBack()
  await shopper.seeHeading('Your credit report')
  await expectCost({})
})

test('a reload after three wrong codes says again that the check has stopped', async ({
  shopper,
  page,
  expectCost,
}) => {
  await shopper.openAtCode()
  for (const said of ['2 attempts left', '1 attempt left']) {
    await shopper.giveCode(WRONG_CODE)
    await expect(shopper.widget.getByRole('alert')).toContainText(said)
  }
  await shopper.giveCode(WRONG_CODE)
  await shopper.seeHeading('We could not confirm it is you')
  await page.reload()
  await shopper.seeHeading('We could not confirm it is you')
  await expectCost({ reports: 0 })
})

test('another person at the code starts again, and a reload does not bring the check back', async ({
  shopper,
  page,
}) => {
  await shopper.openAtCode()
  const forgotten = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await shopper.widget.getByText('Not you?').click()
  await shopper.press('Undo it and start again')
  await shopper.seeHeading('Your details')
  await forgotten
  await page.reload()
  await shopper.seeHeading('Your details')
})

test('details can be changed at the code, after a reload too', async ({ shopper, page }) => {
  await shopper.openAtCode()
  await page.reload()
  await shopper.seeHeading('Check your phone')
  await shopper.press('Change your details')
  await shopper.seeHeading('Check your answers')
  await expect(shopper.widget.getByText('Sam Patel')).toBeVisible()
})

test('inside another site the form is not filled in for nothing', async ({ page, front }) => {
  front.keepsCookies = false
  const frame = `<!doctype html><title>Around</title><iframe src="${front.page()}"></iframe>`
  await page.goto(front.page({ document: () => frame }))
  await expect(page.frameLocator('iframe').getByText('browsers keep none for a page inside another')).toBeVisible()
})

test('a browser that drops cookies hears so before a text is paid for', async ({ shopper, front, books }) => {
  await shopper.openFilled()
  await shopper.goToAnswers()
  front.keepsCookies = false
  await shopper.agree()
  await shopper.seeHeading('Your browser is blocking cookies')
  expect(await books.countTexts()).toBe(0)
  front.keepsCookies = true
  await shopper.press('Try again')
  await shopper.seeHeading('Check your phone')
})
