// What the browser fills in by itself. A headless shell has no address book, so these tests ask for the whole browser.
import { wholeBrowserLaunchOptions } from '../scripts/ensure-browser.mjs'
import { expect, test } from './widget-pages/stage.ts'

test.use({ launchOptions: wholeBrowserLaunchOptions() })

test('the browser’s own address book fills the form', async ({ consumer, page }) => {
  await consumer.open()
  await consumer.giveDetails()
  const street = consumer.field('Street')
  await street.click()
  const session = await page.context().newCDPSession(page)
  const address = {
    fields: [
      { name: 'ADDRESS_HOME_LINE1', value: '10 High Street' },
      { name: 'ADDRESS_HOME_CITY', value: 'Leeds' },
      { name: 'ADDRESS_HOME_ZIP', value: 'LS1 4AP' },
      { name: 'ADDRESS_HOME_COUNTRY', value: 'GB' },
    ],
  }
  await session.send('Autofill.enable')
  const { root } = await session.send('DOM.getDocument', { depth: -1, pierce: true })
  const fieldId = findNode(
    root,
    ({ nodeName, attributes = [] }) => nodeName === 'INPUT' && attributes.includes('thoroughfare'),
  )
  await session.send('Autofill.trigger', { fieldId, address } as never)
  await expect(consumer.field('Postcode')).toHaveValue('LS1 4AP')
  await expect(consumer.field('Town or city')).toHaveValue('Leeds')
  await expect(consumer.field('Building number')).toHaveValue('10')
  await expect(street).toHaveValue('High Street')
})

type Node = { backendNodeId: number; nodeName: string; attributes?: string[]; children?: Node[]; shadowRoots?: Node[] }

function findNode(node: Node, wanted: (node: Node) => boolean): number {
  if (wanted(node)) return node.backendNodeId
  for (const child of [...(node.children ?? []), ...(node.shadowRoots ?? [])]) {
    const found = findNode(child, wanted)
    if (found) return found
  }
  return 0
}
