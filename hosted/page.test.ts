// A link on one device, on two, and with everything that can go wrong between them.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type HostedService, startHosted } from '../testing/hosted-link.ts'
import { sampleDetails } from '../testing/proxy-service.ts'

let app: HostedService
beforeAll(async () => {
  app = await startHosted()
})
afterAll(() => app.stop())

const BORN = sampleDetails.dateOfBirth
const TEST_CODE = '123456'

test('a check in test mode at a live lender: form, code, report, a link that says so, and no charge', async () => {
  const before = await app.captures()
  const { linkId, url } = await app.link({ test: true, externalReference: 'order-1' })
  const device = app.device(url)
  expect((await device.open()).text).toContain('<h1>Credit check for Wrenfield</h1>')
  expect(await app.read(linkId)).toMatchObject({ status: 'new', test: true })
  const begun = await device.check()
  expect(begun.body.data).toMatchObject({ status: 'authentication-required' })
  const { creditReportId } = begun.body.data
  const check = { creditReportId, status: 'authentication-required' }
  expect(await app.read(linkId)).toMatchObject({ status: 'started', check })
  const done = await device.code(begun.body, TEST_CODE)
  expect(done.body.data).toMatchObject({ status: 'complete', creditReport: expect.any(Object) })
  expect(await app.read(linkId)).toMatchObject({
    status: 'complete',
    externalReference: 'order-1',
    openedAt: expect.any(String),
    check: { creditReportId, status: 'complete' },
  })
  const report = await app.call(`GET /credit-reports/${creditReportId}`)
  expect(report.body.data).toMatchObject({ externalReference: 'order-1', test: true })
  expect(await app.captures()).toBe(before)
})

test('the browser carries one short cookie, whatever it opens', async () => {
  const first = app.device((await app.link()).url)
  await first.open()
  await first.check()
  expect([...first.cookies.values()].map(({ header }) => header)).toEqual([
    expect.stringMatching(/^__Host-hosted=[\w-]{22}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=86400$/),
  ])
})

