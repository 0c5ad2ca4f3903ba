// A lender that searches for addresses: found, chosen, changed, or typed in after all.
import { expect, HOME, test } from './widget-pages/stage.ts'

const lookup = (body: string) =>
  `<script>document.querySelector('credit-report-widget').addressLookup = async (postcode, signal) => { ${body} }</script>`

test('counts what there is to choose from, whatever came with it', async ({ consumer }) => {
  await consumer.open({
    after: lookup(`const homes = Array.from({ length: 150 }, (_, index) => ({ buildingNumber: String(index + 1) }))
      return [null, ...homes.map((home) => ({ ...home, townOrCity: 'Leeds' }))]`),
  })
  await consumer.giveDetails()
  await consumer.fill({ Postcode: 'ls14ap' })
  await consumer.press('Find address')
  await expect(consumer.widget.getByText('100 addresses found')).toBeVisible()
  // One more for none of these.
  await expect(consumer.widget.getByRole('radio')).toHaveCount(101)
  await expect(consumer.widget.getByLabel('1, Leeds, LS1 4AP', { exact: true })).toBeVisible()
})

test('finds, chooses, and leaves the rest to be checked', async ({ consumer }) => {
  await consumer.open({
    after: lookup(
      `return [10, 12].map((number) => ({ buildingNumber: String(number), thoroughfare: 'High Street', townOrCity: 'Leeds', postcode }))`,
    ),
  })
  await consumer.giveDetails()
  await consumer.fill({ Postcode: 'ls14ap' })
  await consumer.press('Find address')
  await expect(consumer.widget.getByText('2 addresses found')).toBeVisible()
  await consumer.press('Continue')
  await expect(consumer.widget.getByRole('alert')).toContainText('Choose your address')
  await consumer.widget.getByLabel('12 High Street, Leeds, LS1 4AP').check()
  await consumer.press('Continue')
  await expect(consumer.field('Building number')).toHaveValue('12')
  await consumer.fill({ Month: '1', Year: '2010' })
  await consumer.press('Continue')
  await consumer.seeHeading('Check your answers')
})

for (const [name, body, words] of [
  ['nothing found', 'return []', 'We found no addresses for LS1 4AP'],
  ['a search that is down', 'throw new Error()', 'We cannot search addresses just now'],
  ['an answer of another kind', 'return "no"', 'We cannot search addresses just now'],
] as const)
  test(`${name} leads to typing it in`, async ({ consumer }) => {
    await consumer.open({ after: lookup(body) })
    await consumer.giveDetails()
    await consumer.fill({ Postcode: 'ls14ap' })
    await consumer.press('Find address')
    await expect(consumer.widget.getByText(words)).toBeVisible()
    await consumer.press('Type the address in')
    await expect(consumer.field('Postcode')).toHaveValue(/ls1 ?4ap/i)
    await consumer.giveAddress()
    await consumer.seeHeading('Check your answers')
  })

const homes = `[10, 12].map((number) => ({ buildingNumber: String(number), thoroughfare: 'High Street', townOrCity: 'Leeds', postcode }))`

test('a wrong choice leads back to the list, and what was typed besides stays', async ({ consumer }) => {
  await consumer.open({ after: lookup(`return ${homes}`) })
  await consumer.giveDetails()
  await consumer.fill({ Postcode: 'ls14ap' })
  await consumer.press('Find address')
  await consumer.widget.getByLabel('12 High Street, Leeds, LS1 4AP').check()
  await consumer.press('Continue')
  await consumer.fill({ Month: '1', Year: '2010', 'District or village': 'Holbeck' })
  await consumer.press('Back')
  await consumer.widget.getByLabel('10 High Street, Leeds, LS1 4AP').check()
  await consumer.press('Continue')
  await expect(consumer.field('Building number')).toHaveValue('10')
  await expect(consumer.field('District or village')).toHaveValue('')
  await expect(consumer.field('Year')).toHaveValue('2010')
  await consumer.press('Continue')
  await consumer.seeHeading('Check your answers')
})

