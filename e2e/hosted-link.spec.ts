// A check behind a link, on real devices: the page, the hand-off to a phone, and what a forwarded link shows.
import type { Browser, BrowserContext, Page } from '@playwright/test'
import jsQR from 'jsqr'
import { findViolations } from './accessibility/axe.ts'
import { useInterface } from './interface-client.ts'
import { giveDate, sendDetails, TEST_MODE_CODE, typeCode } from './journeys.ts'
import { expect, test } from './worker.ts'

const { call, service, token } = useInterface()
const LINKS = '/demo-lender/v1/links'
const DESK = { viewport: { width: 1280, height: 900 } }
const PHONE = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const

/** One pixel. */
const SMALL_PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

type Link = { linkId: string; url: string }

async function makeLink(wanted: object = {}): Promise<Link> {
  const { status, body } = await call(LINKS, { test: true, ...wanted })
  expect(status).toBe(201)
  return body.data
}

/** The lender has a logo, and its links may lead back here. */
async function dressPage(): Promise<void> {
  const page = `${service().url}/demo-lender/v1/hosted-page`
  const headers = { Authorization: `Bearer ${await token()}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ returnUrls: [`${service().url}/docs`] })
  expect((await fetch(page, { method: 'PUT', headers, body })).status).toBe(200)
  expect((await fetch(`${page}/logo`, { method: 'PUT', headers, body: Buffer.from(SMALL_PNG, 'base64') })).status).toBe(
    204,
  )
}

async function statusOf({ linkId }: Link): Promise<string> {
  return (await call(`${LINKS}/${linkId}`)).body.data.status
}

const errors: string[] = []
const devices: BrowserContext[] = []
test.afterEach(async () => {
  for (const device of devices.splice(0)) await device.close()
  expect(errors.splice(0)).toEqual([])
})

/** A device: a browser with no cookies of another one. */
async function openOn(browser: Browser, device: typeof DESK | typeof PHONE, url: string): Promise<Page> {
  const context = await browser.newContext(device)
  devices.push(context)
  context.on('weberror', (error) => errors.push(error.error().message))
  context.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) errors.push(message.text())
  })
  await context.addInitScript(() => {
    window.print = () => {
      dispatchEvent(new Event('beforeprint'))
      const pictures = [...document.images].map(({ naturalWidth }) => naturalWidth)
      window.top?.postMessage({ words: document.body.innerText, pictures })
    }
  })
  const page = await context.newPage()
  await page.goto(url)
  return page
}

/** As a phone's camera reads it. */
async function readQr(page: Page): Promise<string> {
  const picture = (await page.locator('.qr').screenshot()).toString('base64')
  const blank = await page.context().newPage()
  const { data, width, height } = await blank.evaluate(async (png) => {
    const image = new Image()
    image.src = `data:image/png;base64,${png}`
    await image.decode()
    const canvas = new OffscreenCanvas(image.width, image.height)
    const context = canvas.getContext('2d')
    context?.drawImage(image, 0, 0)
    const pixels = context?.getImageData(0, 0, image.width, image.height)
    return { data: [...(pixels?.data ?? [])], width: image.width, height: image.height }
  }, picture)
  await blank.close()
  return jsQR(Uint8ClampedArray.from(data), width, height)?.data ?? ''
}

/** The printed page when the browser is asked to print, with the widths of its pictures. */
async function print(page: Page) {
  const printed = page.evaluate(
    () =>
      new Promise((resolve) => {
        addEventListener('message', ({ data }) => resolve(data), { once: true })
      }),
  )
  await page.getByRole('button', { name: 'Print or save' }).click()
  return printed
}

/** On the page's own form, which has no script. */
async function giveBirth(page: Page, day: string): Promise<void> {
  for (const [label, text] of Object.entries({ Day: day, Month: '3', Year: '1985' }))
    await page.getByLabel(label).fill(text)
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('begun at a desk, done on the phone whose camera read the code: the desk follows by itself', async ({
  browser,
}) => {
  await dressPage()
  const link = await makeLink({ externalReference: 'order-1', returnUrl: `${service().url}/docs` })
  const desk = await openOn(browser, DESK, link.url)
  await expect(desk.getByRole('heading', { name: 'Continue on your phone' })).toBeVisible()
  expect(await findViolations(desk)).toEqual([])
  const address = await readQr(desk)
  expect(address).toContain(link.url)
  const phone = await openOn(browser, PHONE, address)
  await expect(phone.getByRole('heading', { name: 'Continue on your phone' })).toBeHidden()
  await sendDetails(phone)
  await expect(desk.getByRole('heading', { name: 'Go on with your other device' })).toBeVisible()
  expect(await findViolations(desk)).toEqual([])
  await expect(phone.getByRole('status').filter({ hasText: 'another device' })).toHaveCount(0)
  await typeCode(phone, TEST_MODE_CODE)
  await expect(phone.getByRole('heading', { name: 'Your credit report' })).toBeVisible()
  expect(await findViolations(phone)).toEqual([])
  await expect(desk.getByRole('heading', { name: 'The check is complete' })).toBeVisible()
  expect(await statusOf(link)).toBe('complete')
  await expect(desk).toHaveURL(`${service().url}/docs?linkId=${link.linkId}`)
  const paper = await print(phone)
  expect(paper).toMatchObject({ words: expect.stringMatching(/^Wrenfield\s+Synthetic data\. /), pictures: [1] })
  await phone.getByRole('button', { name: 'Back to Wrenfield' }).click()
  await expect(phone).toHaveURL(`${service().url}/docs?linkId=${link.linkId}`)
})

test('a forwarded link is blank before the check and asks for the date of birth after it', async ({ browser }) => {
  const link = await makeLink()
  const own = await openOn(browser, PHONE, link.url)
  await expect(own.getByLabel('First name')).toBeVisible()
  const other = await openOn(browser, DESK, link.url)
  await expect(other.getByLabel('First name')).toHaveValue('')
  await sendDetails(own)
  await expect(own.getByRole('status').filter({ hasText: 'also opened on another device' })).toBeVisible()
  await other.reload()
  await expect(other.getByRole('heading', { name: 'Is this your check?' })).toBeVisible()
  expect(await findViolations(other)).toEqual([])
  await giveBirth(other, '28')
  await expect(other.getByRole('alert')).toBeVisible()
  expect(await findViolations(other)).toEqual([])
  await giveBirth(other, '27')
  await expect(other.getByRole('heading', { name: 'Check your phone' })).toBeVisible()
  // The person's own device goes on, and the check is done once.
  await typeCode(own, TEST_MODE_CODE)
  await expect(own.getByRole('heading', { name: 'Your credit report' })).toBeVisible()
  expect(await statusOf(link)).toBe('complete')
})

test('in two tabs, after a reload and after going back, it stays the same check', async ({ browser }) => {
  const link = await makeLink()
  const first = await openOn(browser, PHONE, link.url)
  await sendDetails(first)
  await expect(first.getByRole('heading', { name: 'Check your phone' })).toBeVisible()
  await first.reload()
  await expect(first.getByRole('heading', { name: 'Check your phone' })).toBeVisible()
  const second = await first.context().newPage()
  await second.goto(link.url)
  await expect(second.getByRole('heading', { name: 'Check your phone' })).toBeVisible()
  await typeCode(second, TEST_MODE_CODE)
  await expect(second.getByRole('heading', { name: 'Your credit report' })).toBeVisible()
  await second.goto('about:blank')
  await second.goBack()
  await expect(second.getByRole('heading', { name: 'Your credit report' })).toBeVisible()
  await first.reload()
  await expect(first.getByRole('button', { name: 'Open my report' })).toBeVisible()
  await giveDate(first, '27')
  await expect(first.getByRole('heading', { name: 'Your credit report' })).toBeVisible()
})

test('a revoked link and one that never was say the same, in words', async ({ browser }) => {
  const link = await makeLink()
  const page = await openOn(browser, PHONE, link.url)
  await expect(page.getByLabel('First name')).toBeVisible()
  const revoked = await fetch(`${service().url}${LINKS}/${link.linkId}`, {
    method: 'DELETE',
    headers: { Authorization: `Bearer ${await token()}` },
  })
  expect(revoked.status).toBe(204)
  // The open page follows.
  await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
  expect(await findViolations(page)).toEqual([])
  const words = await page.getByRole('main').innerText()
  await page.goto(`${service().url}/c/${'a'.repeat(22)}`)
  expect(await page.getByRole('main').innerText()).toBe(words)
})

test('answers that are cut are asked for again, and the check is made once', async ({ browser }) => {
  const link = await makeLink({ externalReference: 'cut-1' })
  const page = await openOn(browser, PHONE, link.url)
  let cuts = 0
  // The service has done its part each time; the browser never learns of it.
  await page.route(/\/check(?:\/[^/]+\/otp-challenge)?$/, async (route) => {
    if (route.request().method() !== 'POST' || cuts >= 2) return route.fallback()
    cuts += 1
    await route.fetch()
    await route.abort('connectionreset')
  })
  await sendDetails(page)
  const again = page.getByRole('button', { name: 'Try again' })
  const code = page.getByRole('heading', { name: 'Check your phone' })
  await expect(again.or(code)).toBeVisible()
  if (await again.isVisible()) await again.click()
  await typeCode(page, TEST_MODE_CODE)
  const report = page.getByRole('heading', { name: 'Your credit report' })
  await expect(again.or(report)).toBeVisible()
  if (await again.isVisible()) await again.click()
  await expect(report).toBeVisible()
  expect(cuts).toBe(2)
  const reports = await call('/demo-lender/v1/credit-reports?externalReference=cut-1')
  expect(reports.body.data.creditReports).toHaveLength(1)
  expect(await statusOf(link)).toBe('complete')
})

test('inside an app, without printing, new windows or storage for scripts, it comes to its end', async ({
  browser,
}) => {
  const link = await makeLink()
  const context = await browser.newContext(PHONE)
  devices.push(context)
  context.on('weberror', (error) => errors.push(error.error().message))
  await context.addInitScript(() => {
    Object.assign(window, { print: undefined, open: () => null })
    for (const store of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, store, {
        get() {
          throw new DOMException('not here', 'SecurityError')
        },
      })
  })
  const page = await context.newPage()
  await page.goto(link.url)
  await sendDetails(page)
  await typeCode(page, TEST_MODE_CODE)
  await expect(page.getByRole('heading', { name: 'Your credit report' })).toBeVisible()
  await expect(page.getByText('You can close this page.')).toBeVisible()
  expect(context.pages()).toHaveLength(1)
})

test('a used link shows nothing of the report to another device', async ({ browser }) => {
  const link = await makeLink()
  const own = await openOn(browser, PHONE, link.url)
  await sendDetails(own)
  await typeCode(own, TEST_MODE_CODE)
  await expect(own.getByRole('heading', { name: 'Your credit report' })).toBeVisible()
  const other = await openOn(browser, DESK, link.url)
  await expect(other.getByRole('button', { name: 'Open my report' })).toBeVisible()
  await expect(other.getByRole('heading', { name: 'Continue on your phone' })).toBeHidden()
  expect(await other.getByRole('main').innerText()).not.toContain('Orchard')
  expect(await findViolations(other)).toEqual([])
})
