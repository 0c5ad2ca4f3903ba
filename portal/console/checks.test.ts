// Finding a check and reading what happened to it, as a lender's staff do.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GenerateRequest } from '../../contract/generate.ts'
import { shortReference, spacedReference } from '../../contract/short-reference.ts'
import { SAM, startTestService, type TestService } from '../../testing/portal-service.ts'
import { type TestBrowser, wordsOf } from '../../testing/service-browser.ts'
import { liveRequest, testRequest } from '../../testing/test-app.ts'

let service: TestService
let browser: TestBrowser
const REFERENCE = 'application 7'
let live: { id: string; requestId: string }
let blockedTest: { id: string; requestId: string }
let theirs: { id: string; requestId: string }

beforeAll(async () => {
  service = await startTestService()
  live = await generate({ ...liveRequest(), externalReference: REFERENCE })
  blockedTest = await generate({ ...testRequest('block'), externalReference: 'application 8' })
  theirs = await generate({ ...testRequest('allow'), externalReference: 'application 9' }, 'other')
  browser = service.browser()
  await browser.signIn(...SAM, '/console')
})
afterAll(() => service.stop())

async function generate(request: GenerateRequest, lender = 'demo') {
  service.time.nowMs += 1
  const response = await service.generate(request, lender)
  const { data } = await response.json()
  return { id: data.creditReportId, requestId: response.headers.get('X-Request-Id') ?? '' }
}

const words = async (path: string) => wordsOf((await browser.visit(path)).text)
const find = (typed: string) => browser.visit(`/console/checks?reference=${encodeURIComponent(typed)}`)

test('one box takes anything that names a check, and one hit leads straight to it', async () => {
  const short = shortReference(live.id)
  const spoken = spacedReference(live.id).toLowerCase()
  const named = [short, spoken, live.id, live.id.slice(0, -2), live.requestId, REFERENCE]
  for (const typed of named)
    expect([typed, (await find(typed)).url.pathname]).toEqual([typed, `/console/checks/${live.id}`])
  expect((await find(shortReference(blockedTest.id))).url.pathname).toBe(`/console/checks/${blockedTest.id}`)
})

test('several hits are listed, and none is said in words with the box', async () => {
  const several = await find('application')
  expect(wordsOf(several.text)).toContain('Checks found')
  for (const { id } of [live, blockedTest]) expect(several.text).toContain(`href="/console/checks/${id}"`)
  expect(several.text).not.toContain(theirs.id)
  const none = await find('<b>other</b>')
  expect(wordsOf(none.text)).toContain('No check of this lender has this reference.')
  expect(none.text).toContain('value="&lt;b&gt;other&lt;/b&gt;"')
})

test('another lender’s check is not found by anything, nor shown', async () => {
  for (const typed of [theirs.id, shortReference(theirs.id), theirs.requestId, 'application 9']) {
    expect(wordsOf((await find(typed)).text)).toContain('No check found')
  }
})

test.each(['nothing', '%3Cscript%3E', 'theirs', '01a1de6f-5280-79b0-9af1-c99f52c5233c'])(
  'the id %s is answered with 404 in words and the box',
  async (id) => {
    const { response, text } = await browser.visit(`/console/checks/${id === 'theirs' ? theirs.id : id}`)
    expect(response.status).toBe(404)
    expect(wordsOf(text)).toContain('No such check No check of this lender has this id.')
    expect(text).toContain('name="reference"')
    expect(text).not.toContain('application 9')
  },
)

test('one check: what to tell the consumer, what happened, references, cost, and a text for support', async () => {
  const { text } = await browser.visit(`/console/checks/${live.id}`)
  const page = wordsOf(text)
  expect(page).toContain(`Check ${spacedReference(live.id)} Waits for the code Live`)
  expect(page).toContain('We are waiting for the code that we sent to your phone.')
  expect(page).toContain('Check requested from Equifax and Experian.')
  expect(page).toContain('Text 1 was delivered.')
  for (const reference of [REFERENCE, live.id, live.requestId]) expect(page).toContain(reference)
  expect(page).toContain('Credit report In progress, held £0.00')
  expect(page).toContain('Text message 1 Delivered £0.04 40 credits')
  expect(page).toContain('Charged £0.04 40 credits')
  expect(page).toContain(`Check ${spacedReference(live.id)} (live) Credit report id: ${live.id}`)
  const { lastName, mobileNumber = '', dateOfBirth } = liveRequest()
  for (const fact of [lastName, mobileNumber, dateOfBirth]) expect(text).not.toContain(fact)
})

test('a test check has its page, and costs nothing', async () => {
  const page = await words(`/console/checks/${blockedTest.id}`)
  expect(page).toContain('Blocked Risk assessment Test')
  expect(page).toContain('A test check costs nothing.')
})

test.each([
  ['', true],
  ['mode=live', true],
  ['mode=test', false],
  ['status=authentication-required', true],
  ['status=complete', false],
  ['reason=risk', false],
])('the list with %j shows the live check: %j', async (query, isShown) => {
  const { text } = await browser.visit(`/console/checks?${query}`)
  expect(text.includes(`href="/console/checks/${live.id}"`)).toBe(isShown)
})

test('filters stay chosen, and lead on to the other mode', async () => {
  const day = new Date(service.time.nowMs).toISOString().slice(0, 10)
  const { text } = await browser.visit('/console/checks?mode=test&status=blocked&reason=risk')
  expect(text).toContain(`href="/console/checks/${blockedTest.id}"`)
  expect(text).toContain('<option value="risk" selected>')
  expect(text).toContain('href="/console/checks?status=blocked&amp;reason=risk&amp;mode=live"')
  expect(await words('/console/checks?to=2001-01-01')).toContain('No check matches.')
  expect((await browser.visit(`/console/checks?from=${day}&to=${day}`)).response.status).toBe(200)
})

test.each([
  'after=',
  'after=nonsense',
  'status=done',
  'reason=%3Cb%3E',
  'from=2026-02-30',
  'from=2026-02-02&to=2026-02-01',
])('an address that was edited by hand (%s) is refused in words', async (query) => {
  const { response, text } = await browser.visit(`/console/checks?${query}`)
  expect(response.status).toBe(400)
  expect(wordsOf(text)).toContain('This address is not complete, or was edited. Choose again below.')
})

test('hostile references are text, on every page that shows them', async () => {
  const hostile = ['=cmd|calc', '"><img src=x>', `long-${'x'.repeat(195)}`]
  for (const externalReference of hostile) {
    const { id } = await generate({ ...testRequest('allow'), externalReference })
    for (const path of ['/console/checks?mode=test', `/console/checks/${id}`]) {
      const { text } = await browser.visit(path)
      expect(wordsOf(text).replaceAll('&quot;', '"').replaceAll('&gt;', '>').replaceAll('&lt;', '<')).toContain(
        externalReference,
      )
      expect(text).not.toContain('<img')
    }
    expect((await find(externalReference)).url.pathname).toBe(`/console/checks/${id}`)
  }
})
