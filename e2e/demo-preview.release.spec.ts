// The developers' preview: each knob turns something, each panel shows what happened.
import { createHash } from 'node:crypto'
import type { FrameLocator, Page } from '@playwright/test'
import { findViolations } from './accessibility/axe.ts'
import { expect, test } from './stack.ts'

const SLOW_MS = 30_000
const FIVE_MINUTES = 300

async function openPreview(page: Page, hash = ''): Promise<FrameLocator> {
  await page.goto(`/preview${hash && `#${hash}`}`)
  const widget = page.frameLocator('iframe[title="The widget on its page"]')
  await expect(widget.locator('credit-report-widget')).toBeVisible()
  return widget
}

const heading = (widget: FrameLocator, name: string) => widget.getByRole('heading', { name })
const panel = (page: Page, name: string) => page.getByRole('tabpanel', { name })

/** Presses through a prefilled form. */
async function sendPrefilled(widget: FrameLocator): Promise<void> {
  await expect(widget.getByLabel('First name')).not.toHaveValue('')
  await widget.getByRole('button', { name: 'Continue' }).click()
  await expect(heading(widget, 'Where do you live?')).toBeVisible()
  await widget.getByRole('button', { name: 'Continue' }).click()
  await widget.getByRole('button', { name: 'Agree and check my credit report' }).click()
}

test('a flow plays itself, and events and requests show what happened', async ({ page }) => {
  const widget = await openPreview(page, 'journey=wrong-1')
  await page.getByRole('button', { name: 'Play it' }).click()
  await expect(heading(widget, 'Your credit report')).toBeVisible({ timeout: SLOW_MS })
  for (const name of ['ready', 'challenged', 'complete']) {
    await expect(panel(page, 'Events').getByText(name, { exact: true })).toBeVisible()
  }

  await page.getByRole('tab', { name: 'Requests' }).click()
  const requests = panel(page, 'Requests')
  await expect(requests.getByText('{endpoint}/{id}/otp-challenge')).toHaveCount(2)
  await expect(requests.getByText('/demo-lender/v1/credit-reports/{id}/otp-challenge')).toHaveCount(2)
})

test('a flow that is left, or has ended, gives way to the next one', async ({ page }) => {
  const widget = await openPreview(page, 'journey=default-challenge&locale=cy')
  const play = page.getByRole('button', { name: 'Play it' })
  await play.click()
  await expect(page.getByRole('button', { name: 'Playing' })).toBeDisabled()
  await page.getByRole('button', { name: 'Four accounts, allow' }).click()
  for (const _time of ['first', 'again']) {
    await play.click()
    await expect(page.getByRole('button', { name: 'Playing' })).toBeDisabled()
    await expect(heading(widget, 'Eich adroddiad credyd')).toBeVisible({ timeout: SLOW_MS })
    await expect(play).toBeEnabled()
  }
})

test('a request can be read, masked, and copied as a command', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const widget = await openPreview(page, 'journey=test002-allow&panel=requests')
  await sendPrefilled(widget)
  await expect(heading(widget, 'Your credit report')).toBeVisible()

  const requests = panel(page, 'Requests')
  const asked = requests.getByRole('listitem').filter({ hasText: '/demo-lender/v1/credit-reports' })
  await asked.locator('summary').first().click()
  await expect(asked.getByText('"lastName": "Example"').first()).toBeVisible()
  await page.getByLabel('Mask personal values').check()
  await expect(asked.getByText('"lastName": "Example"')).toHaveCount(0)
  await expect(asked.getByText('"lastName": "•••••••"').first()).toBeVisible()

  await asked.getByRole('button', { name: 'Copy as curl' }).click()
  const command = await page.evaluate(() => navigator.clipboard.readText())
  expect(command).toMatch(/^curl 'http:\/\/[^']+\/demo-lender\/v1\/credit-reports'/)
  expect(command).toContain('Authorization: Bearer $TOKEN')
  expect(command).not.toContain('Example')
})

