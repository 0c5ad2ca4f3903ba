// A lender that finds addresses by postcode: on its own server, or in the page. Found and chosen, or entered by hand
// after all.
import { expect, HOME, type Open, test } from './widget-pages/stage.ts'
import type { StandIn } from './widget-pages/stand-in-proxy.ts'

const lookup = (body: string) =>
  `<script>document.querySelector('credit-report-widget').addressLookup = async (postcode, signal) => { ${body} }</script>`
const homes = `[10, 12].map((number) => ({ buildingNumber: String(number), thoroughfare: 'High Street', townOrCity: 'Leeds', postcode }))`
const MOVED = { Month: '1', Year: '2010' }

const home = (number: number) => ({
  buildingNumber: String(number),
  thoroughfare: 'High Street',
  townOrCity: 'Leeds',
  postcode: 'LS1 4AP',
})

/** The lender's server says that it finds addresses, and answers the next lookups with these. */
function offerSearch(standIn: StandIn, ...answers: (object[] | { status: number })[]): void {
  const meta = { test: true, fingerprintSrc: '/v1/fingerprints/device', findsAddresses: true }
  standIn.instead('/current', { body: { meta, data: { status: 'none' } } })
  for (const answer of answers)
    standIn.instead('/addresses', Array.isArray(answer) ? { body: { meta, data: { addresses: answer } } } : answer)
}

test('a postcode, a choice and a date, and that is the address', async ({ consumer, standIn }) => {
  await consumer.open({ after: lookup(`return ${homes}`) })
  await consumer.giveDetails()
  await expect(consumer.field('Building number')).toHaveCount(0)
  await consumer.fill({ Postcode: 'ls14ap' })
  await consumer.press('Find address')
  const list = consumer.field('Choose your address')
  await expect(list).toBeFocused()
  await expect(list.getByRole('option')).toHaveText([
    '2 addresses found',
    '10 High Street, Leeds',
    '12 High Street, Leeds',
    'My address is not in this list',
  ])
  await consumer.press('Continue')
  await expect(consumer.widget.getByRole('alert')).toContainText('Choose your address from the list')
  await list.selectOption('12 High Street, Leeds')
  await consumer.press('Continue')
  await expect(consumer.widget.getByRole('alert')).toHaveText('There is a problemAdd the month and year you moved in')
  await expect(list).toHaveValue('1')
  await consumer.fill(MOVED)
  await consumer.press('Continue')
  await consumer.seeHeading('Check your answers')
  await consumer.agree()
  await consumer.seeHeading('Check your phone')
  expect(standIn.seen.find(({ method }) => method === 'POST')?.body).toMatchObject({
    addresses: [{ ukAddress: home(12) }],
  })
})

test('with the keyboard alone', async ({ consumer, standIn, page }) => {
  offerSearch(standIn, [home(10), home(12)])
  await consumer.open()
  await consumer.giveDetails()
  await consumer.field('Postcode').focus()
  await page.keyboard.type('ls14ap')
  await page.keyboard.press('Enter')
  await expect(consumer.field('Choose your address')).toBeFocused()
  await page.keyboard.type('12')
  await page.keyboard.press('Tab')
  await page.keyboard.type('1')
  await page.keyboard.press('Tab')
  await page.keyboard.type('2010')
  await page.keyboard.press('Enter')
  await consumer.seeHeading('Check your answers')
  await expect(consumer.widget).toContainText('12 High Street')
})

test('where no dates are asked for, the choice is all', async ({ consumer, standIn }) => {
  offerSearch(standIn, [home(10), home(12)])
  await consumer.open({ attributes: 'address-history-months="0"' })
  await consumer.giveDetails()
  await consumer.fill({ Postcode: 'ls14ap' })
  await consumer.press('Find address')
  await consumer.field('Choose your address').selectOption('12 High Street, Leeds')
  await consumer.press('Continue')
  await consumer.seeHeading('Check your answers')
})

