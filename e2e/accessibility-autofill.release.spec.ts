// Autofill of the browser. A headless shell has no address book, so these tests ask for the whole browser.
import type { Page } from '@playwright/test'
import { wholeBrowserLaunchOptions } from '../scripts/ensure-browser.mjs'
import { expect, test } from './widget-pages/stage.ts'

test.use({ launchOptions: wholeBrowserLaunchOptions() })

test('the browser’s own address book fills in the person', async ({ consumer, page }) => {
  await consumer.open()
  await consumer.field('First name').click()
  await fillFrom(page, 'firstName', {
    NAME_FIRST: 'Sam',
    NAME_LAST: 'Patel',
    EMAIL_ADDRESS: 'sam@example.com',
    PHONE_HOME_WHOLE_NUMBER: '+447700900123',
    ADDRESS_HOME_COUNTRY: 'GB',
  })
  await expect(consumer.field('First name')).toHaveValue('Sam')
  await expect(consumer.field('Last name')).toHaveValue('Patel')
  await expect(consumer.field('Email address')).toHaveValue('sam@example.com')
  await consumer.fill({ Day: '27', Month: '3', Year: '1985' })
  // However the browser writes the number, it is taken.
  await expect(consumer.field('UK mobile number')).toHaveValue(/7700 ?900 ?123$/)
  await consumer.press('Continue')
  await consumer.seeHeading('Where do you live?')
})

test('the browser’s own address book fills in the address', async ({ consumer, page }) => {
  await consumer.open()
  await consumer.giveDetails()
  await consumer.field('Street').click()
  await fillFrom(page, 'thoroughfare', {
    ADDRESS_HOME_LINE1: '10 High Street',
    ADDRESS_HOME_CITY: 'Leeds',
    ADDRESS_HOME_ZIP: 'LS1 4AP',
    ADDRESS_HOME_COUNTRY: 'GB',
  })
  await expect(consumer.field('Postcode')).toHaveValue('LS1 4AP')
  await expect(consumer.field('Town or city')).toHaveValue('Leeds')
  await expect(consumer.field('Building number')).toHaveValue('10')
  await expect(consumer.field('Street')).toHaveValue('High Street')
})

const lines: [line1: string, line2: string, parts: { [label: string]: string }][] = [
  ['Flat 2', '10 High Street', { 'Flat or unit': 'Flat 2', 'Building number': '10', Street: 'High Street' }],
  [
    'Flat 3, Mill House',
    '22 Weir Street',
    { 'Flat or unit': 'Flat 3', 'Building name': 'Mill House', 'Building number': '22', Street: 'Weir Street' },
  ],
]
for (const [line1, line2, parts] of lines)
  test(`two lines of an address book, ${line1} and ${line2}, are read together`, async ({ consumer, page }) => {
    await consumer.open()
    await consumer.giveDetails()
    await consumer.field('Street').click()
    await fillFrom(page, 'thoroughfare', {
      ADDRESS_HOME_LINE1: line1,
      ADDRESS_HOME_LINE2: line2,
      ADDRESS_HOME_CITY: 'Leeds',
      ADDRESS_HOME_ZIP: 'LS1 4AP',
      ADDRESS_HOME_COUNTRY: 'GB',
    })
    for (const [label, text] of Object.entries(parts)) await expect(consumer.field(label)).toHaveValue(text)
    await expect(consumer.field('District or village')).toHaveValue('')
    await consumer.fill({ Month: '9', Year: '2015' })
    await consumer.press('Continue')
    await consumer.seeHeading('Check your answers')
  })

test('where they lived before is not filled in with where they live', async ({ consumer }) => {
  await consumer.open()
  await consumer.giveDetails()
  await consumer.giveAddress({ Year: String(new Date().getFullYear() - 1) })
  await consumer.seeHeading('Where did you live before?')
  for (const label of ['Street', 'District or village', 'Town or city', 'Postcode'])
    await expect(consumer.field(label)).toHaveAttribute('autocomplete', 'off')
})

/** As if the person had chosen an entry of the address book in the input of that name. */
async function fillFrom(page: Page, name: string, entry: { [type: string]: string }): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Autofill.enable')
  const { root } = await session.send('DOM.getDocument', { depth: -1, pierce: true })
  const fieldId = findNode(root, ({ nodeName, attributes = [] }) => nodeName === 'INPUT' && attributes.includes(name))
  const fields = Object.entries(entry).map(([type, value]) => ({ name: type, value }))
  await session.send('Autofill.trigger', { fieldId, address: { fields } } as never)
}

type Node = { backendNodeId: number; nodeName: string; attributes?: string[]; children?: Node[]; shadowRoots?: Node[] }

function findNode(node: Node, wanted: (node: Node) => boolean): number {
  if (wanted(node)) return node.backendNodeId
  for (const child of [...(node.children ?? []), ...(node.shadowRoots ?? [])]) {
    const found = findNode(child, wanted)
    if (found) return found
  }
  return 0
}
