// The element for a lender's developer: attributes, properties, slots, events and forms.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { findEnglish, findOddWords } from './odd-words.ts'
import { CODE, expect, SAM, test } from './widget-pages/stage.ts'

const script = (code: string) => `<script>${code}</script>`
/** Collects every event of the element. */
const LISTEN = script(`window.heard = []
  for (const name of ['ready', 'step', 'challenged', 'complete', 'blocked', 'failed', 'expired', 'error'])
    document.addEventListener('credit-report-' + name, (event) => heard.push([name, event.detail]))`)

test('every event, in order, and nothing personal in any', async ({ consumer, page }) => {
  await consumer.open({ head: LISTEN })
  await consumer.toCode()
  await consumer.giveCode('000000')
  await expect(consumer.widget.getByRole('alert')).toBeVisible()
  await consumer.giveCode(CODE)
  await consumer.seeHeading('Your credit report')
  const heard = await page.evaluate(() => Reflect.get(window, 'heard'))
  expect(heard).toEqual([
    ['ready', { version: expect.stringMatching(/^\d+\.\d+\.\d+$/) }],
    ['step', { from: 'details', to: 'address' }],
    ['step', { from: 'address', to: 'answers' }],
    ['step', { from: 'answers', to: 'sending' }],
    ['step', { from: 'sending', to: 'code' }],
    ['challenged', { creditReportId: 'report-1' }],
    ['step', { from: 'code', to: 'report' }],
    ['complete', { creditReportId: 'report-1' }],
  ])
})

test('blocked, failed, expired and errors are events', async ({ consumer, page, standIn }) => {
  await consumer.open({ head: LISTEN, branch: 'block' })
  await consumer.toAnswers()
  await consumer.agree()
  await consumer.seeHeading('We cannot carry on with this check online')
  await consumer.open({ head: LISTEN })
  await consumer.toAnswers()
  standIn.instead('/run-2', {
    status: 402,
    body: { code: 'insufficient-funds', message: '' },
    headers: { 'X-Request-Id': 'r-9' },
  })
  const heard = page.evaluate(
    () => new Promise((resolve) => document.addEventListener('credit-report-error', (event) => resolve(event.detail))),
  )
  await consumer.agree()
  expect(await heard).toEqual({ code: 'insufficient-funds', status: 402, requestId: 'r-9' })
})

test('in a form: the reference and nothing else, and not before it is there', async ({ consumer, page }) => {
  await consumer.open({
    attributes: 'name="creditReportId" required',
    before: '<form id="checkout"><input name="car" value="blue">',
    after: '<button>Buy</button></form>',
  })
  const form = () =>
    page.evaluate(() => {
      const [form] = document.forms
      return form && { valid: form.checkValidity(), data: Object.fromEntries(new FormData(form)) }
    })
  expect(await form()).toEqual({ valid: false, data: { car: 'blue' } })
  await consumer.toReport()
  expect(await form()).toEqual({ valid: true, data: { car: 'blue', creditReportId: 'report-1' } })
  expect(await page.evaluate(() => document.querySelector('credit-report-widget')?.value)).toBe('report-1')
  await page.evaluate(() => document.forms[0]?.reset())
  await consumer.seeHeading('Your details')
  await expect(consumer.field('First name')).toHaveValue('')
  expect(await form()).toMatchObject({ valid: false })
})

test('words, language and colours can change while someone types', async ({ consumer, page }) => {
  await consumer.open()
  await consumer.fill({ 'First name': 'Sam' })
  await page.evaluate(() => {
    const element = document.querySelector('credit-report-widget')
    if (element) element.strings = { detailsTitle: 'About you', firstName: 'Given name' }
  })
  await consumer.seeHeading('About you')
  await expect(consumer.field('Given name')).toHaveValue('Sam')
  await page.locator('credit-report-widget').evaluate((element) => element.setAttribute('locale', 'cy'))
  await expect(consumer.widget.getByLabel('Cyfenw')).toBeVisible()
  await consumer.seeHeading('About you')
  await expect(consumer.widget.getByLabel('Given name')).toHaveValue('Sam')
  await expect(page.locator('credit-report-widget [lang]').first()).toHaveAttribute('lang', 'cy')

  const surface = () =>
    page
      .locator('credit-report-widget')
      .evaluate((element) => getComputedStyle(element.shadowRoot?.querySelector('.panel') ?? element).backgroundColor)
  expect(await surface()).toBe('rgb(255, 255, 255)')
  await page.locator('credit-report-widget').evaluate((element) => element.setAttribute('theme', 'dark'))
  expect(await surface()).toBe('rgb(20, 27, 34)')
})

