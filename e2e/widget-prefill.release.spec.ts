// The page's details of the consumer: `prefill` and `locked`.
import { expect, test } from './widget-pages/stage.ts'

const script = (code: string) => `<script>${code}</script>`

test('what the page knows is filled in, whenever it says so, and can be changed', async ({ consumer, page }) => {
  await consumer.open({
    // Set before the element's class is there.
    after: script(`document.querySelector('credit-report-widget').prefill = {
      firstName: 'Samira', lastName: 'Patel', dateOfBirth: '1985-03-07', mobileNumber: '07700900123',
      addresses: [{ buildingNumber: '1', townOrCity: 'York', postcode: 'YO1 7HH', movedIn: '2012-05' }] }`),
  })
  await expect(consumer.field('First name')).toHaveValue('Samira')
  await expect(consumer.field('Day')).toHaveValue('7')
  await consumer.fill({ 'First name': 'Sam' })
  await page.evaluate(() => {
    const element = document.querySelector('credit-report-widget')
    if (element) element.prefill = { ...element.prefill, email: 'sam@example.com' }
  })
  await expect(consumer.field('Email address')).toHaveValue('sam@example.com')
  await expect(consumer.field('First name')).toHaveValue('Sam')
  await consumer.press('Continue')
  await expect(consumer.field('Postcode')).toHaveValue('YO1 7HH')
  await expect(consumer.field('Year')).toHaveValue('2012')
})

test('a title the page knows can be changed; other people are not asked for one', async ({ consumer, page }) => {
  await consumer.open()
  await consumer.seeHeading('Your details')
  await expect(consumer.field('Title')).toHaveCount(0)
  await page.evaluate(() => {
    Object.assign(document.querySelector('credit-report-widget') ?? {}, { prefill: { title: 'Mr' } })
  })
  await expect(consumer.field('Title')).toHaveValue('Mr')
  await consumer.fill({ Title: 'Dr' })
  await consumer.toAnswers()
  await expect(consumer.widget).toContainText('Dr Sam Patel')
})

test('what the page knows may have gaps', async ({ consumer }) => {
  await consumer.open({
    after: script(`document.querySelector('credit-report-widget').prefill = {
      firstName: 'Sam', lastName: null, dateOfBirth: null, addresses: [null, { postcode: 'LS1 4AP', movedIn: null }],
    }`),
  })
  await expect(consumer.field('First name')).toHaveValue('Sam')
  await consumer.giveDetails()
  await consumer.giveAddress({ Year: '2026' })
  await consumer.seeHeading('Where did you live before?')
  await expect(consumer.field('Postcode')).toHaveValue('LS1 4AP')
})

test('a locked element shows what the page knows, and asks for the rest', async ({ consumer }) => {
  await consumer.open({
    after: script(`const widget = document.querySelector('credit-report-widget')
      widget.toggleAttribute('locked', true)
      widget.prefill = {
        firstName: 'Sam', lastName: 'Patel', dateOfBirth: '1985-03-27',
        addresses: [{ buildingNumber: '10', townOrCity: 'Leeds', postcode: 'LS1 4AP', movedIn: '2015-09' }],
      }`),
  })
  await expect(consumer.widget.getByRole('definition')).toHaveText(['Sam', 'Patel', '27 March 1985'])
  await expect(consumer.field('Last name')).toHaveCount(0)
  await consumer.fill({ 'UK mobile number': '07700 900123' })
  await consumer.press('Continue')
  await consumer.seeHeading('Check your answers')
  await expect(consumer.widget).toContainText('LS1 4AP')
  await expect(consumer.widget.getByRole('button', { name: /^Change/ })).toHaveCount(1)
})

test('after a reload, known addresses are not mistaken for answers', async ({ consumer, page, standIn }) => {
  await consumer.open({
    after: script(`document.querySelector('credit-report-widget').prefill = {
      addresses: [{ buildingNumber: '10', townOrCity: 'Leeds', postcode: 'LS1 4AP', movedIn: '2015-09' }],
    }`),
  })
  await consumer.giveDetails()
  await consumer.press('Continue')
  await consumer.agree()
  await consumer.seeHeading('Check your phone')
  await page.reload()
  await consumer.seeHeading('Check your phone')
  standIn.advance(301_000)
  await consumer.giveCode('111111')
  await consumer.seeHeading('That code has expired')
  await consumer.press('Start again')
  await consumer.seeHeading('Your details')
})
