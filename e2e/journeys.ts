// The demo's table of journeys, played in a real browser by labels, buttons and headings, nothing else.
import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { fillIn } from './fill-in.ts'

type Step =
  | { do: 'code'; code: 'right' | 'wrong' }
  | { do: 'resend' | 'reload' | 'another-tab' | 'close' }
  | { do: 'wait'; seconds: number }
  | { do: 'date-of-birth'; date: 'right' | 'wrong' }

/** As `dist/demo/journeys.json` has it; the demo's own source says what each part means. */
export type Journey = {
  id: string
  group: string
  title: string
  stage: string
  branch?: string
  scenario?: string
  lastName?: string
  fingerprint?: string
  search?: string
  isUnsent?: boolean
  steps: Step[]
  ends: { heading: string; events: string[]; errorCode?: string; costCredits: number; records?: number }
}

export const journeys: Journey[] = JSON.parse(readFileSync('dist/demo/journeys.json', 'utf8'))

/** Stages where every run has a mount of its own. */
const OWN_MOUNTS = ['live', 'known', 'no-funds', 'no-credits', 'rate-limited', 'wrong-secret']
const WRONG_CODE = '000000'
export const TEST_MODE_CODE = '123456'

export function endpointOf({ stage, branch, scenario }: Journey, label: string): string {
  const mount = `/preview/credit-reports/${stage}`
  return OWN_MOUNTS.includes(stage) ? `${mount}/${label}` : `${mount}/test/${branch}/${scenario}/${label}`
}

export type Heard = { name: string; detail: { code?: string; creditReportId?: string } }

/** Opens the journey's page and begins to listen to the widget. */
export async function openJourney(page: Page, journey: Journey, label: string): Promise<Heard[]> {
  const heard: Heard[] = []
  await page.exposeFunction('hear', (event: Heard) => heard.push(event))
  await page.addInitScript(() => {
    const names = ['challenged', 'complete', 'blocked', 'failed', 'expired', 'error']
    for (const name of names) {
      document.addEventListener(`credit-report-${name}`, (event) =>
        Reflect.get(window, 'hear')({ name, detail: Reflect.get(event, 'detail') }),
      )
    }
  })
  const query = new URLSearchParams({ endpoint: endpointOf(journey, label) })
  if (journey.fingerprint) query.set('fingerprint', journey.fingerprint)
  if (journey.search) query.set('search', journey.search)
  await page.goto(`/preview/host?${query}`)
  return heard
}

/** Fills in everything and sends it. */
export async function sendDetails(page: Page, who?: { lastName?: string | undefined }): Promise<void> {
  await giveDetails(page, who)
  await sendAddress(page)
}

async function giveDetails(
  page: Page,
  { lastName = 'Example' }: { lastName?: string | undefined } = {},
): Promise<void> {
  await fillIn(page.locator('credit-report-widget'), {
    'First name': 'Sam',
    'Last name': lastName,
    Day: '27',
    Month: '3',
    Year: '1985',
    'UK mobile number': '07700 900123',
  })
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'Where do you live?' })).toBeVisible()
}

async function sendAddress(page: Page): Promise<void> {
  const widget = page.locator('credit-report-widget')
  await page.getByLabel('Postcode').fill('SW1A 1AA')
  // The shop finds addresses; the stages of the preview leave it to the consumer.
  const find = page.getByRole('button', { name: 'Find address' })
  if (await find.isVisible()) {
    await find.click()
    await page.getByLabel('Choose your address').selectOption({ index: 1 })
  } else {
    await fillIn(widget, { 'Building number': '10', Street: 'Orchard Lane', 'Town or city': 'Ambleford' })
  }
  await fillIn(widget, { Month: '5', Year: '2019' })
  await page.getByRole('button', { name: 'Continue' }).click()
  await agree(page)
}

async function agree(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Check your answers' })).toBeVisible()
  await page.getByRole('button', { name: 'Agree and check my credit report' }).click()
}

/** Types a code and waits for what it leads to. */
export async function typeCode(page: Page, code: string): Promise<void> {
  const answered = page.waitForResponse((response) => response.url().endsWith('/otp-challenge'))
  await page.getByLabel('Security code').fill(code)
  await page.getByRole('button', { name: 'Continue' }).click()
  await answered
}

/** Opens a locked report. */
export async function giveDate(page: Page, day: string): Promise<void> {
  const answered = page.waitForResponse((response) => response.url().endsWith('/current/open'))
  await fillIn(page.locator('credit-report-widget'), { Day: day, Month: '3', Year: '1985' })
  await page.getByRole('button', { name: 'Open my report' }).click()
  await answered
}

/** Moves the clocks, then comes back to the page. */
async function putDownPhone(page: Page, stage: string, seconds: number): Promise<void> {
  const response = await page.request.post('/preview/clock', { data: { stage, seconds } })
  expect(response.ok()).toBe(true)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
}

export async function playJourney(page: Page, journey: Journey, heard: readonly Heard[]): Promise<void> {
  if (journey.isUnsent) await giveDetails(page, journey)
  else if (journey.stage === 'known') {
    await page.getByRole('button', { name: 'Continue' }).click()
    await agree(page)
  } else await sendDetails(page, journey)
  if (journey.branch === 'challenge')
    await expect(page.getByRole('heading', { name: 'Check your phone' })).toBeVisible()
  else if (journey.steps.length > 0 && !journey.isUnsent) await expect.poll(() => heard.length).toBeGreaterThan(0)
  for (const step of journey.steps) {
    if (step.do === 'code')
      await typeCode(page, step.code === 'wrong' ? WRONG_CODE : await rightCode(page, journey, heard))
    if (step.do === 'another-tab') await page.evaluate(() => sessionStorage.clear())
    if (step.do === 'another-tab' || step.do === 'reload') await page.reload()
    if (step.do === 'close') await page.getByRole('button', { name: 'Close my report' }).click()
    if (step.do === 'date-of-birth') await giveDate(page, step.date === 'right' ? '27' : '28')
    if (step.do === 'wait') await putDownPhone(page, journey.stage, step.seconds)
    if (step.do === 'resend') {
      await page.getByRole('button', { name: 'Send a new code' }).click()
      await expect(page.getByText('We have sent a new code')).toBeVisible()
    }
  }
}

async function rightCode(page: Page, { stage }: Journey, heard: readonly Heard[]): Promise<string> {
  if (stage !== 'live') return TEST_MODE_CODE
  const creditReportId = heard.find(({ name }) => name === 'challenged')?.detail.creditReportId ?? ''
  const response = await page.request.get('/preview/texts', { params: { creditReportId } })
  const [newest] = (await response.json()) as { body: string }[]
  return /\b\d{6}\b/.exec(newest?.body ?? '')?.[0] ?? ''
}