test('time travel: the countdown follows to 4:59, and at 5:01 the code has expired', async ({ page }) => {
  const widget = await openPreview(page, 'journey=default-challenge')
  const jump = page.getByRole('group', { name: 'Jump to' })
  await expect(jump.getByRole('button', { name: '4:59' })).toBeDisabled()
  await sendPrefilled(widget)
  await expect(heading(widget, 'Check your phone')).toBeVisible()
  await expect.poll(() => secondsLeft(widget)).toBeGreaterThan(FIVE_MINUTES - 100)
  for (let hop = 1; hop <= 4; hop++) {
    await jump.getByRole('button', { name: '+31 s' }).click()
    await expect.poll(() => secondsLeft(widget)).toBeLessThanOrEqual(FIVE_MINUTES - hop * 31)
  }
  await jump.getByRole('button', { name: '4:59' }).click()
  await expect(heading(widget, 'That code has expired')).toBeVisible()
  await expect(panel(page, 'Events').getByText('expired', { exact: true })).toBeVisible()
})

async function secondsLeft(widget: FrameLocator): Promise<number> {
  const [, minutes, seconds] = /(\d):(\d\d)/.exec(await widget.getByRole('timer').innerText()) ?? []
  return Number(minutes) * 60 + Number(seconds)
}

test('time travel to 5:01 ends a challenge at once', async ({ page }) => {
  const widget = await openPreview(page, 'journey=wrong-1')
  await sendPrefilled(widget)
  await expect(heading(widget, 'Check your phone')).toBeVisible()
  await page.getByRole('group', { name: 'Jump to' }).getByRole('button', { name: '5:01' }).click()
  await expect(heading(widget, 'That code has expired')).toBeVisible()
})

test('a clock that gets nonsense says what it wants', async ({ page }) => {
  for (const data of [{ stage: 'plain', seconds: -1 }, { stage: 'plain', seconds: 'soon' }, {}]) {
    const response = await page.request.post('/preview/clock', { data })
    expect(response.status()).toBe(400)
    expect(await response.json()).toMatchObject({
      code: 'validation-error',
      message: expect.stringContaining('seconds'),
    })
  }
})

test('the wallet shows a receipt for a live check, in credits and pounds', async ({ page }) => {
  const widget = await openPreview(page, 'journey=live-allow&panel=wallet')
  await sendPrefilled(widget)
  await expect(heading(widget, 'Your credit report')).toBeVisible()
  const wallet = panel(page, 'Wallet')
  const receipt = wallet.getByRole('listitem').first()
  await expect(receipt).toContainText('Credit report')
  await expect(receipt).toContainText('charged')
  await expect(receipt).toContainText('£0.50')
  await expect(wallet).toContainText('demo-lender can spend')
  await wallet.getByText(/^Ledger, \d+ lines$/).click()
  await expect(wallet.getByText('capture report').first()).toBeVisible()
})

test('the doctor is content with the shop, and names what is wrong elsewhere', async ({ page }) => {
  await openPreview(page, 'panel=doctor')
  const doctor = panel(page, 'Doctor')
  await expect(doctor.getByText('are accepted for demo-lender')).toBeVisible()
  await expect(doctor.getByText('✗')).toHaveCount(0)
  await doctor.getByLabel('Server').selectOption({ label: 'A proxy with a wrong secret' })
  await expect(doctor.getByText('the client id or the secret is wrong')).toBeVisible()
  await doctor.getByLabel('Server').selectOption({ label: 'A proxy whose service is down' })
  await expect(doctor.getByText('does not answer')).toBeVisible()
})

test('a panel whose question gets no answer says so', async ({ page }) => {
  await page.route(/\/preview\/(?:doctor|wallet|pins)/, (route) => route.abort())
  await openPreview(page)
  for (const name of ['Wallet', 'Doctor', 'Snippet']) {
    await page.getByRole('tab', { name }).click()
    await expect(panel(page, name)).toContainText('the demo does not answer')
  }
})

