// A consumer's way through the widget, on a lender's page, against the built files.
import type { Page } from '@playwright/test'
import { CODE, expect, HOME, SAM, test } from './widget-pages/stage.ts'

test('details, address, answers, code, report', async ({ consumer, standIn }) => {
  await consumer.open()
  await consumer.giveDetails({ 'Middle names': 'Jo', 'Email address': 'sam@example.com' })
  await consumer.seeHeading('Where do you live?')
  await consumer.giveAddress()

  await consumer.seeHeading('Check your answers')
  await expect(consumer.widget).toContainText('Sam Jo Patel')
  await expect(consumer.widget).toContainText('27 March 1985')
  await expect(consumer.widget).toContainText('07700 900123')
  await expect(consumer.widget).toContainText('LS1 4AP')
  await consumer.agree()

  await consumer.seeHeading('Check your phone')
  await expect(consumer.widget).toContainText('the mobile ending 123. It works for 5 minutes.')
  await consumer.giveCode(CODE)
  await consumer.seeHeading('Your credit report')

  const sent = standIn.seen.find(({ method }) => method === 'POST')
  expect(sent?.body).toEqual({
    sessionId: 'session-1',
    firstName: 'Sam',
    middleName: 'Jo',
    lastName: 'Patel',
    dateOfBirth: '1985-03-27',
    mobileNumber: '+447700900123',
    email: 'sam@example.com',
    addresses: [
      {
        type: 'current',
        ukAddress: { buildingNumber: '10', thoroughfare: 'High Street', townOrCity: 'Leeds', postcode: 'LS1 4AP' },
      },
    ],
    consent: { locale: 'en-GB', ticked: false, notice: '2026-11', shown: expect.stringMatching(/^[0-9a-f]{64}$/) },
  })
  expect(sent?.headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/)
})

test('a check that needs no code goes straight to the report', async ({ consumer }) => {
  await consumer.open({ branch: 'allow' })
  await consumer.toAnswers()
  await consumer.agree()
  await consumer.seeHeading('Your credit report')
})

