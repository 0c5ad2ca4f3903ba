// A page whose policy trusts what its scripts insert (`strict-dynamic`), and markup that got into it: the widget must
// not be the one who brings a foreign script.
import type { Page } from '@playwright/test'
import { echoNonce } from './echo-nonce.ts'
import { expect, test } from './widget-pages/stage.ts'

const FOREIGN = 'https://evil.example/v1/fingerprints/device'
const POLICY = "script-src 'nonce-abc' 'strict-dynamic'; base-uri 'none'"
const page = {
  headers: { 'Content-Security-Policy': POLICY },
  script: '<script nonce="abc" async src="/credit-reports/widget.js"></script>',
  fingerprint: '',
}
const answer = { meta: { test: true, fingerprintSrc: FOREIGN }, data: { status: 'none' } }

type Row = { name: string; attributes: string; before?: string; isBrought: boolean }

const rows: Row[] = [
  { name: 'an attribute that names it', attributes: `fingerprint-src="${FOREIGN}"`, isBrought: false },
  {
    name: 'an attribute and a nonce that was made up with it',
    attributes: `fingerprint-src="${FOREIGN}" nonce="guess"`,
    before: '<script nonce="guess"></script>',
    isBrought: false,
  },
  { name: 'an endpoint elsewhere that names it', attributes: 'endpoint="/uploads/evil"', isBrought: false },
  { name: 'an element with the page’s nonce', attributes: `fingerprint-src="${FOREIGN}" nonce="abc"`, isBrought: true },
  { name: 'the endpoint the widget came from', attributes: 'endpoint="/credit-reports"', isBrought: true },
]

for (const { name, attributes, before = '', isBrought } of rows)
  test(`${name} ${isBrought ? 'brings' : 'does not bring'} the script`, async ({ consumer, standIn, page: tab }) => {
    const asked = await watchForeign(tab)
    const names = /endpoint/.test(attributes)
    await tab.route('**/current?*', (route) =>
      names ? route.fulfill({ json: echoNonce(route.request().url(), answer) }) : route.continue(),
    )
    await tab.goto(standIn.page({ ...page, attributes, before }))
    await consumer.toAnswers()
    expect(asked).toEqual(isBrought ? [FOREIGN] : [])
    expect(await tab.evaluate(() => 'ran' in window)).toBe(isBrought)
  })

const OWN = 'fingerprint-src="/uploads/device.js"'

for (const [name, attributes, isBrought] of [
  ['a nonce on the widget’s tag, none on the element: a script of the page’s own origin', OWN, false],
  ['a nonce on both: a script of the page’s own origin', `${OWN} nonce="abc"`, true],
] as const)
  test(`${name} is ${isBrought ? '' : 'not '}brought`, async ({ consumer, standIn, page: tab }) => {
    await tab.route('**/uploads/device.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: 'window.ran = true' }),
    )
    await tab.goto(standIn.page({ ...page, attributes }))
    await consumer.toAnswers()
    expect(await tab.evaluate(() => 'ran' in window)).toBe(isBrought)
  })

test('a page without nonces brings a script from below the widget’s own path', async ({
  consumer,
  standIn,
  page: tab,
}) => {
  const asked = tab.waitForRequest('**/credit-reports/own/device.js')
  await tab.goto(standIn.page({ fingerprint: '', attributes: 'fingerprint-src="/credit-reports/own/device.js"' }))
  await asked
  await consumer.seeHeading('Your details')
})

/** The foreign addresses that were asked for; what comes from there leaves a mark. */
async function watchForeign(tab: Page): Promise<string[]> {
  const asked: string[] = []
  await tab.route('https://evil.example/**', (route) => {
    asked.push(route.request().url())
    return route.fulfill({ contentType: 'text/javascript', body: 'window.ran = true' })
  })
  return asked
}
