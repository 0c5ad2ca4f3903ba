// The lender's checkout, live: what a visitor of `npm start` sees first.
import type { Page } from '@playwright/test'
import { findViolations } from './accessibility/axe.ts'
import { sendDetails } from './journeys.ts'
import { expect, test } from './stack.ts'

/** Everything the browser refused under the page's policy. */
async function watchPolicy(page: Page): Promise<string[]> {
  const violations: string[] = []
  await page.exposeFunction('violated', (what: string) => violations.push(what))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) =>
      Reflect.get(window, 'violated')(`${event.effectiveDirective} ${event.blockedURI}`),
    )
  })
  return violations
}

test('a text arrives on the phone, its code opens the report, and the lender decides from its own copy', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const violations = await watchPolicy(page)
  await page.goto('/')
  await sendDetails(page)
  await expect(page.getByRole('heading', { name: 'Check your phone' })).toBeVisible()

  const text = page.getByRole('log', { name: 'Text messages' }).getByRole('button')
  await expect(text).toContainText(/\d{6}/)
  await text.click()
  await expect(text).toContainText('Copied')
  const code = await page.evaluate(() => navigator.clipboard.readText())
  expect(code).toMatch(/^\d{6}$/)

  await page.getByLabel('Security code').fill(code)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'Your credit report' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Approved, in principle' })).toBeVisible()
  // One figure, wherever it is read.
  const payments = page.getByRole('heading', { name: 'Regular payments' }).locator('..')
  const [figure] = /£[\d,.]+/.exec(await payments.innerText()) ?? ['']
  await expect(
    page.getByText(`From our own copy of your report: 4 open accounts, ${figure} in regular payments.`),
  ).toBeVisible()
  await expect(page.getByRole('list', { name: 'Your application' }).locator('[aria-current=step]')).toContainText(
    'Decision',
  )
  expect(violations).toEqual([])
})

test('last name Allow needs no text', async ({ page }) => {
  await page.goto('/')
  await sendDetails(page, { lastName: 'Allow' })
  await expect(page.getByRole('heading', { name: 'Approved, in principle' })).toBeVisible()
  await expect(page.getByRole('log', { name: 'Text messages' }).getByRole('button')).toHaveCount(0)
})

test('last name Block ends without a report and without a decision', async ({ page }) => {
  await page.goto('/')
  await sendDetails(page, { lastName: 'Block' })
  await expect(page.getByRole('heading', { name: 'We cannot carry on with this check online' })).toBeVisible()
  expect(await (await page.request.get('/order')).json()).toEqual({ decision: null })
})

test('starting again forgets the decision', async ({ page }) => {
  await page.goto('/')
  await sendDetails(page, { lastName: 'Allow' })
  await page.getByRole('button', { name: 'Start again', exact: true }).click()
  await expect(page.getByLabel('First name')).toHaveValue('')
  expect(await (await page.request.get('/order')).json()).toEqual({ decision: null })
})

