// Ordinary lives, names, addresses and phones fit the form, on every engine.
import { HOME, SAM } from '../widget-pages/stage.ts'
import { expect, onEveryEngine } from './visitor.ts'

const year = new Date().getFullYear()
const OTHER_WAY = '<p slot="alternative-route"><a href="/call">Call us instead</a></p>'
const MILL_LANE = { 'Building number': '7', Street: 'Mill Lane', Postcode: 'YO1 7HH' }

onEveryEngine('someone who moved away and back home can say so', async ({ visitor }) => {
  await visitor.open()
  await visitor.giveDetails()
  await visitor.giveAddress({ Year: String(year - 1) })
  await visitor.seeHeading('Where did you live before?')
  await visitor.giveAddress({ ...MILL_LANE, Year: String(year - 2) })
  await visitor.seeText('We have 2 years')
  await visitor.giveAddress({ Year: '2005' })
  await visitor.seeHeading('Check your answers')
  const home = { ukAddress: { buildingNumber: '10', postcode: 'LS1 4AP' } }
  expect(await visitor.send()).toMatchObject({ addresses: [home, { ukAddress: { buildingNumber: '7' } }, home] })
})

onEveryEngine('odd hyphens, apostrophes, digits and a mistyped postcode are put right', async ({ visitor }) => {
  await visitor.open()
  await visitor.giveDetails({ 'First name': 'Anne\u2011Marie', 'Last name': 'O´Brien', Year: '１９８５' })
  await visitor.seeHeading('Where do you live?')
  await visitor.giveAddress({ Postcode: 'LSI 4AP' })
  await visitor.seeHeading('Check your answers')
  await visitor.seeText('Anne-Marie O’Brien')
  expect(await visitor.send()).toMatchObject({
    firstName: 'Anne-Marie',
    lastName: 'O’Brien',
    dateOfBirth: '1985-03-27',
    addresses: [{ ukAddress: { postcode: 'LS1 4AP' } }],
  })
})

onEveryEngine('a name that is refused says which character, and a new mistake the new thing', async ({ visitor }) => {
  await visitor.open()
  await visitor.giveDetails({ 'First name': 'S@m', 'UK mobile number': '0770' })
  await visitor.seeDescription('First name', '@')
  await visitor.seeDescription('UK mobile number', 'too short')
  await visitor.fill('UK mobile number', 'none')
  await visitor.fill('First name', 'Sam')
  await visitor.seeDescription('UK mobile number', 'can only have digits')
})

onEveryEngine('someone from abroad is not asked further, and the lender’s server hears so', async ({ visitor }) => {
  await visitor.open()
  await visitor.giveDetails()
  await visitor.giveAddress({ Year: String(year - 1) })
  await visitor.press('I lived outside the UK before that')
  await visitor.seeHeading('Check your answers')
  await visitor.seeText('Outside the UK')
  await visitor.press('Change Previous address, Outside the UK')
  await visitor.seeHeading('Where did you live before?')
  await visitor.press('Back')
  await visitor.seeHeading('Check your answers')
  expect(await visitor.send()).toMatchObject({ livedAbroad: true })
})

onEveryEngine('without a UK mobile there is the lender’s other way, on the first step', async ({ visitor }) => {
  await visitor.open({ inside: OTHER_WAY })
  await visitor.seeHeading('Your details')
  await visitor.seeNothingOf('Call us instead')
  await visitor.unfold('I do not have a UK mobile')
  await visitor.seeText('Call us instead')
})

onEveryEngine('an Irish mobile is fine where the lender takes those', async ({ visitor }) => {
  await visitor.open({ attributes: 'mobile-countries="GB, IE"' })
  const { 'UK mobile number': _uk, ...sam } = SAM
  await visitor.fillAll({ ...sam, 'Mobile number': '+1 212 555 0123' })
  await visitor.press('Continue')
  await visitor.seeDescription('Mobile number', 'cannot text numbers from that country')
  await visitor.fill('Mobile number', '+353 (0)87 123 4567')
  await visitor.press('Continue')
  await visitor.giveAddress()
  await visitor.seeText('+353871234567')
  expect(await visitor.send()).toMatchObject({ mobileNumber: '+353871234567' })
})

