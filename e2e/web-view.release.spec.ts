// The page inside an app, as docs/lender/web-views.md says it: a view that opens no window and shows no dialog, whose
// cookies an app clears, and whose process the system ends.
import { expect, test } from './faults/stage.ts'

test('a whole check opens no window and asks through no dialog, and a link that leads nowhere loses nothing', async ({
  shopper,
  page,
  context,
  expectCost,
}) => {
  const windows: unknown[] = []
  context.on('page', (opened) => {
    windows.push(opened)
    return opened.close()
  })
  page.on('dialog', (dialog) => {
    windows.push(dialog.message())
    return dialog.dismiss()
  })
  await shopper.openFilled()
  await shopper.goToAnswers()
  expect(windows).toEqual([])
  await shopper.widget.locator('a[target=_blank]').first().click()
  await expect.poll(() => windows.length).toBe(1)
  await shopper.seeHeading('Check your answers')
  await shopper.agree()
  await shopper.seeHeading('Check your phone')
  await shopper.finish()
  expect(windows).toHaveLength(1)
  await expectCost({})
})

test('cookies that an app clears at the code: the details are kept, another code is sent, and one report is paid for', async ({
  shopper,
  context,
  books,
  expectCost,
}) => {
  await shopper.openAtCode()
  await context.clearCookies()
  await shopper.giveCode(await books.newestCode())
  await shopper.seeHeading('Your session has ended')
  await shopper.press('Carry on')
  await shopper.seeHeading('Check your phone')
  await shopper.finish()
  // The hold of the first check is released when its code has expired.
  await expectCost({ texts: 2, openHolds: 1 })
})

test('a process that the system ends at the code: the view shows the code again, and one report is paid for', async ({
  shopper,
  page,
  context,
  expectCost,
}) => {
  await shopper.openAtCode()
  // Memory and the tab's storage are gone; the app's cookies are on disk.
  const { cookies } = await context.storageState()
  expect(cookies.filter(({ expires }) => expires < 0)).toEqual([])
  await page.close()
  const again = shopper.inTab(await context.newPage())
  await again.goBackToCheck()
  await again.finish()
  await expectCost({})
})

test('ended while the report is shown: it asks for the date of birth', async ({
  shopper,
  page,
  context,
  expectCost,
}) => {
  await shopper.openAtCode()
  await shopper.finish()
  await page.close()
  const again = shopper.inTab(await context.newPage())
  await again.open()
  await again.seeHeading('Your report is locked')
  await expectCost({})
})

test('ended in the form: what was typed belonged to the tab, and the form is empty', async ({
  shopper,
  page,
  context,
}) => {
  await shopper.openFilled()
  await shopper.goToAnswers()
  await page.close()
  const again = shopper.inTab(await context.newPage())
  await again.open()
  await again.seeHeading('Your details')
  await expect(again.field('Last name')).toHaveValue('')
})