test('a decision stays when its report is closed and the page reloaded, and no second check is asked for', async ({
  page,
}) => {
  await page.goto('/')
  await sendDetails(page, { lastName: 'Allow' })
  await page.getByRole('button', { name: 'Close my report' }).click()
  await expect(page.getByRole('heading', { name: 'Your check is complete' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Approved, in principle' })).toBeVisible()
  await expect(page.getByLabel('First name')).toBeHidden()
  await page.getByRole('button', { name: 'Start again', exact: true }).click()
  await expect(page.getByLabel('First name')).toBeVisible()
})

test('a report that was not closed comes back with its decision', async ({ page }) => {
  await page.goto('/')
  await sendDetails(page, { lastName: 'Allow' })
  await expect(page.getByRole('heading', { name: 'Approved, in principle' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Approved, in principle' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Your credit report' })).toBeVisible()
})

test('one visitor’s decision is theirs alone', async ({ page, browser, baseURL }) => {
  await page.goto('/')
  await sendDetails(page, { lastName: 'Allow' })
  await expect(page.getByRole('heading', { name: 'Approved, in principle' })).toBeVisible()
  const stranger = await browser.newContext({ ...(baseURL !== undefined && { baseURL }) })
  expect(await (await stranger.request.get('/order')).json()).toEqual({ decision: null })
  await stranger.close()
})

test('the page embeds the widget with the three lines of the readme', async ({ page, stack }) => {
  const response = await page.goto('/')
  const markup = (await response?.text()) ?? ''
  expect(markup).toContain(`<script async src="${stack.service}/v1/fingerprints/device"></script>`)
  expect(markup).toContain('<script async src="/credit-reports/widget.js"></script>')
  expect(markup).toContain(
    '<credit-report-widget endpoint="/credit-reports" search="soft" privacy-url="/privacy"></credit-report-widget>',
  )
  const policy = response?.headers()['content-security-policy'] ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("trusted-types 'none'")
  expect(policy).not.toContain('unsafe')
})

test('the form can be filled in for a visitor in a hurry', async ({ page }) => {
  await page.goto('/')
  await page.getByText('How to steer this demonstration').click()
  await page.getByRole('button', { name: 'Fill the form for me' }).click()
  await expect(page.getByLabel('First name')).toHaveValue('Sam')
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`nothing serious for a screen reader or a weak eye, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    await page.goto('/')
    await expect(page.getByLabel('First name')).toBeVisible()
    await page.getByRole('button', { name: 'Your phone' }).click()
    await expect(page.getByText('Texts from the check arrive here.')).toBeVisible()
    expect(await findViolations(page, { tags: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] })).toEqual([])
  })
}

test('a small phone shows everything without sideways scrolling', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/')
  await expect(page.getByLabel('First name')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
})

test('the address is found by its postcode, and entered by hand where it is not', async ({ page }) => {
  await page.goto('/')
  const fill = async (answers: { [label: string]: string }) => {
    for (const [label, text] of Object.entries(answers)) await page.getByLabel(label, { exact: true }).fill(text)
  }
  await expect(page.getByLabel('First name')).toBeVisible()
  await fill({ 'First name': 'Sam', 'Last name': 'Allow', Day: '27', Month: '3', Year: '1985' })
  await fill({ 'UK mobile number': '07700 900123' })
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Postcode').fill('LS1 0AA')
  await page.getByRole('button', { name: 'Find address' }).click()
  await expect(page.getByText('We found no addresses for LS1 0AA')).toBeVisible()
  await page.getByLabel('Postcode').fill('LS1 9AA')
  await page.getByRole('button', { name: 'Find address' }).click()
  await expect(page.getByLabel('Choose your address').getByRole('option')).toHaveCount(102)
  await page.getByLabel('Postcode').fill('LS1 4AP')
  await page.getByRole('button', { name: 'Find address' }).click()
  await page.getByLabel('Choose your address').selectOption({ index: 11 })
  await fill({ Month: '5', Year: '2019' })
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'Check your answers' })).toBeVisible()
  await expect(page.getByText('Flat 2, Mill House', { exact: true })).toBeVisible()
})

test('a link to the check, sent to the phone, leads to a decision in the shop', async ({ page, browser }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Send me a link' }).click()
  await expect(page.getByText('Sent: open it on your phone.')).toBeVisible()
  const url = await page.getByRole('log', { name: 'Text messages' }).getByRole('link').getAttribute('href')
  const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage()
  await phone.goto(url ?? '')
  await expect(phone.getByRole('heading', { name: 'Credit check for Wrenfield' })).toBeVisible()
  await expect(phone.locator('.logo')).toHaveJSProperty('complete', true)
  await sendDetails(phone, { lastName: 'Allow' })
  await expect(phone.getByRole('heading', { name: 'Your credit report' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Approved, in principle' })).toBeVisible()
  await phone.getByRole('button', { name: 'Back to Wrenfield' }).click()
  await expect(phone).toHaveURL(/\/\?linkId=[\w-]+$/)
  // The address proves nothing: this browser has no order of its own.
  await expect(phone.getByRole('heading', { name: 'Approved, in principle' })).toBeHidden()
  await phone.context().close()
})
