import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Draft } from '../../contract/tenant-proxy.ts'
import { ProxyReport } from '../../contract/tenant-proxy.ts'
import { createTestBrowser, type TestBrowser } from '../../testing/proxy-browser.ts'
import { createTestMount, refused, type TestMount } from '../../testing/proxy-mount.ts'

const TAB = { 'X-Credit-Report-Tab': 'tab-1' }
const NO_TAB = { 'X-Credit-Report-Tab': '' }
const MINUTE_MS = 60_000
const SECRET = 'the old secret, of 32 characters or more'

const draft: Draft = {
  id: 'draft-1',
  step: 'address',
  index: 0,
  person: { firstName: 'Sam', lastName: 'O’Patel', day: '27', month: '3', year: '1985', email: 'sam@' },
  addresses: [{ postcode: 'LS1' }],
  abroadBefore: false,
  about: '',
}

let at: TestMount
beforeEach(async () => {
  at = await createTestMount()
})
afterEach(() => at.service.stop())

const save = (browser: TestBrowser, change: object = {}, headers: Record<string, string> = TAB) =>
  browser.post('/credit-reports/draft', { ...draft, ...change }, headers)

async function readBack(
  browser: TestBrowser,
  headers: Record<string, string> = TAB,
  mount = '/credit-reports',
): Promise<Draft | null | undefined> {
  return ProxyReport.parse(await (await browser.get(`${mount}/current`, headers)).json()).meta.draft
}

const cookieOf = (browser: TestBrowser) => [...browser.cookies].find(([name]) => name.includes('-draft'))

