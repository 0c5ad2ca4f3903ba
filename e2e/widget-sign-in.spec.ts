// The lender's own session is over in the middle of a check.
import { expect, test } from './widget-pages/stage.ts'

test('someone whose session is over is led to the lender’s sign-in, and goes on with what they typed', async ({
  consumer,
  standIn,
  context,
}) => {
  await consumer.open({ attributes: `sign-in-url="${standIn.page()}"` })
  await consumer.toAnswers()
  standIn.instead('/run-1', { status: 401 })
  await consumer.agree()
  await consumer.seeHeading('Your session has ended')
  const opened = context.waitForEvent('page')
  await consumer.widget.getByRole('link', { name: 'Sign in (opens a new tab)' }).click()
  await (await opened).close()
  await consumer.press('Carry on')
  await consumer.seeHeading('Check your phone')
})

test('an address of a script is no place to sign in', async ({ consumer, standIn }) => {
  await consumer.open({ attributes: 'sign-in-url="javascript:alert(1)"' })
  await consumer.toAnswers()
  standIn.instead('/run-1', { status: 401 })
  await consumer.agree()
  await expect(consumer.widget.getByText('Sign in again in another tab')).toBeVisible()
  await expect(consumer.widget.getByRole('link')).toHaveCount(0)
})