test('the snippet follows the knobs and pins both scripts with the bytes that are served', async ({ page, stack }) => {
  await openPreview(page, 'panel=snippet&locale=cy&--credit-report-accent=%23b00020')
  const snippet = panel(page, 'Snippet').locator('pre')
  await expect(snippet).toContainText('locale="cy"')
  await expect(snippet).toContainText('--credit-report-accent: #b00020;')
  await panel(page, 'Snippet').getByLabel('Pin with integrity').check()
  const text = await snippet.innerText()
  const tags = [...text.matchAll(/src="([^"]+)"\s+integrity="([^"]+)"/g)]
  expect(tags.length).toBe(2)
  for (const [, src = '', integrity] of tags) {
    const bytes = await (await page.request.get(new URL(src, stack.shop).href)).body()
    expect(integrity).toBe(`sha384-${createHash('sha384').update(bytes).digest('base64')}`)
  }
  for (const [label, part] of [
    ['React', 'export function CreditCheck'],
    ['Vue', '@credit-report-complete='],
    ['Svelte', '$props()'],
    ['Next.js', 'toNext(proxy)'],
    ['SvelteKit', 'getClientAddress()'],
    ['Node server', 'toNodeHandler(proxy)'],
  ] as const) {
    await panel(page, 'Snippet').getByLabel('For').selectOption({ label })
    await expect(snippet).toContainText(part)
  }
})

test('every state can be shared: the address brings it back', async ({ page, browser, baseURL }) => {
  const widget = await openPreview(page)
  await page.getByRole('button', { name: 'Wrong code three times' }).click()
  await page.getByRole('radio', { name: 'Language: Cymraeg' }).check({ force: true })
  await page.getByRole('radio', { name: 'Colour scheme: Dark' }).check({ force: true })
  await page.getByRole('tab', { name: 'Wallet' }).click()
  await expect(widget.locator('credit-report-widget[locale=cy][theme=dark]')).toBeVisible()
  const shared = page.url()
  expect(new URL(shared).search).toBe('')

  const elsewhere = await browser.newPage({ ...(baseURL !== undefined && { baseURL }) })
  await elsewhere.goto(shared)
  await expect(elsewhere.getByRole('heading', { name: 'Wrong code three times' })).toBeVisible()
  await expect(elsewhere.getByRole('tab', { name: 'Wallet' })).toHaveAttribute('aria-selected', 'true')
  await expect(elsewhere.frameLocator('iframe').locator('credit-report-widget[locale=cy][theme=dark]')).toBeVisible()
  await elsewhere.close()
})

test('theme tokens reach the widget, and a pair that is too pale is named', async ({ page }) => {
  const widget = await openPreview(page)
  await page.getByText('Theme tokens').click()
  await page.getByLabel('Accent', { exact: true }).fill('#ffee00')
  const button = widget.getByRole('button', { name: 'Continue' })
  await expect(button).toHaveCSS('background-color', 'rgb(255, 238, 0)')
  await expect(page.getByRole('row', { name: /^Button/ })).toContainText('under 4.5')
  await page.getByRole('button', { name: 'Back to the widget’s own' }).click()
  await expect(page.getByRole('row', { name: /^Button/ })).toContainText('✓')
  await expect(button).not.toHaveCSS('background-color', 'rgb(255, 238, 0)')
})

test('a token that has no effect is named, and goes nowhere', async ({ page }) => {
  const widget = await openPreview(page, 'panel=snippet&--credit-report-control-radius=round&historyMonths=24')
  const corner = page.getByLabel('Corner of inputs')
  await expect(corner).toHaveAccessibleDescription('No effect: give a length, such as 0 or 8px')
  await expect(panel(page, 'Snippet').locator('pre')).toContainText('address-history-months="24"')
  await expect(page.getByLabel('Address history')).toHaveValue('24')
  await expect(panel(page, 'Snippet').locator('pre')).not.toContainText('round')
  await expect(widget.getByLabel('First name')).not.toHaveCSS('border-radius', '0px')
  await corner.fill('0')
  await expect(corner).toHaveAccessibleDescription('')
  await expect(widget.getByLabel('First name')).toHaveCSS('border-radius', '0px')
  await expect(panel(page, 'Snippet').locator('pre')).toContainText('--credit-report-control-radius: 0;')
})