test('the only address of a postcode is chosen already', async ({ consumer, standIn }) => {
  offerSearch(standIn, [home(10)])
  await consumer.open()
  await consumer.giveDetails()
  await consumer.fill({ Postcode: 'ls14ap' })
  await consumer.press('Find address')
  await consumer.fill(MOVED)
  await consumer.press('Continue')
  await consumer.seeHeading('Check your answers')
  await expect(consumer.widget).toContainText('10 High Street')
})

test('a hundred addresses are a list like any other, whatever came with them', async ({ consumer }) => {
  await consumer.open({
    after: lookup(`const homes = Array.from({ length: 150 }, (_, index) => ({ buildingNumber: String(index + 1) }))
      return [null, ...homes.map((home) => ({ ...home, townOrCity: 'Leeds' }))]`),
  })
  await consumer.giveDetails()
  await consumer.fill({ Postcode: 'ls14ap' })
  await consumer.press('Find address')
  // One says how many there are, one is for an address that is not among them.
  await expect(consumer.field('Choose your address').getByRole('option')).toHaveCount(102)
  await expect(consumer.widget.getByRole('status').filter({ hasText: '100 addresses found' })).toHaveCount(1)
})

test('an address that is not in the list is entered by hand', async ({ consumer, standIn }) => {
  offerSearch(standIn, [home(10), home(12)])
  await consumer.open()
  await consumer.giveDetails()
  await consumer.fill({ Postcode: 'ls14ap' })
  await consumer.press('Find address')
  await consumer.field('Choose your address').selectOption('My address is not in this list')
  await consumer.fill(MOVED)
  await consumer.press('Continue')
  await expect(consumer.field('Postcode')).toHaveValue('ls14ap')
  await expect(consumer.field('Year')).toHaveValue('2010')
  await consumer.giveAddress()
  await consumer.seeHeading('Check your answers')
})

test('an address that lacks something is chosen, and the rest is asked for', async ({ consumer, standIn }) => {
  offerSearch(standIn, [{ thoroughfare: 'High Street', townOrCity: 'Leeds', postcode: 'LS1 4AP' }, home(12)])
  await consumer.open()
  await consumer.giveDetails()
  await consumer.fill({ Postcode: 'ls14ap' })
  await consumer.press('Find address')
  await consumer.field('Choose your address').selectOption('High Street, Leeds')
  await consumer.fill(MOVED)
  await consumer.press('Continue')
  await expect(consumer.widget.getByRole('alert')).toHaveText(
    'There is a problemAdd a building number, a building name or a flat',
  )
  await consumer.fill({ 'Building name': 'Rose Cottage' })
  await consumer.press('Continue')
  await consumer.seeHeading('Check your answers')
})

const failures: [name: string, open: Open, begin: (standIn: StandIn) => void, words: string][] = [
  ['nothing found', { after: lookup('return []') }, () => undefined, 'We found no addresses for LS1 4AP'],
  ['a search that is down', { after: lookup('throw new Error()') }, () => undefined, 'We cannot search for addresses'],
  ['an answer of another kind', { after: lookup('return "no"') }, () => undefined, 'We cannot search for addresses'],
  ['a postcode without addresses', {}, (standIn) => offerSearch(standIn, []), 'We found no addresses for LS1 4AP'],
  ['a server that cannot', {}, (at) => offerSearch(at, { status: 503 }), 'We cannot search for addresses just now'],
  ['a server that was asked too often', {}, (at) => offerSearch(at, { status: 429 }), 'We cannot search for addresses'],
]
for (const [name, open, begin, words] of failures)
  test(`${name} leads to entering it`, async ({ consumer, standIn }) => {
    begin(standIn)
    await consumer.open(open)
    await consumer.giveDetails()
    await consumer.fill({ Postcode: 'ls14ap' })
    await consumer.press('Find address')
    await expect(consumer.widget.getByText(words)).toBeVisible()
    await consumer.press('Enter the address myself')
    await expect(consumer.field('Postcode')).toHaveValue(/ls1 ?4ap/i)
    await consumer.giveAddress()
    await consumer.seeHeading('Check your answers')
  })