test('the whole way in Welsh: all its words, and none of them English', async ({ consumer, page }) => {
  const { widget } = consumer
  const expectWelsh = async () => {
    expect(await findOddWords(widget)).toEqual([])
    expect(await findEnglish(widget)).toEqual([])
  }
  await consumer.open({ html: 'lang="cy"' })
  const fill = async (answers: { [label: string]: string }) => {
    for (const [label, text] of Object.entries(answers)) await page.getByLabel(label, { exact: true }).fill(text)
  }
  await expect(page.getByRole('heading', { name: 'Eich manylion' })).toBeVisible()
  await expectWelsh()
  await page.getByRole('button', { name: 'Parhau' }).click()
  await expect(page.getByRole('alert')).toContainText('Mae problem')
  await expectWelsh()
  await fill({ 'Enw cyntaf': 'Sam', Cyfenw: 'Patel', Diwrnod: '27', Mis: 'Mawrth', Blwyddyn: '1985' })
  await fill({ 'Rhif ffôn symudol y DU': '07700900123' })
  await page.getByRole('button', { name: 'Parhau' }).click()
  await expect(page.getByRole('heading', { name: 'Ble rydych chi’n byw?' })).toBeVisible()
  await expectWelsh()
  await fill({ 'Rhif yr adeilad': '10', 'Tref neu ddinas': 'Caerdydd', 'Cod post': 'CF10 1EP' })
  await fill({ Mis: '5', Blwyddyn: '2012' })
  await page.getByRole('button', { name: 'Parhau' }).click()
  await expect(page.getByRole('heading', { name: 'Gwiriwch eich atebion' })).toBeVisible()
  await expect(page.getByText('27 Mawrth 1985')).toBeVisible()
  await expectWelsh()
  await page.getByRole('button', { name: 'Cytuno' }).click()
  await expect(page.getByRole('heading', { name: 'Edrychwch ar eich ffôn' })).toBeVisible()
  await expectWelsh()
  await fill({ 'Cod diogelwch': CODE })
  await page.getByRole('button', { name: 'Parhau' }).click()
  await expect(page.getByRole('heading', { name: 'Eich adroddiad credyd' })).toBeVisible()
  // The content is made when it is first opened.
  const closed = widget.locator('details:not([open]) > summary')
  while ((await closed.count()) > 0) await closed.first().click()
  await expectWelsh()
})

test('legal words, help and consent have their places; without the tick nothing is sent', async ({
  consumer,
  standIn,
}) => {
  await consumer.open({
    inside: `<p slot="intro">Takes three minutes.</p><p slot="help">Call 0113 496 0000</p>
      <p slot="search-notice">This leaves a soft search.</p><a slot="privacy" href="/privacy">Privacy</a>
      <span slot="consent" data-version="v7">I agree to the check</span>`,
  })
  await expect(consumer.widget.getByText('Takes three minutes.')).toBeVisible()
  await expect(consumer.widget.getByText('Call 0113 496 0000')).toBeVisible()
  await consumer.toAnswers()
  await expect(consumer.widget.getByText('This leaves a soft search.')).toBeVisible()
  await expect(consumer.widget.getByRole('link', { name: 'Privacy' })).toBeVisible()
  await consumer.agree()
  await expect(consumer.widget.getByRole('alert')).toContainText('Tick the box to agree, or go back')
  expect(standIn.seen.some(({ method }) => method === 'POST')).toBe(false)
  await consumer.widget.getByRole('checkbox').check()
  await consumer.agree()
  await consumer.seeHeading('Check your phone')
  expect(standIn.seen.find(({ method }) => method === 'POST')?.body).toMatchObject({
    consent: { version: 'v7', locale: 'en-GB', ticked: true },
  })
  await expect(consumer.widget.getByText('Call 0113 496 0000')).toBeVisible()
})