test('the stage takes the width it is given', async ({ page }) => {
  await openPreview(page)
  await page.getByRole('radio', { name: 'Width: 320' }).check({ force: true })
  await expect.poll(async () => (await page.locator('iframe').boundingBox())?.width).toBe(320)
})

for (const [preset, sheet] of [
  ['bootstrap', '/vendor/bootstrap.css'],
  ['tailwind', '/vendor/tailwind-preflight.css'],
  ['hostile', '/preview/hostile.css'],
] as const) {
  test(`the widget stands on a ${preset} page`, async ({ page }) => {
    const sheetLoaded = page.waitForResponse((response) => response.url().endsWith(sheet))
    const widget = await openPreview(page, `preset=${preset}&journey=default-allow`)
    expect((await sheetLoaded).status()).toBe(200)
    await sendPrefilled(widget)
    await expect(heading(widget, 'Your credit report')).toBeVisible()
  })
}

test('the widget stands under a strict policy with nothing refused', async ({ page }) => {
  const widget = await openPreview(page, 'preset=strict&journey=default-challenge')
  await sendPrefilled(widget)
  await widget.getByLabel('Security code').fill('123456')
  await widget.getByRole('button', { name: 'Continue' }).click()
  await expect(heading(widget, 'Your credit report')).toBeVisible()
  await expect(panel(page, 'Events').getByText('policy-violation')).toHaveCount(0)
})

test('right to left, forced colours, no one, three addresses: each knob arrives', async ({ page }) => {
  const widget = await openPreview(page, 'direction=rtl&person=no-one')
  await expect(widget.locator('html[dir=rtl]')).toBeAttached()
  await expect(widget.getByLabel('First name')).toHaveValue('')
  await page.getByLabel('Forced colours').check()
  await expect(page.getByText('An approximation.')).toBeVisible()
  await page.getByLabel('Forced colours').uncheck()

  await page.getByRole('combobox', { name: 'Prefill', exact: true }).selectOption({ label: 'Accents and apostrophes' })
  await page.getByLabel('Prefilled addresses').selectOption('3')
  await page.getByLabel('Address history').selectOption('120')
  await expect(widget.getByLabel('Last name')).toHaveValue('O’Brien-Łukasz')
})

test('slots, own words, languages, address lookup and a form that needs the check', async ({ page }) => {
  const widget = await openPreview(page, 'panel=snippet&journey=default-allow&addressCount=1')
  const snippet = panel(page, 'Snippet').locator('pre')
  await page.getByLabel('Own words (strings)').check()
  await expect(heading(widget, 'About you')).toBeVisible()
  await page.getByLabel('Fill every slot').check()
  await expect(widget.getByText('Larkfield checks your credit file.')).toBeVisible()
  await page.getByLabel('Offer a choice of language (locales)').check()
  await expect(widget.getByText('Cymraeg')).toBeVisible()
  await page.getByLabel('Find addresses (addressLookup)').check()
  await page.getByLabel('In a form that needs it (required)').check()
  for (const part of ['slot="consent"', '"About you"', 'addressLookup', 'locales="en-GB cy"', 'required'])
    await expect(snippet).toContainText(part)

  // Another page by now, with all of it.
  await expect(heading(widget, 'About you')).toBeVisible()
  await widget.getByRole('button', { name: 'Place the order' }).click()
  await expect(widget.getByText('The form was sent')).toHaveCount(0)
  await widget.getByRole('button', { name: 'Next' }).click()
  await expect(heading(widget, 'Where do you live?')).toBeVisible()
  await widget.getByRole('button', { name: 'Next' }).click()
  await widget.getByRole('checkbox').check()
  await widget.getByRole('button', { name: 'Agree and check my credit report' }).click()
  await expect(heading(widget, 'Your credit report')).toBeVisible()
  await widget.getByRole('button', { name: 'Place the order' }).click()
  await expect(widget.getByText('The form was sent with creditReportId')).toContainText(/creditReportId [\w-]{8,}/)
})