test('a second device starts blank before the check, and asks for the date of birth after it', async () => {
  const { url } = await app.link()
  const [one, two] = [app.device(url), app.device(url)]
  await one.open()
  await one.get(`${new URL(url).pathname}/check/current`)
  expect((await two.open()).text).toContain('If you did not expect it, ask Wrenfield')
  await two.get(`${new URL(url).pathname}/check/current`)
  expect((await one.open()).text).toContain(
    'opened on another device. If that was not you, ask Wrenfield for a new link.',
  )
  expect(await one.state()).toMatchObject({ isElsewhere: true, isOthers: false })
  const begun = await one.check()
  expect(await two.state()).toMatchObject({ status: 'started', isOthers: true, isOwn: false })
  // The form of the second device is not sent: the page has to be loaded again.
  expect(await two.check({ firstName: 'Other' })).toMatchObject({ status: 410, body: { code: 'start-refused' } })
  const asked = (await two.open()).text
  expect(asked).toContain('Is this your check?')
  // A browser that fills in its owner’s birthday would open the check of someone else on a shared device.
  expect(asked.match(/autocomplete="[^"]*"/g)).toEqual(Array(3).fill('autocomplete="off"'))
  expect((await two.giveBirth('1990-01-01')).text).toContain('2 tries are left')
  expect((await two.giveBirth(BORN)).text).toContain('<credit-report-widget')
  const current = await (await two.get(`${new URL(url).pathname}/check/current`)).json()
  expect(current.data).toMatchObject({ status: 'authentication-required' })
  expect((await two.code(begun.body, TEST_CODE)).body.data.status).toBe('complete')
  expect(await one.state()).toMatchObject({ status: 'complete' })
})

test('after three wrong dates of birth no other device gets in, and the first goes on', async () => {
  const { url } = await app.link()
  const [one, two] = [app.device(url), app.device(url)]
  await one.open()
  const begun = await one.check()
  for (const wrong of ['1990-01-01', '1990-01-02', '1990-01-03']) await two.giveBirth(wrong)
  expect((await two.giveBirth(BORN)).text).toContain('This check cannot be opened here')
  expect((await app.device(url).open()).text).toContain('This check cannot be opened here')
  expect((await one.open()).text).toContain('<credit-report-widget')
  expect((await one.code(begun.body, TEST_CODE)).body.data.status).toBe('complete')
})

test('a forwarded link shows a completed check to no one but who knows the date of birth', async () => {
  const { url } = await app.link()
  const mount = `${new URL(url).pathname}/check`
  const [one, two, three] = [app.device(url), app.device(url), app.device(url)]
  await one.open()
  await one.code((await one.check()).body, TEST_CODE)
  await two.open()
  const closed = await (await two.get(`${mount}/current`)).json()
  expect(closed.data).toMatchObject({ status: 'complete', closed: true })
  expect(JSON.stringify(closed)).not.toContain('Orchard')
  const tried = async (device: typeof two, dateOfBirth: string) =>
    device.post(`${mount}/current/open`, { dateOfBirth }, { 'Sec-Fetch-Site': 'same-origin' })
  expect((await (await tried(two, '1990-01-01')).json()).data).not.toHaveProperty('creditReport')
  expect((await (await tried(two, BORN)).json()).data).toHaveProperty('creditReport')
  await three.open()
  for (const wrong of ['1990-01-01', '1990-01-02']) await tried(three, wrong)
  expect((await tried(three, BORN)).status).toBe(410)
  expect((await one.open()).text).toContain('<credit-report-widget')
})

test('unknown, expired and revoked links read the same, to the byte', async () => {
  const [expired, revoked] = [await app.link({ expiresInMinutes: 5, test: true }), await app.link()]
  await app.call(`DELETE /links/${revoked.linkId}`)
  app.time.nowMs += 5 * 60_000
  const unknown = `${new URL(revoked.url).origin}/c/AAAAAAAAAAAAAAAAAAAAAA`
  const pages = await Promise.all([unknown, expired.url, revoked.url].map((url) => app.device(url).open()))
  expect(pages[0]).toMatchObject({ status: 404, text: expect.stringContaining('Ask the company that sent it to you') })
  expect(pages[1]).toEqual(pages[0])
  expect(pages[2]).toEqual(pages[0])
  expect(await app.read(expired.linkId)).toMatchObject({ status: 'expired' })
  expect(await app.read(revoked.linkId)).toMatchObject({ status: 'revoked' })
  expect((await app.device(expired.url).check()).status).toBe(410)
})

test('a check that has begun is completed after its link expired, and not after it was revoked', async () => {
  const links = [await app.link({ expiresInMinutes: 5, test: true }), await app.link()]
  const begun = await Promise.all(
    links.map(async ({ url }) => {
      const device = app.device(url)
      await device.open()
      return { device, body: (await device.check()).body }
    }),
  )
  app.time.nowMs += 4 * 60_000 + 59_000
  await app.call(`DELETE /links/${links[1]?.linkId}`)
  app.time.nowMs += 1_000
  const ends = await Promise.all(begun.map(({ device, body }) => device.code(body, TEST_CODE)))
  expect(ends.map(({ body }) => body.data?.status ?? body.code)).toEqual(['complete', 'start-refused'])
})

test('of a thousand tokens guessed in a minute sixty are looked up, and no one is disturbed elsewhere', async () => {
  const { url } = await app.link()
  const guesser = app.device(url)
  const lookUp = vi.spyOn(app.database, 'first')
  for (let guess = 0; guess < 1_000; guess += 1)
    expect((await guesser.get(`/c/${randomBytes(16).toString('base64url')}`)).status).toBe(404)
  expect(lookUp.mock.calls.filter(([sql]) => sql.includes('token_hash'))).toHaveLength(60)
  lookUp.mockRestore()
  const own = app.device(url)
  const address = own.address
  own.address = guesser.address
  expect((await own.open()).status).toBe(404)
  own.address = address
  expect((await own.open()).status).toBe(200)
  app.time.nowMs += 60_000
  expect((await guesser.open()).status).toBe(200)
})

test('a check that was completed as the process ended leaves a plain end, and is not made again', async () => {
  const before = await app.captures()
  const { url } = await app.link({})
  const device = app.device(url)
  await device.open()
  expect((await device.check({ lastName: 'Allow' })).body.data.status).toBe('complete')
  await app.database.run('DELETE FROM hosted_visit')
  expect((await device.open()).text).toContain('<h1>Your check is complete</h1>')
  expect((await device.check({ lastName: 'Allow', firstName: 'Other' })).status).toBe(410)
  expect((await app.captures()) - before).toBe(1)
})

test('a check that ended without a report can be begun again, five times in all', async () => {
  const { linkId, url } = await app.link({})
  const device = app.device(url)
  await device.open()
  for (let round = 0; round < 5; round += 1) {
    const { body } = await device.check({ lastName: 'Block', firstName: `Sam${'abcde'[round]}` })
    expect(body.data?.status).toBe('blocked')
  }
  expect(await app.read(linkId)).toMatchObject({ status: 'started', check: { status: 'blocked' } })
  expect((await device.check({ lastName: 'Block', firstName: 'Samf' })).status).toBe(410)
})

test.each(['/', '/%2E/'])('a path that ends in %j begins a check as the page does, five times in all', async (end) => {
  const { url } = await app.link({})
  const device = app.device(url)
  await device.open()
  const mount = `${new URL(url).pathname}/check`
  await device.get(`${mount}/current`)
  const begun: number[] = []
  for (let round = 0; round < 6; round += 1) {
    // The proxy's own limit counts by address.
    device.address = `198.51.100.${round}`
    const details = { ...sampleDetails, lastName: 'Block', firstName: `Sam${'abcdef'[round]}`, sessionId: 'none' }
    begun.push((await device.post(mount + end, details)).status)
  }
  expect(begun).toEqual([200, 200, 200, 200, 200, 410])
})

test('an answer that was lost is given again, and nothing is begun twice', async () => {
  const { url } = await app.link({})
  const device = app.device(url)
  await device.open()
  const key = { 'Idempotency-Key': 'a-key-of-this-press' }
  const first = await device.check({ lastName: 'Lost' }, key)
  const again = await device.check({ lastName: 'Lost' }, key)
  expect(again.body.data.creditReportId).toBe(first.body.data.creditReportId)
})

test('without its cookie a browser begins nothing', async () => {
  const device = app.device((await app.link()).url)
  device.keepsCookies = false
  await device.open()
  expect(await device.check()).toMatchObject({ status: 403, body: { code: 'cookies-required' } })
})

test('what the page of another site sends is refused', async () => {
  const device = app.device((await app.link()).url)
  await device.open()
  const foreign = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
  expect(await device.check({}, foreign)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
})

test('a known applicant is shown, and what the browser says instead does not count', async () => {
  const person = { firstName: 'Known', lastName: 'Person', dateOfBirth: '1980-05-05' }
  const { url } = await app.link({ test: true, start: { person } })
  const device = app.device(url)
  const start = /start="([^"]+)"/.exec((await device.open()).text)?.[1] ?? ''
  const headers = { 'X-Credit-Report-Start': start }
  const current = await (await device.get(`${new URL(url).pathname}/check/current`, headers)).json()
  expect(current.meta.known).toMatchObject(person)
  const begun = await device.check({ firstName: 'Mallory' }, headers)
  const done = await device.code(begun.body, TEST_CODE)
  expect(done.body.data.creditReport.person).toMatchObject({ firstName: 'Known', lastName: 'Person' })
  expect(JSON.stringify(await app.database.all('SELECT * FROM hosted_link'))).not.toContain('Known')
})

test('the timeline of the check begins with its link', async () => {
  const { linkId, url } = await app.link()
  const device = app.device(url)
  app.time.nowMs += 1_000
  await device.open()
  const { body } = await device.check()
  const timeline = await app.call(`GET /credit-reports/${body.data.creditReportId}/timeline`)
  const says = timeline.body.data.events.map((event: { says: string }) => event.says)
  expect(says[0]).toBe(`Link ${linkId} was made.`)
})

test('erasing the report takes the reference and the applicant out of its link', async () => {
  const { linkId, url } = await app.link({
    test: true,
    externalReference: 'Jo Bloggs',
    start: { person: { firstName: 'Jo' } },
  })
  const device = app.device(url)
  await device.open()
  const done = await device.code((await device.check()).body, TEST_CODE)
  expect((await app.call(`DELETE /credit-reports/${done.body.data.creditReportId}`)).status).toBe(200)
  expect(await app.read(linkId)).not.toHaveProperty('externalReference')
  expect(await app.database.first('SELECT start FROM hosted_link WHERE id = ?', linkId)).toEqual({ start: null })
})