test('above “Agree” stand the agencies, the kind of search, the device and the notices; the hash of all of it is sent', async ({
  consumer,
  standIn,
  page,
}) => {
  const meta = { test: true, fingerprintSrc: '/v1/fingerprints/device', bureaus: ['equifax', 'transunion'] }
  standIn.instead('/current', { body: { meta, data: { status: 'none' } } })
  await consumer.open({ attributes: 'search="hard" privacy-url="/privacy#credit"' })
  await consumer.toAnswers()
  const { widget } = consumer
  await expect(widget.getByText('When you agree, we ask Equifax and TransUnion for your credit report.')).toBeVisible()
  await expect(widget.getByText('This is a hard search')).toBeVisible()
  await expect(widget.getByText('technical details of your browser')).toBeVisible()
  await expect(widget.getByRole('link', { name: 'TransUnion' })).toHaveAttribute(
    'href',
    'https://www.transunion.co.uk/crain',
  )
  const { origin } = new URL(page.url())
  await expect(widget.getByRole('link', { name: 'Privacy notice' })).toHaveAttribute('href', `${origin}/privacy#credit`)
  const shown = [
    'When you agree, we ask Equifax and TransUnion for your credit report.',
    'This is a hard search: other lenders can see it on your credit file, and it may affect your credit score.',
    'To prevent fraud, we also read a few technical details of your browser.',
    'More about the search and your device',
    'You can see the search on your own credit file. The company you came from gets a copy of your report.',
    'Details such as your browser’s language, time zone and screen size show whether someone else may be using your name.',
    'They are deleted within an hour. Scrambled traces of them are kept for 30 days.',
    'How the agencies use your details:',
    'Equifax <https://www.equifax.co.uk/crain>',
    'TransUnion <https://www.transunion.co.uk/crain>',
    `Privacy notice <${origin}/privacy#credit>`,
  ].join(' ')
  await consumer.agree()
  await consumer.seeHeading('Check your phone')
  expect(standIn.seen.find(({ method }) => method === 'POST')?.body).toMatchObject({
    consent: {
      locale: 'en-GB',
      ticked: false,
      notice: '2026-11',
      shown: createHash('sha256').update(shown).digest('hex'),
    },
  })
})

for (const [name, data, words] of [
  ['a summary', { summary: { openAccounts: 3, settledAccounts: 1, searches: 2 } }, 'Open accounts'],
  ['nothing', {}, 'there is nothing more to do here'],
] as const)
  test(`a lender that shows ${name} of the report`, async ({ consumer, standIn }) => {
    await consumer.open({ branch: 'allow' })
    await consumer.toAnswers()
    standIn.instead('/run-1', {
      body: { meta: { test: false }, data: { status: 'complete', creditReportId: 'r', ...data } },
    })
    await consumer.agree()
    await consumer.seeHeading('Your check is complete')
    await expect(consumer.widget.getByText(words)).toBeVisible()
  })

test('as a module of a bundler or a page, the same', async ({ consumer }) => {
  await consumer.open({
    script: `<script type="module">import { TAG_NAME } from '/credit-reports/index.js'; document.title = TAG_NAME</script>`,
    branch: 'allow',
  })
  await consumer.toAnswers()
  await consumer.agree()
  await consumer.seeHeading('Your credit report')
})

test('on a server, importing it does nothing', () => {
  const code =
    "import('./dist/widget/index.js').then(({ CreditReportWidget }) => process.stdout.write(String(CreditReportWidget.formAssociated)))"
  expect(execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })).toBe('true')
})

test('colours for the panel alone leave what went wrong readable', async ({ consumer }) => {
  await consumer.open({
    head: '<style>credit-report-widget { --credit-report-text: #fff; --credit-report-surface: #222 }</style>',
  })
  await consumer.press('Continue')
  // The box has a colour of its own, and its words one that goes with it.
  await expect(consumer.widget.getByRole('heading', { name: 'There is a problem' })).toHaveCSS(
    'color',
    'rgb(179, 36, 26)',
  )
})

test('the level of the headings is the page’s to choose', async ({ consumer }) => {
  await consumer.open({ attributes: 'heading-level="4"' })
  await expect(consumer.widget.getByRole('heading', { name: 'Your details', level: 4 })).toBeVisible()
})