test('with a lookup the preview finds the addresses of a postcode', async ({ page }) => {
  const widget = await openPreview(page, 'hasLookup=true&person=no-one')
  for (const [label, text] of Object.entries({
    'First name': 'Sam',
    'Last name': 'Example',
    'UK mobile number': '07700900123',
  }))
    await widget.getByLabel(label).fill(text)
  for (const [label, text] of Object.entries({ Day: '27', Month: '3', Year: '1985' }))
    await widget.getByLabel(label, { exact: true }).fill(text)
  await widget.getByRole('button', { name: 'Continue' }).click()
  await widget.getByLabel('Postcode').fill('SW1A 1AA')
  await widget.getByRole('button', { name: 'Find address' }).click()
  await expect(widget.getByLabel('Choose your address')).toContainText('Rose Cottage')
})

test('a lender’s choices in the tag reach the widget and the snippet', async ({ page }) => {
  const widget = await openPreview(page, 'panel=snippet&journey=default-allow&search=hard')
  const snippet = panel(page, 'Snippet').locator('pre')
  for (const label of [
    'Mobile not needed (mobile)',
    'A button below the report (next-label)',
    'Prefill cannot be changed (locked)',
  ])
    await page.getByLabel(label).check()
  await page.getByLabel('Privacy notice (privacy-url)').uncheck()
  await expect(snippet).toContainText('search="hard" mobile="optional" next-label="Continue to your offer" locked')
  await expect(snippet).not.toContainText('privacy-url')
  await expect(widget.getByText('These details come from')).toBeVisible()
  await widget.getByRole('button', { name: 'Continue' }).click()
  await expect(widget.getByText('This is a hard search')).toBeVisible()
  await expect(widget.getByRole('link', { name: 'Privacy notice' })).toHaveCount(0)
  await widget.getByRole('button', { name: 'Agree and check my credit report' }).click()
  await expect(widget.getByRole('button', { name: 'Continue to your offer' })).toBeVisible()
  await page.getByLabel('Kind of search (search)').selectOption({ label: 'not said' })
  await expect(snippet).not.toContainText('search=')
})

for (const [id, heading] of [
  ['draft', 'Where do you live?'],
  ['code-reload', 'Your credit report'],
  ['locked', 'Your report is locked'],
  ['reopened', 'Your credit report'],
  ['shut', 'Your check is complete'],
  ['closed', 'Your check is complete'],
  ['known', 'Your credit report'],
  ['current-lost', 'We cannot reach the company you came from'],
] as const)
  test(`the flow “${id}” plays itself to its end`, async ({ page }) => {
    const widget = await openPreview(page, `journey=${id}`)
    await page.getByRole('button', { name: 'Play it' }).click()
    await expect(widget.getByRole('heading', { name: heading, exact: true })).toBeVisible({ timeout: SLOW_MS })
    await expect(page.getByRole('button', { name: 'Play it' })).toBeEnabled({ timeout: SLOW_MS })
  })

test('on a narrow phone nothing sticks out, and no link or button of the bars breaks in two', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await openPreview(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  const broken = await page.locator('.places > *, .travel button').evaluateAll((elements) =>
    elements
      .filter((element) => {
        const words = document.createRange()
        words.selectNodeContents(element)
        return new Set(Array.from(words.getClientRects(), ({ top }) => Math.round(top))).size > 1
      })
      .map(({ textContent }) => textContent),
  )
  expect(broken).toEqual([])
})

for (const [colorScheme, hash] of [
  ['light', 'panel=wallet'],
  ['dark', 'panel=snippet&--credit-report-radius=0'],
] as const) {
  test(`the preview itself has nothing serious to hinder anybody, ${colorScheme} ${hash}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    await page.goto(`/preview#${hash}`)
    await expect(page.getByRole('main')).toBeVisible()
    expect(await findViolations(page, { tags: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] })).toEqual([])
  })
}

test('the list ends with a check behind a link, in a tab of its own', async ({ page }) => {
  await page.goto('/preview')
  const opened = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'A check on a page of ours' }).click()
  const tab = await opened
  await expect(tab).toHaveURL(/\/c\/[\w-]{22}$/)
  await expect(tab.getByText('Test mode. Nothing here is real')).toBeVisible()
})