describe('a draft', () => {
  test('comes back to the tab that typed it', async () => {
    const response = await save(at.browser)
    expect([response.status, await response.text()]).toEqual([204, ''])
    expect(await readBack(at.browser)).toEqual(draft)
  })

  test('is null where there is none', async () => {
    expect(await readBack(at.browser)).toBeNull()
  })

  test('lies in a cookie that scripts cannot read, for the mount alone and for 30 minutes', async () => {
    await save(at.browser)
    const [name, cookie] = cookieOf(at.browser) ?? []
    expect(name).toBe('__Secure-credit-report-draft /credit-reports')
    expect(cookie?.header.replace(/=[^;]+/, '=…')).toBe(
      '__Secure-credit-report-draft=…; Path=/credit-reports; HttpOnly; SameSite=Strict; Secure; Max-Age=1800',
    )
    expect(Buffer.from(cookie?.value ?? '', 'base64url').toString()).not.toContain('Patel')
  })

  test('lies in a cookie without "Secure" on a developer’s machine', async () => {
    const browser = createTestBrowser(at.proxy, { origin: 'http://localhost:3000' })
    await save(browser)
    const [name, cookie] = cookieOf(browser) ?? []
    expect(name).toBe('credit-report-draft /credit-reports')
    expect(cookie?.header).toContain('; SameSite=Strict; Max-Age=1800')
    expect(await readBack(browser)).toEqual(draft)
  })

  test.each([
    [30 * MINUTE_MS - 1, draft],
    [30 * MINUTE_MS, null],
  ])('%i ms later', async (passed, expected) => {
    await save(at.browser)
    at.nowMs += passed
    expect(await readBack(at.browser)).toEqual(expected)
  })

  test('is another tab’s: nothing; nor is it anyone’s who names no tab', async () => {
    await save(at.browser)
    expect(await readBack(at.browser, { 'X-Credit-Report-Tab': 'tab-2' })).toBeNull()
    expect(await readBack(at.browser, NO_TAB)).toBeNull()
  })

  test('of each of two tabs comes back to its own, and ends with its own', async () => {
    const other = { 'X-Credit-Report-Tab': 'tab-2' }
    await save(at.browser)
    await save(at.browser, { id: 'draft-2' }, other)
    expect(await readBack(at.browser)).toEqual(draft)
    expect(await readBack(at.browser, other)).toMatchObject({ id: 'draft-2' })
    await at.browser.delete('/credit-reports/draft', other)
    expect(await readBack(at.browser, other)).toBeNull()
    expect(await readBack(at.browser)).toEqual(draft)
  })

  test('of a third tab takes the place of the oldest', async () => {
    for (const tab of ['tab-1', 'tab-2', 'tab-3']) await save(at.browser, { id: tab }, { 'X-Credit-Report-Tab': tab })
    const ids = []
    for (const tab of ['tab-1', 'tab-2', 'tab-3'])
      ids.push((await readBack(at.browser, { 'X-Credit-Report-Tab': tab }))?.id)
    expect(ids).toEqual([undefined, 'tab-2', 'tab-3'])
  })

  test('of a browser that names no tab is not kept, and takes what was kept with it', async () => {
    await save(at.browser)
    await save(at.browser, {}, NO_TAB)
    expect(cookieOf(at.browser)).toBeUndefined()
  })

  test('that was altered is ignored without a word', async () => {
    await save(at.browser)
    const [name = '', cookie] = cookieOf(at.browser) ?? []
    if (!cookie) throw new Error('no cookie')
    const value = cookie.value.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')).replace(/^./, 'x')
    at.browser.cookies.set(name, { ...cookie, value })
    expect(await readBack(at.browser)).toBeNull()
    expect(at.events).toEqual([])
  })

  test('opens with a secret that is being replaced, not with another', async () => {
    at.mount({ cookieSecret: SECRET })
    await save(at.browser)
    const { cookies } = at.browser
    at.mount({ cookieSecret: ['a new secret, of 32 characters or more', SECRET] })
    for (const [name, cookie] of cookies) at.browser.cookies.set(name, cookie)
    expect(await readBack(at.browser)).toEqual(draft)
    at.mount({ cookieSecret: 'a new secret, of 32 characters or more' })
    for (const [name, cookie] of cookies) at.browser.cookies.set(name, cookie)
    expect(await readBack(at.browser)).toBeNull()
  })

  test.each([
    ['lender', { tenantId: 'another-lender' }],
    ['mode', { test: true }],
    ['origin', { origins: ['https://staging.lender.example'] }],
  ])('of another %s is ignored without a word', async (_what, options) => {
    at.mount({ cookieSecret: SECRET })
    await save(at.browser)
    const { cookies } = at.browser
    at.mount({ cookieSecret: SECRET, ...options })
    for (const [name, cookie] of cookies) at.browser.cookies.set(name, cookie)
    expect(await readBack(at.browser)).toBeNull()
    expect(at.events.filter(({ type }) => type === 'misconfigured' || type === 'refused')).toEqual([])
  })

  test('of another mount is ignored, also when its cookie is sent there', async () => {
    at.mount({ cookieSecret: SECRET })
    await save(at.browser)
    const value = cookieOf(at.browser)?.[1]
    at.mount({ cookieSecret: SECRET, path: '/second' })
    if (value) at.browser.cookies.set('__Secure-credit-report-draft /second', { ...value, path: '/second' })
    expect(await readBack(at.browser, TAB, '/second')).toBeNull()
  })

  test('does not open as a ticket, nor a ticket as a draft', async () => {
    await at.begin()
    const ticket = [...at.browser.cookies].find(([name]) => name === '__Host-credit-report /')?.[1]
    if (!ticket) throw new Error('no ticket')
    at.browser.cookies.set('__Secure-credit-report-draft /credit-reports', { ...ticket, path: '/credit-reports' })
    expect(await readBack(at.browser)).toBeNull()
  })
})