test('content without a slot is the fallback: it stays where the script cannot run, and goes where it does', async ({
  consumer,
  page,
  standIn,
}) => {
  const inside = '<p>If nothing appears, call us.</p><p slot="privacy">How we use your details</p>'
  const head = '<style>credit-report-widget:not(:defined) > [slot] { display: none }</style>'
  await page.goto(standIn.page({ inside, head, script: '<script async src="/credit-reports/missing.js"></script>' }))
  await expect(page.getByText('If nothing appears, call us.')).toBeVisible()
  await expect(page.getByText('How we use your details')).toBeHidden()
  await consumer.open({ inside, head })
  await consumer.seeHeading('Your details')
  await expect(page.getByText('If nothing appears, call us.')).toBeHidden()
})

test('reset() and focus()', async ({ consumer, page }) => {
  await consumer.open()
  await consumer.giveDetails()
  await consumer.seeHeading('Where do you live?')
  await page.evaluate(() => document.querySelector('credit-report-widget')?.reset())
  await consumer.seeHeading('Your details')
  await page.evaluate(() => document.querySelector('credit-report-widget')?.focus())
  await expect(consumer.field('First name')).toBeFocused()
})

for (const [when, options] of [
  ['before the page is read', { script: '<script src="/credit-reports/widget.js"></script>' }],
  ['after it', { script: '<script defer src="/credit-reports/widget.js"></script>' }],
] as const)
  test(`consent is asked for when the script runs ${when}`, async ({ consumer, standIn }) => {
    await consumer.open({ ...options, inside: '<span slot="consent" data-version="v7">I agree</span>' })
    await consumer.toAnswers()
    await consumer.agree()
    await expect(consumer.widget.getByRole('alert')).toContainText('Tick the box to agree')
    expect(standIn.seen.filter(({ method }) => method === 'POST')).toEqual([])
    await consumer.widget.getByRole('checkbox').check()
    await consumer.agree()
    await consumer.seeHeading('Check your phone')
  })

test('consent that the page adds or takes away is asked for, or no more', async ({ consumer }) => {
  await consumer.open()
  await consumer.toAnswers()
  await expect(consumer.widget.getByRole('checkbox')).toBeHidden()
  await consumer.widget.evaluate((element) => {
    const words = Object.assign(document.createElement('span'), { slot: 'consent', textContent: 'I agree' })
    element.append(words)
  })
  await expect(consumer.widget.getByRole('checkbox')).toBeVisible()
  await consumer.widget.evaluate((element) => element.replaceChildren())
  await expect(consumer.widget.getByRole('checkbox')).toBeHidden()
})

test('the language of the page is followed when it changes', async ({ consumer, page }) => {
  await consumer.open()
  await consumer.fill({ 'First name': 'Sam' })
  await page.evaluate(() => {
    document.documentElement.lang = 'cy'
  })
  await consumer.seeHeading('Eich manylion')
  await expect(consumer.widget.getByLabel('Enw cyntaf')).toHaveValue('Sam')
})

test('a disabled part of a form stays disabled when the element starts over', async ({ consumer }) => {
  await consumer.open({
    document: ({ scripts, element }) =>
      `<!doctype html><html lang="en"><head>${scripts}</head><body><fieldset disabled>${element}</fieldset></body></html>`,
  })
  const isInert = () =>
    consumer.widget.evaluate(({ shadowRoot }) => shadowRoot?.querySelector('.root')?.hasAttribute('inert'))
  await expect.poll(isInert).toBe(true)
  await consumer.widget.evaluate((element) => element.setAttribute('address-history-months', '0'))
  await expect.poll(isInert).toBe(true)
})

test('reset() empties the first step too', async ({ consumer, page }) => {
  await consumer.open()
  await consumer.fill({ ...SAM, 'Email address': 'sam@gmial.com' })
  await consumer.field('First name').focus()
  await expect(consumer.widget.getByRole('button', { name: 'Use this' })).toBeVisible()
  await page.evaluate(() => document.querySelector('credit-report-widget')?.reset())
  for (const label of Object.keys(SAM)) await expect(consumer.field(label)).toHaveValue('')
  await expect(consumer.widget.getByRole('button', { name: 'Use this' })).toBeHidden()
})