test('a form that is being filled in is not taken away when the server says late that it could search', async ({
  consumer,
  standIn,
}) => {
  standIn.instead('/current', {
    isHeld: true,
    body: { meta: { test: true, findsAddresses: true }, data: { status: 'none' } },
  })
  const opened = consumer.open()
  await consumer.giveDetails()
  await consumer.fill(HOME)
  standIn.release()
  await opened
  await expect(consumer.widget.getByText('Test mode')).toBeVisible()
  await consumer.press('Continue')
  await consumer.seeHeading('Check your answers')
})

test('what was wrong with an address is not said of the one that is found instead', async ({ consumer }) => {
  await consumer.open({ after: lookup(`return ${homes}`) })
  await consumer.giveDetails()
  await consumer.fill({ Postcode: 'ls14ap' })
  await consumer.press('Find address')
  await consumer.press('Enter the address myself')
  await consumer.press('Continue')
  await expect(consumer.widget.getByRole('alert')).toContainText('Add the town or city')
  await consumer.press('Back')
  await expect(consumer.widget.getByRole('alert')).toHaveCount(0)
  await consumer.field('Choose your address').selectOption('12 High Street, Leeds')
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
  await expect(consumer.field('Choose your address')).toBeFocused()
})

test('how much is needed is said there too, and someone from abroad is not asked further', async ({ consumer }) => {
  await consumer.open({ after: lookup(`return ${homes}`) })
  await consumer.giveDetails()
  await consumer.press('Enter the address myself')
  await consumer.giveAddress({ Year: String(new Date().getFullYear() - 1) })
  await consumer.seeHeading('Where did you live before?')
  await expect(consumer.widget.getByRole('button', { name: 'Find address' })).toBeVisible()
  await expect(consumer.widget.getByText('We need 3 years of UK addresses')).toBeVisible()
  await consumer.press('I lived outside the UK before that')
  await consumer.seeHeading('Check your answers')
})

test('an address entered by hand survives a look at the search', async ({ consumer }) => {
  await consumer.open({ after: lookup('return []') })
  await consumer.giveDetails()
  await consumer.press('Enter the address myself')
  await consumer.fill(HOME)
  await consumer.press('Back')
  await consumer.press('Enter the address myself')
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
  await expect(consumer.widget.getByRole('option')).toHaveCount(0)
  await consumer.press('Find address')
  await expect(consumer.widget.getByText('Looking for addresses')).toBeVisible()
  await page.evaluate('answer()')
  await expect(consumer.field('Choose your address')).toBeFocused()
})

test('one that never answers is not waited for', async ({ consumer, page }) => {
  await page.clock.install()
  await consumer.open({ after: lookup('return new Promise(() => {})') })
  await consumer.giveDetails()
  await consumer.fill({ Postcode: 'ls14ap' })
  await consumer.press('Find address')
  await page.clock.runFor(9_000)
  await expect(consumer.widget.getByText('We cannot search for addresses just now')).toBeVisible()
  await consumer.press('Enter the address myself')
  await expect(consumer.field('Town or city')).toBeVisible()
})

test('in Welsh', async ({ consumer, standIn }) => {
  offerSearch(standIn, [home(10), home(12)])
  await consumer.open({ attributes: 'locale="cy"' })
  await consumer.seeHeading('Eich manylion')
  const answers = { 'Enw cyntaf': 'Siân', Cyfenw: 'Rees', Diwrnod: '2', Mis: '3', Blwyddyn: '1985' }
  await consumer.fill({ ...answers, 'Rhif ffôn symudol y DU': '07700 900123' })
  await consumer.press('Parhau')
  await consumer.fill({ 'Cod post': 'ls14ap' })
  await consumer.press('Dod o hyd i gyfeiriad')
  await consumer.field('Dewiswch eich cyfeiriad').selectOption('12 High Street, Leeds')
  await consumer.fill({ Mis: '1', Blwyddyn: '2010' })
  await consumer.press('Parhau')
  await consumer.seeHeading('Gwiriwch eich atebion')
})