test('what was wrong with an address is not said of the one that is found instead', async ({ consumer }) => {
  await consumer.open({ after: lookup(`return ${homes}`) })
  await consumer.giveDetails()
  await consumer.fill({ Postcode: 'ls14ap' })
  await consumer.press('Find address')
  await consumer.press('Type the address in')
  await consumer.press('Continue')
  await expect(consumer.widget.getByRole('alert')).toContainText('Add the town or city')
  await consumer.press('Back')
  await consumer.widget.getByLabel('12 High Street, Leeds, LS1 4AP').check()
  await consumer.press('Continue')
  await expect(consumer.field('Town or city')).toHaveValue('Leeds')
  await expect(consumer.widget.getByRole('alert')).toHaveCount(0)
  await consumer.press('Continue')
  await expect(consumer.widget.getByRole('alert')).toHaveText('There is a problemAdd the month and year you moved in')
})

test('going back to the details and forth again is still searching', async ({ consumer }) => {
  await consumer.open({ after: lookup(`return ${homes}`) })
  await consumer.giveDetails()
  await consumer.fill({ Postcode: 'ls14ap' })
  await consumer.press('Back')
  await consumer.seeHeading('Your details')
  await consumer.press('Continue')
  await expect(consumer.field('Postcode')).toHaveValue('ls14ap')
  await consumer.press('Find address')
  await expect(consumer.widget.getByText('2 addresses found')).toBeVisible()
})

test('how much is needed is said there too, and someone from abroad is not asked further', async ({ consumer }) => {
  await consumer.open({ after: lookup(`return ${homes}`) })
  await consumer.giveDetails()
  await consumer.press('Type the address in')
  await consumer.giveAddress({ Year: String(new Date().getFullYear() - 1) })
  await consumer.seeHeading('Where did you live before?')
  await expect(consumer.widget.getByRole('button', { name: 'Find address' })).toBeVisible()
  await expect(consumer.widget.getByText('We need 3 years of UK addresses')).toBeVisible()
  await consumer.press('I lived outside the UK before that')
  await consumer.seeHeading('Check your answers')
})

test('an address typed in by hand survives a look at the search', async ({ consumer }) => {
  await consumer.open({ after: lookup('return []') })
  await consumer.giveDetails()
  await consumer.press('Type the address in')
  await consumer.fill(HOME)
  await consumer.press('Back')
  await consumer.press('Type the address in')
  await consumer.press('Continue')
  await consumer.seeHeading('Check your answers')
})

test('addresses of a postcode that was changed meanwhile are not shown', async ({ consumer, page }) => {
  await consumer.open({
    after: lookup(
      `await new Promise((resolve) => { window.answer = resolve }); window.answered = true; return ${homes}`,
    ),
  })
  await consumer.giveDetails()
  await consumer.fill({ Postcode: 'ls14ap' })
  await consumer.press('Find address')
  await expect(consumer.widget.getByText('Looking for addresses')).toBeVisible()
  await consumer.fill({ Postcode: 'sw1a 1aa' })
  await page.evaluate('answer()')
  await page.waitForFunction('window.answered')
  await expect(consumer.widget.getByRole('button', { name: 'Find address' })).toBeVisible()
  await expect(consumer.widget.getByRole('radio')).toHaveCount(0)
  await consumer.press('Find address')
  await expect(consumer.widget.getByText('Looking for addresses')).toBeVisible()
  await page.evaluate('answer()')
  await expect(consumer.widget.getByLabel('10 High Street, Leeds, SW1A 1AA')).toBeVisible()
})

test('one that never answers is not waited for', async ({ consumer, page }) => {
  await page.clock.install()
  await consumer.open({ after: lookup('return new Promise(() => {})') })
  await consumer.giveDetails()
  await consumer.fill({ Postcode: 'ls14ap' })
  await consumer.press('Find address')
  await page.clock.runFor(9_000)
  await expect(consumer.widget.getByText('We cannot search addresses just now')).toBeVisible()
})
