// `diagnose()`: what it finds on pages that are wrong in one way each. What stands in front, and policies:
// set-ups.release.spec.ts.
import type { Page } from '@playwright/test'
import { expect, test } from './widget-pages/stage.ts'

const diagnose = (page: Page) =>
  page.evaluate(async () => (await document.querySelector('credit-report-widget')?.diagnose())?.map(({ code }) => code))

/** The lender's words about the search. */
const attributes = 'search="hard" privacy-url="/privacy"'

test('finds nothing on a good page', async ({ consumer, page }) => {
  await consumer.open({ attributes })
  expect(await diagnose(page)).toEqual([])
})

for (const [name, options, code] of [
  ['a proxy that is not mounted', { attributes: 'endpoint="/nothing"' }, 'proxy-not-mounted'],
  ['two copies', { script: '<script async src="/credit-reports/widget.js"></script>'.repeat(2) }, 'widget-twice'],
  ['two fingerprint tags', { head: '<script async src="/v1/fingerprints/device?2"></script>' }, 'fingerprint-twice'],
  ['no word on the kind of search', { attributes: 'privacy-url="/privacy"' }, 'search-not-said'],
  ['a kind of search there is not', { attributes: 'search="light"' }, 'search-not-said'],
  [
    'a fingerprint script that is not the widget’s to bring',
    { fingerprint: '', attributes: 'fingerprint-src="/uploads/device.js"' },
    'fingerprint-src-refused',
  ],
  ['no privacy notice', { attributes: 'search="soft"' }, 'no-privacy-notice'],
  ['a required element without a name', { before: '<form>', after: '</form>', attributes: 'required' }, 'no-name'],
] as const)
  test(name, async ({ page, standIn }) => {
    await page.goto(standIn.page(options))
    await page.waitForFunction(() => customElements.get('credit-report-widget'))
    expect(await diagnose(page)).toContain(code)
  })

test('no fingerprint tag, though the widget has brought one meanwhile', async ({ consumer, page }) => {
  await consumer.open({ attributes, fingerprint: '' })
  await page.waitForFunction(() => '__deviceFingerprint' in document)
  expect(await diagnose(page)).toEqual(['fingerprint-no-tag'])
})

test('a clock that is off', async ({ consumer, page }) => {
  await page.clock.install({ time: Date.now() + 3_600_000 })
  await consumer.open({ attributes })
  const found = diagnose(page)
  await page.clock.runFor(1_000)
  expect(await found).toEqual(['clock-off'])
})

test('the lender’s own words in the slots are enough', async ({ consumer, page }) => {
  await consumer.open({ inside: '<p slot="search-notice">We look.</p><p slot="privacy">We keep.</p>' })
  expect(await diagnose(page)).toEqual([])
})