test.describe('the form', () => {
  test('an empty form leads to each missing answer, and the page’s address stays as it was', async ({
    consumer,
    page,
  }) => {
    await consumer.open()
    const before = page.url()
    await consumer.press('Continue')
    const summary = consumer.widget.getByRole('alert')
    await expect(summary).toContainText('There is a problem')
    await expect(summary.getByRole('link')).toHaveText([
      'Add your first name',
      'Add your last name',
      'Add your date of birth',
      'Add your UK mobile number',
    ])
    await summary.getByRole('link', { name: 'Add your date of birth' }).click()
    await expect(consumer.field('Day')).toBeFocused()
    expect(page.url()).toBe(before)
    await expect(consumer.field('First name')).toHaveAccessibleDescription('Error: Add your first name')
  })

  test('a corrected answer stops complaining, and the next press counts', async ({ consumer }) => {
    await consumer.open()
    await consumer.press('Continue')
    await consumer.fill(SAM)
    await consumer.field('Email address').focus()
    await expect(consumer.field('First name')).not.toHaveAttribute('aria-invalid', 'true')
    await consumer.press('Continue')
    await consumer.seeHeading('Where do you live?')
  })

  test('too little history asks where the consumer lived before', async ({ consumer, standIn }) => {
    await consumer.open()
    await consumer.giveDetails()
    const lastYear = String(new Date().getFullYear() - 1)
    await consumer.giveAddress({ Year: lastYear, Month: '1' })
    await consumer.seeHeading('Where did you live before?')
    await expect(consumer.widget).toContainText('We need 3 years of UK addresses')
    await consumer.giveAddress({ 'Building number': '22', Postcode: 'YO1 7HH', 'Town or city': 'York', Year: '2012' })
    await consumer.seeHeading('Check your answers')
    await consumer.agree()
    await consumer.seeHeading('Check your phone')
    const sent = standIn.seen.find(({ method }) => method === 'POST')
    expect(sent?.body).toMatchObject({ addresses: [{ type: 'current' }, { type: 'previous' }] })
  })

  test('answers can be changed one by one, and nothing is lost', async ({ consumer }) => {
    await consumer.open()
    await consumer.toAnswers()
    await consumer.press('Change Your details')
    await expect(consumer.field('First name')).toHaveValue('Sam')
    await consumer.fill({ 'First name': 'Samira' })
    await consumer.press('Continue')
    await consumer.seeHeading('Check your answers')
    await expect(consumer.widget).toContainText('Samira Patel')
    await consumer.press('Change Current address')
    await expect(consumer.field('Street')).toHaveValue('High Street')
    await consumer.press('Back')
    await consumer.seeHeading('Check your answers')
    await consumer.press('Back')
    await expect(consumer.field('Postcode')).toHaveValue('ls1 4ap')
    await consumer.press('Back')
    await expect(consumer.field('First name')).toHaveValue('Samira')
  })

  test('no keyboard corrects a name or a postcode', async ({ consumer }) => {
    await consumer.open()
    for (const label of ['First name', 'Last name', 'Email address'])
      await expect(consumer.field(label)).toHaveAttribute('autocorrect', 'off')
    await consumer.giveDetails()
    await expect(consumer.field('Postcode')).toHaveAttribute('autocorrect', 'off')
    await expect(consumer.field('Postcode')).toHaveAttribute('autocapitalize', 'characters')
  })

  test('a change that is given up half-way is no change', async ({ consumer }) => {
    await consumer.open()
    await consumer.toAnswers()
    await consumer.press('Change Your details')
    await consumer.fill({ Day: 'x', 'Last name': '' })
    await consumer.press('Continue')
    await expect(consumer.widget.getByRole('alert')).toBeVisible()
    await expect(consumer.field('Day')).toHaveValue('x')
    await consumer.press('Back')
    await consumer.seeHeading('Check your answers')
    await expect(consumer.widget).toContainText('Sam Patel')
    await expect(consumer.widget).toContainText('27 March 1985')
  })

  test('a double click on Continue agrees to nothing', async ({ consumer, standIn }) => {
    await consumer.open()
    await consumer.giveDetails()
    await consumer.seeHeading('Where do you live?')
    await consumer.fill(HOME)
    await consumer.widget.getByRole('button', { name: 'Continue' }).dblclick()
    await consumer.seeHeading('Check your answers')
    // A press by then would have been sent before this answer came.
    await consumer.agree()
    await consumer.seeHeading('Check your phone')
    expect(standIn.seen.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  test.describe('on a touch screen', () => {
    test.use({ hasTouch: true })

    test('a double tap on Continue agrees to nothing', async ({ consumer, page, standIn }) => {
      await page.setViewportSize({ width: 390, height: 844 })
      await consumer.open()
      // As an iPhone has it, where each tap of a double tap is the first.
      await page.evaluate(() => {
        Object.defineProperty(UIEvent.prototype, 'detail', { get: () => 1 })
      })
      await consumer.giveDetails()
      await consumer.seeHeading('Where do you live?')
      await consumer.fill(HOME)
      const button = consumer.widget.getByRole('button', { name: 'Continue' })
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
      const box = await button.boundingBox()
      if (!box) throw new Error('there is no button')
      // One moment for both, however busy the machine is.
      await stopEventTime(page, 0)
      for (let tap = 0; tap < 2; tap++) await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
      await consumer.seeHeading('Check your answers')
      await stopEventTime(page, 1_000)
      await consumer.agree()
      await consumer.seeHeading('Check your phone')
      expect(standIn.seen.filter(({ method }) => method === 'POST')).toHaveLength(1)
    })
  })

  test('a press at the same place counts once something was typed, however fast it comes', async ({
    consumer,
    page,
  }) => {
    await consumer.open()
    // As WebKit has it, which goes on counting clicks at one place.
    await page.evaluate(() => {
      Object.defineProperty(UIEvent.prototype, 'detail', { get: () => 2 })
    })
    await stopEventTime(page, 0)
    await consumer.giveDetails()
    await consumer.seeHeading('Where do you live?')
    await consumer.fill(HOME)
    await consumer.press('Continue')
    await consumer.seeHeading('Check your answers')
  })

  test('correcting one answer does not excuse another', async ({ consumer }) => {
    await consumer.open()
    await consumer.giveDetails()
    await consumer.giveAddress({ Year: String(new Date().getFullYear() - 1) })
    await consumer.seeHeading('Where did you live before?')
    await consumer.giveAddress({ 'Building number': '12', Year: String(new Date().getFullYear()), Month: '1' })
    const moved = consumer.field('Year')
    await expect(moved).toHaveAccessibleDescription(/overlap/)
    await consumer.fill({ 'Town or city': 'Hull' })
    await consumer.field('Town or city').blur()
    await expect(moved).toHaveAccessibleDescription(/overlap/)
    await consumer.fill({ Year: '2010' })
    await consumer.field('Year').blur()
    await expect(moved).not.toHaveAccessibleDescription(/overlap/)
  })

  test('a house number in the street goes where it belongs, and is said', async ({ consumer }) => {
    await consumer.open()
    await consumer.giveDetails()
    const missing = consumer.widget.getByText('Add a building number, a building name or a flat')
    await consumer.press('Continue')
    await expect(missing.last()).toBeVisible()
    await consumer.field('Street').fill('Flat 2, 10 High Street')
    await consumer.field('Town or city').focus()
    await expect(consumer.field('Street')).toHaveValue('High Street')
    await expect(consumer.field('Building number')).toHaveValue('10')
    await expect(consumer.field('Flat or unit')).toHaveValue('Flat 2')
    await expect(consumer.widget.getByText('We put “Flat 2, 10” under “Your building”')).toBeVisible()
    await expect(consumer.field('Building number')).not.toHaveAttribute('aria-invalid', 'true')
    await expect(missing).toHaveCount(1)
  })

  test('a mistyped email is questioned, never refused', async ({ consumer }) => {
    await consumer.open()
    await consumer.fill({ 'Email address': 'sam@gmial.com' })
    await consumer.field('First name').focus()
    await consumer.press('Use this')
    await expect(consumer.field('Email address')).toHaveValue('sam@gmail.com')
  })

  test('someone under 18 reads so, and can correct a slip', async ({ consumer }) => {
    await consumer.open()
    await consumer.giveDetails({ Year: String(new Date().getFullYear() - 10) })
    await consumer.seeHeading('You need to be 18 or over')
    await consumer.press('Change my date of birth')
    await expect(consumer.field('First name')).toHaveValue('Sam')
  })
})

test.describe('the code', () => {
  test('a wrong code says how many attempts are left, and keeps the digits', async ({ consumer }) => {
    await consumer.open()
    await consumer.toCode()
    await consumer.giveCode('000000')
    await expect(consumer.widget.getByRole('alert')).toContainText('That code does not match. You have 2 attempts left')
    await expect(consumer.field('Security code')).toHaveValue('000000')
    await consumer.giveCode('000001')
    await expect(consumer.widget.getByRole('alert')).toContainText('You have 1 attempt left, then this check will stop')
    await consumer.giveCode('000002')
    await consumer.seeHeading('We could not confirm it is you')
  })

  test('five digits cost no attempt', async ({ consumer, standIn }) => {
    await consumer.open()
    await consumer.toCode()
    await consumer.giveCode('12345')
    await expect(consumer.widget.getByRole('alert')).toContainText('The code has 6 digits. You have typed 5')
    expect(standIn.seen.filter(({ path }) => path.endsWith('/otp-challenge'))).toEqual([])
  })

  test('the whole message can be pasted', async ({ consumer, page }) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await consumer.open()
    await consumer.toCode()
    await page.evaluate(() => navigator.clipboard.writeText('123456 is your code.\n\n@shop.example #123456'))
    await consumer.field('Security code').press('ControlOrMeta+v')
    await expect(consumer.field('Security code')).toHaveValue('123456')
  })

  test('another text can be asked for after half a minute, twice', async ({ consumer, page }) => {
    await page.clock.install()
    await consumer.open()
    await consumer.toCode()
    const resend = consumer.widget.getByRole('button', { name: 'Send a new code' })
    await expect(resend).toHaveAttribute('aria-disabled', 'true')
    await expect(consumer.widget).toContainText('You can ask again in')
    await page.clock.runFor(31_000)
    await expect(resend).toHaveAttribute('aria-disabled', 'false')
    await consumer.field('Security code').fill('000')
    await resend.click()
    await expect(consumer.widget.getByText('We have sent a new code to the mobile ending 123')).toBeVisible()
    await expect(consumer.field('Security code')).toHaveValue('')
    await page.clock.runFor(31_000)
    await expect(consumer.widget).toContainText('You can ask for 1 more text')
    await resend.click()
    await expect(consumer.widget).toContainText('We cannot send more codes for this check')
    await expect(resend).toHaveAttribute('aria-disabled', 'true')
    await consumer.giveCode(CODE)
    await consumer.seeHeading('Your credit report')
  })

  test('a code that has expired is not the end: the details are sent again', async ({ consumer, page, standIn }) => {
    await page.clock.install()
    await consumer.open()
    await consumer.toCode()
    standIn.advance(301_000)
    await page.clock.fastForward('05:02')
    await consumer.seeHeading('That code has expired')
    await consumer.press('Send a new code')
    await consumer.seeHeading('Check your phone')
    const keys = standIn.seen.flatMap(({ headers }) => headers['idempotency-key'] ?? [])
    expect(new Set(keys).size).toBe(2)
  })

  test('the time left is the server’s, whenever the consumer comes back to the page', async ({
    consumer,
    page,
    standIn,
  }) => {
    await page.clock.install()
    await consumer.open()
    await consumer.toCode()
    const timer = consumer.widget.getByRole('timer')
    await expect(timer).toHaveText(/^(5:00|4:5\d)$/)
    standIn.advance(120_000)
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await expect(timer).toHaveText(/^(3:00|2:5\d)$/)
    // And it stays so: no tick of before goes on counting.
    const shown = await timer.evaluateHandle((element) => {
      const texts: string[] = []
      const observer = new MutationObserver(() => texts.push(element.textContent))
      observer.observe(element, { subtree: true, characterData: true, childList: true })
      return texts
    })
    for (let tenth = 0; tenth < 30; tenth += 1) await page.clock.runFor(100)
    const texts = await shown.jsonValue()
    expect(texts.length).toBeGreaterThan(1)
    expect(texts.filter((text) => !/^2:\d\d$/.test(text))).toEqual([])
  })

  test('setting the device’s clock forward does not expire a good code', async ({ consumer, page }) => {
    await page.clock.install()
    await consumer.open()
    await consumer.toCode()
    await page.clock.setSystemTime(Date.now() + 3_600_000)
    await page.clock.runFor(2_000)
    await expect(consumer.widget.getByRole('timer')).toHaveText(/^4:5\d$/)
    await consumer.giveCode(CODE)
    await consumer.seeHeading('Your credit report')
  })

  test('what is spoken: two minutes, one, thirty seconds, ten', async ({ consumer, page }) => {
    await page.clock.install()
    await consumer.open()
    await consumer.toCode()
    const spoken = consumer.widget.getByText(/^About/)
    for (const [untilMs, words] of [
      [178_000, null],
      [4_000, 'About 2 minutes left'],
      [60_000, 'About 1 minute left'],
      [30_000, 'About 30 seconds left'],
      [20_000, 'About 10 seconds left'],
    ] as const) {
      await page.clock.runFor(untilMs)
      if (words) await expect(spoken).toHaveText(words)
      else await expect(spoken).toHaveCount(0)
    }
    await expect(spoken).toHaveAttribute('role', 'status')
  })

  test('another number gets its own code', async ({ consumer, standIn }) => {
    await consumer.open()
    await consumer.toCode()
    await consumer.press('Change mobile number')
    await consumer.seeHeading('Change your mobile number')
    await expect(consumer.field('UK mobile number')).toHaveValue('07700 900123')
    await consumer.fill({ 'UK mobile number': '07700 900456' })
    await consumer.press('Send the code')
    await expect(consumer.widget).toContainText('the mobile ending 456')
    expect(standIn.seen.filter(({ method }) => method === 'POST')).toHaveLength(2)
  })

  test('a reload comes back to the code', async ({ consumer, page }) => {
    await consumer.open()
    await consumer.toCode()
    await page.reload()
    await consumer.seeHeading('Check your phone')
    await expect(page.locator('body')).toBeFocused()
    await consumer.giveCode(CODE)
    await consumer.seeHeading('Your credit report')
  })

  test('test mode shows its code; only the proxy can say so', async ({ consumer, page, standIn }) => {
    await consumer.open()
    await consumer.toCode()
    await expect(consumer.widget).toContainText('The test code is 123456.')
    await page.goto(standIn.page({ attributes: 'test test-mode="true"' }))
    await consumer.toCode()
    await expect(consumer.widget).not.toContainText('Test mode')
    await expect(consumer.widget).not.toContainText('123456')
  })
})

/** From now on every event happens at one moment, so that a test does not depend on how busy the machine is. */
async function stopEventTime(page: Page, ms: number): Promise<void> {
  await page.evaluate((atMs) => {
    Object.defineProperty(Event.prototype, 'timeStamp', { configurable: true, get: () => 1_000_000 + atMs })
  }, ms)
}