onEveryEngine('a number that turns out to be needed is asked for, with the reason', async ({ visitor, standIn }) => {
  await visitor.open({ attributes: 'mobile="optional"', inside: OTHER_WAY })
  const { 'UK mobile number': _uk, ...sam } = SAM
  await visitor.fillAll(sam)
  await visitor.press('Continue')
  await visitor.giveAddress()
  const message = 'mobileNumber: is required for a challenge'
  standIn.instead('/run-1', { status: 400, body: { code: 'validation-error', message } })
  await visitor.agree()
  await visitor.seeHeading('Your details')
  await visitor.seeText('We need to text you a code to confirm it is you')
  await visitor.unfold('I do not have a UK mobile')
  await visitor.seeText('Call us instead')
  await visitor.fill('UK mobile number (optional)', '07700 900123')
  await visitor.press('Continue')
  await visitor.send()
})

onEveryEngine('an address filled in as two lines is read together', async ({ visitor }) => {
  await visitor.open()
  await visitor.giveDetails()
  await visitor.seeHeading('Where do you live?')
  await visitor.fill('Street', 'Flat 3, Mill House')
  await visitor.fill('District or village (optional)', '22 Weir Street')
  await visitor.fill('Town or city', 'Leeds')
  await visitor.fill('Postcode', 'LS1 4AP')
  await visitor.fill('Month', '9')
  await visitor.fill('Year', '2015')
  await visitor.press('Continue')
  await visitor.seeHeading('Check your answers')
  const ukAddress = { subBuildingName: 'Flat 3', buildingName: 'Mill House', buildingNumber: '22' }
  expect(await visitor.send()).toMatchObject({
    addresses: [{ ukAddress: { ...ukAddress, thoroughfare: 'Weir Street' } }],
  })
})

onEveryEngine('an address that was removed by mistake comes back', async ({ visitor }) => {
  await visitor.open()
  await visitor.giveDetails()
  await visitor.giveAddress({ Year: String(year - 1) })
  await visitor.seeHeading('Where did you live before?')
  await visitor.giveAddress({ ...MILL_LANE, Year: '2005' })
  await visitor.seeHeading('Check your answers')
  await visitor.press('Remove Previous address, 7 Mill Lane')
  await visitor.seeHeading('Where did you live before?')
  await visitor.seeText('We removed 7 Mill Lane.')
  await visitor.press('Undo')
  await visitor.seeHeading('Check your answers')
  await visitor.seeText('7 Mill Lane')
  await visitor.seeNothingOf('We removed')
})

onEveryEngine('a postcode, a choice and a date are an address, and it can be searched for again', async (scene) => {
  const { visitor, standIn } = scene
  const home = (number: number) => ({
    buildingNumber: String(number),
    thoroughfare: 'High Street',
    townOrCity: 'Leeds',
    postcode: 'LS1 4AP',
  })
  const meta = { test: true, fingerprintSrc: '/v1/fingerprints/device', findsAddresses: true }
  standIn.instead('/current', { body: { meta, data: { status: 'none' } } })
  for (let search = 0; search < 2; search++)
    standIn.instead('/addresses', { body: { meta, data: { addresses: [home(10), home(12)] } } })
  const chooseHome = async (number: number) => {
    await visitor.press('Find address')
    await visitor.choose('Choose your address', `${number} High Street, Leeds`)
    await visitor.fill('Month', '1')
    await visitor.fill('Year', '2010')
    await visitor.press('Continue')
    await visitor.seeHeading('Check your answers')
  }
  await visitor.open()
  await visitor.giveDetails()
  await visitor.fill('Postcode', 'ls14ap')
  await chooseHome(12)
  await visitor.press('Change Current address, 12 High Street')
  await visitor.seeValue('Building number', '12')
  await visitor.press('Find address')
  await visitor.seeValue('Postcode', 'LS1 4AP')
  await chooseHome(10)
  expect(await visitor.send()).toMatchObject({ addresses: [{ ukAddress: home(10) }] })
})

onEveryEngine('where the search is down, the address is entered by hand', async ({ visitor, standIn }) => {
  const meta = { test: true, fingerprintSrc: '/v1/fingerprints/device', findsAddresses: true }
  standIn.instead('/current', { body: { meta, data: { status: 'none' } } })
  standIn.instead('/addresses', { status: 503 })
  await visitor.open()
  await visitor.giveDetails()
  await visitor.fill('Postcode', 'ls14ap')
  await visitor.press('Find address')
  await visitor.seeText('We cannot search for addresses just now')
  await visitor.press('Enter the address myself')
  await visitor.seeValue('Postcode', 'ls14ap')
  await visitor.fillAll(HOME)
  await visitor.press('Continue')
  await visitor.seeHeading('Check your answers')
})