describe('how much is kept', () => {
  const long = (length: number) => 'ŵ'.repeat(length)
  const address = {
    subBuildingName: 'Flat 12, Staircase B',
    buildingName: 'Llanfairpwllgwyngyll House',
    buildingNumber: '1234',
    thoroughfare: 'Great Western Dockside Boulevard North',
    district: 'Royal Wootton Bassett St Mary',
    townOrCity: 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch',
    postcode: 'LL61 5UJ',
    movedMonth: 'September',
    movedYear: '2023',
  }
  const person = {
    title: 'Professor',
    firstName: 'Maximiliana-Alexandrina',
    middleName: 'Wilhelmina Bartholomea Gwenllian',
    lastName: 'Featherstonehaugh-Cholmondeley-Warner',
    day: '27',
    month: 'September',
    year: '1985',
    mobileNumber: '+44 (0) 7700 900 123',
    email: 'maximiliana.featherstonehaugh-cholmondeley-warner@department.university.example',
  }

  test('four long names and three long addresses fit, with a third of the cookie to spare', async () => {
    await save(at.browser, { person, addresses: [address, address, address], about: ',,,' })
    expect(cookieOf(at.browser)?.[1].header.length).toBeLessThan(2_750)
    expect(await readBack(at.browser)).toMatchObject({ person, addresses: [address, address, address] })
  })

  test('what no cookie can carry is not kept, and nothing older comes back instead', async () => {
    await save(at.browser)
    const inputs = Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [`input${'abcdefghi'[index]}`, long(300)]),
    )
    expect((await save(at.browser, { person: inputs })).status).toBe(204)
    expect(await readBack(at.browser)).toBeNull()
  })

  test.each([
    ['a longer text than any input takes', { person: { firstName: long(301) } }],
    ['an input by a name that is none', { person: { 'a b': 'x' } }],
    ['something that is no text', { person: { firstName: { deep: true } } }],
    ['another step', { step: 'report' }],
    ['eleven addresses', { addresses: Array.from({ length: 11 }, () => ({})) }],
  ])('%s is refused', async (_what, change) => {
    expect(await refused(await save(at.browser, change))).toMatchObject({ status: 400, code: 'validation-error' })
  })

  test('of what else is sent, nothing is kept', async () => {
    await save(at.browser, { consent: { ticked: true }, agreed: true })
    expect(await readBack(at.browser)).toEqual(draft)
  })

  test('the cookie goes to the browser that wrote it and to no other', async () => {
    await save(at.browser)
    const seen = { step: 'details', seconds: 0 }
    const response = await createTestBrowser(at.proxy).post('/credit-reports/steps', seen)
    expect([response.status, response.headers.getSetCookie()]).toEqual([204, []])
  })

  test('another page cannot write one', async () => {
    const foreign = { Origin: 'https://elsewhere.example', 'Sec-Fetch-Site': 'cross-site' }
    expect((await save(at.browser, {}, { ...TAB, ...foreign })).status).toBe(403)
    expect((await at.browser.delete('/credit-reports/draft', foreign)).status).toBe(403)
  })

  test('drafts are limited apart from the check, and say nothing to the log but that', async () => {
    at.mount({ limits: { generatesMax: 5, writesMax: 2 } })
    const statuses = []
    for (let time = 0; time < 3; time += 1) statuses.push((await save(at.browser)).status)
    expect(statuses).toEqual([204, 204, 429])
    expect(at.events).toEqual([{ type: 'refused', operation: 'draft', code: 'rate-limited' }])
    expect((await at.browser.generate()).status).toBe(200)
  })
})

describe('the end of a draft', () => {
  beforeEach(() => save(at.browser))

  test('the consumer starts again', async () => {
    expect((await at.browser.delete('/credit-reports/draft')).status).toBe(204)
    expect(cookieOf(at.browser)).toBeUndefined()
  })

  test('another check begins, or the report is closed', async () => {
    await at.browser.delete('/credit-reports/current?forget=1')
    expect(cookieOf(at.browser)).toBeUndefined()
  })

  test.each([['allow'], ['block']] as const)('a check that ends at once (%s)', async (branch) => {
    at.service.branch = branch
    const response = await at.browser.generate()
    expect(response.headers.getSetCookie()).toHaveLength(2)
    expect(cookieOf(at.browser)).toBeUndefined()
  })

  test('the right code', async () => {
    const { base, challengeId } = await at.begin()
    expect(await readBack(at.browser)).toEqual(draft)
    await at.browser.post(`${base}/otp-challenge`, { challengeId, code: '123456' })
    expect(cookieOf(at.browser)).toBeUndefined()
    expect([...at.browser.cookies.keys()]).toContain('__Host-credit-report /')
  })

  test('three wrong codes', async () => {
    const { base, challengeId } = await at.begin()
    for (let time = 0; time < 3; time += 1) {
      expect(cookieOf(at.browser)).toBeDefined()
      await at.browser.post(`${base}/otp-challenge`, { challengeId, code: '000000' })
    }
    expect(cookieOf(at.browser)).toBeUndefined()
  })

  test('one that came late, after the end, is neither shown nor kept', async () => {
    at.service.branch = 'block'
    await at.browser.generate()
    await save(at.browser)
    expect(await readBack(at.browser)).toBeNull()
    expect(cookieOf(at.browser)).toBeUndefined()
  })

  test('a browser without one gets no second cookie', async () => {
    const other = createTestBrowser(at.proxy)
    at.service.branch = 'block'
    expect((await other.generate()).headers.getSetCookie()).toHaveLength(1)
  })
})
