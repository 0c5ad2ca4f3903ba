// Ordinary lives, names and keyboards fit the form.
import { expect, SAM, test } from './widget-pages/stage.ts'

test('someone who moved away and back home can say so', async ({ consumer, standIn }) => {
  const year = new Date().getFullYear()
  await consumer.open()
  await consumer.giveDetails()
  await consumer.giveAddress({ Year: String(year - 1) })
  await consumer.seeHeading('Where did you live before?')
  await consumer.giveAddress({
    'Building number': '7',
    Street: 'Mill Lane',
    Postcode: 'YO1 7HH',
    Year: String(year - 2),
  })
  await consumer.giveAddress({ Year: '2005' })
  await consumer.seeHeading('Check your answers')
  await consumer.agree()
  await consumer.seeHeading('Check your phone')
  const home = { ukAddress: { buildingNumber: '10', postcode: 'LS1 4AP' } }
  expect(standIn.seen.find(({ method }) => method === 'POST')?.body).toMatchObject({
    addresses: [home, { ukAddress: { buildingNumber: '7' } }, home],
  })
})

test('odd hyphens, apostrophes and a mistyped postcode are put right', async ({ consumer, standIn }) => {
  await consumer.open()
  await consumer.giveDetails({ 'First name': 'Anne\u2011Marie', 'Last name': 'O´Brien', Year: '１９８５' })
  await consumer.giveAddress({ Postcode: 'LSI 4AP' })
  await consumer.seeHeading('Check your answers')
  await expect(consumer.widget).toContainText('Anne-Marie O’Brien')
  await consumer.agree()
  await consumer.seeHeading('Check your phone')
  expect(standIn.seen.find(({ method }) => method === 'POST')?.body).toMatchObject({
    firstName: 'Anne-Marie',
    lastName: 'O’Brien',
    dateOfBirth: '1985-03-27',
    addresses: [{ ukAddress: { postcode: 'LS1 4AP' } }],
  })
})

test('an answer that is wrong in a new way says the new thing', async ({ consumer }) => {
  await consumer.open()
  await consumer.giveDetails({ 'UK mobile number': '0770' })
  await expect(consumer.field('UK mobile number')).toHaveAccessibleDescription(/too short/)
  await consumer.fill({ 'UK mobile number': 'none' })
  await consumer.field('First name').focus()
  await expect(consumer.field('UK mobile number')).toHaveAccessibleDescription(/can only have digits/)
})

test('someone from abroad is not asked further, and the lender’s server is told', async ({ consumer, standIn }) => {
  await consumer.open()
  await consumer.giveDetails()
  await consumer.giveAddress({ Year: String(new Date().getFullYear() - 1) })
  await consumer.press('I lived outside the UK before that')
  await consumer.seeHeading('Check your answers')
  await expect(consumer.widget).toContainText('Outside the UK')
  await consumer.press('Change Previous address, Outside the UK')
  await consumer.seeHeading('Where did you live before?')
  await consumer.press('Back')
  await consumer.seeHeading('Check your answers')
  await consumer.agree()
  await consumer.seeHeading('Check your phone')
  expect(standIn.seen.find(({ method }) => method === 'POST')?.body).toMatchObject({ livedAbroad: true })
})

test('someone without a UK mobile is shown the lender’s other way on the first step', async ({ consumer }) => {
  await consumer.open({ inside: '<p slot="alternative-route"><a href="/call">Call us instead</a></p>' })
  await consumer.seeHeading('Your details')
  const route = consumer.widget.getByRole('link', { name: 'Call us instead' })
  await expect(route).toBeHidden()
  await consumer.widget.getByText('I do not have a UK mobile').click()
  await expect(route).toBeVisible()
})

test('an Irish mobile is fine where the lender takes those', async ({ consumer, standIn }) => {
  await consumer.open({ attributes: 'mobile-countries="GB, IE"' })
  const { 'UK mobile number': _uk, ...sam } = SAM
  await consumer.fill({ ...sam, 'Mobile number': '+1 212 555 0123' })
  await consumer.press('Continue')
  await expect(consumer.field('Mobile number')).toHaveAccessibleDescription(/cannot text numbers from that country/)
  await consumer.fill({ 'Mobile number': '+353 (0)87 123 4567' })
  await consumer.press('Continue')
  await consumer.giveAddress()
  await expect(consumer.widget).toContainText('+353871234567')
  await consumer.agree()
  await consumer.seeHeading('Check your phone')
  expect(standIn.seen.find(({ method }) => method === 'POST')?.body).toMatchObject({ mobileNumber: '+353871234567' })
})

test('a number that was optional and turns out to be needed is asked for, with the reason', async ({
  consumer,
  standIn,
}) => {
  await consumer.open({
    attributes: 'mobile="optional"',
    inside: '<p slot="alternative-route"><a href="/call">Call us instead</a></p>',
  })
  await consumer.giveDetails({ 'UK mobile number': '' })
  await consumer.giveAddress()
  standIn.instead('/run-1', {
    status: 400,
    body: { code: 'validation-error', message: 'mobileNumber: is required for a challenge' },
  })
  await consumer.agree()
  await consumer.seeHeading('Your details')
  await expect(consumer.widget.getByRole('alert')).toContainText('We need to text you a code to confirm it is you')
  await consumer.widget.getByText('I do not have a UK mobile').click()
  await expect(consumer.widget.getByRole('link', { name: 'Call us instead' })).toBeVisible()
  await consumer.fill({ 'UK mobile number': '07700 900123' })
  await consumer.press('Continue')
  await consumer.agree()
  await consumer.seeHeading('Check your phone')
})

test('an address that was removed by mistake comes back', async ({ consumer }) => {
  const year = new Date().getFullYear()
  await consumer.open()
  await consumer.giveDetails()
  await consumer.giveAddress({ Year: String(year - 1) })
  await consumer.giveAddress({ 'Building number': '7', Street: 'Mill Lane', Postcode: 'YO1 7HH', Year: '2005' })
  await consumer.seeHeading('Check your answers')
  await consumer.press('Remove Previous address, 7 Mill Lane')
  await consumer.seeHeading('Where did you live before?')
  await expect(consumer.widget.getByRole('status').filter({ hasText: 'We removed 7 Mill Lane.' })).toBeVisible()
  await consumer.press('Undo')
  await consumer.seeHeading('Check your answers')
  await expect(consumer.widget).toContainText('7 Mill Lane')
  await expect(consumer.widget.getByText('We removed')).toHaveCount(0)
})

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
