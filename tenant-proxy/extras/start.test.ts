// A known applicant: what the lender's server has said, the browser shows and cannot change; one completed check per
// start.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sampleRequest } from '../../contract/samples.ts'
import { createTestBrowser, ORIGIN } from '../../testing/proxy-browser.ts'
import { createTestMount, refused, report, type TestMount } from '../../testing/proxy-mount.ts'
import { answer } from '../../testing/proxy-service.ts'
import type { BeginOptions } from './start.ts'

const START = 'X-Credit-Report-Start'
const HOUR_MS = 3_600_000
const { firstName, lastName, dateOfBirth } = sampleRequest
const person = { firstName: 'Robin', lastName: 'Ash', dateOfBirth: '1980-02-03' }
const address = { buildingNumber: '9', thoroughfare: 'High Street', townOrCity: 'Leeds', postcode: 'ls1 4ap' }
const order: BeginOptions = { externalReference: 'order-7', person, addresses: [address] }

let at: TestMount
beforeEach(async () => {
  at = await createTestMount()
})
afterEach(() => at.service.stop())

const generate = (start: string, change: object = {}, key = 'browser-key-1') =>
  at.browser.generate(change, { [START]: start, 'Idempotency-Key': key })
const current = (start: string) => at.browser.get('/credit-reports/current', { [START]: start })
const submit = (creditReportId: string, code: string) =>
  at.browser.post(`/credit-reports/${creditReportId}/otp-challenge`, {
    challengeId: `challenge-of-${creditReportId}`,
    code,
  })
function checkout() {
  const cookie = [...at.browser.cookies].map(([key, { value }]) => `${key.split(' ')[0]}=${value}`).join('; ')
  return new Request(`${ORIGIN}/checkout`, { headers: { Cookie: cookie } })
}

test('the form gets what to show, and nothing else of the start', async () => {
  const start = at.proxy.begin({ ...order, person: { ...person, gender: 'F' } })
  const { meta, data } = await (await current(start)).json()
  expect(data.status).toBe('none')
  expect(meta.known).toEqual({ ...person, addresses: [{ ...address, postcode: 'LS1 4AP' }] })
  expect(Buffer.from(start, 'base64url').toString('latin1')).not.toMatch(/Robin|order-7/)
})

test('what the browser sends instead does not count; what the start leaves open does', async () => {
  const start = at.proxy.begin({ ...order, person: { ...person, gender: 'F' } })
  const { creditReportId = '' } = await report(await generate(start, { email: 'robin@example.com' }))
  expect(at.lastBody()).toMatchObject({
    ...person,
    gender: 'F',
    email: 'robin@example.com',
    mobileNumber: sampleRequest.mobileNumber,
    addresses: [{ type: 'current', ukAddress: { ...address, postcode: 'LS1 4AP' } }],
    externalReference: 'order-7',
  })
  await submit(creditReportId, '123456')
  expect(at.proxy.completed(checkout(), { externalReference: 'order-7' })).toMatchObject({ creditReportId })
})

test('with nothing but a reference everything is asked for', async () => {
  const start = at.proxy.begin({ externalReference: 'order-8' })
  expect((await (await current(start)).json()).meta.known).toEqual({})
  await generate(start)
  const { addresses } = sampleRequest
  expect(at.lastBody()).toMatchObject({ firstName, lastName, dateOfBirth, addresses, externalReference: 'order-8' })
})

test.each(['07700 900555', '(07700) 900-555', '+44 7700 900555'])(
  'a mobile number may be written as in `prefill`: %s',
  async (mobileNumber) => {
    await generate(at.proxy.begin({ ...order, person: { ...person, mobileNumber } }))
    expect(at.lastBody()).toMatchObject({ mobileNumber: '+447700900555' })
  },
)

test('of several addresses the first is the current one', async () => {
  const before = { ...address, buildingNumber: '8', postcode: 'LS1 4AP' }
  await generate(at.proxy.begin({ person, addresses: [address, before] }))
  expect(at.lastBody()).toMatchObject({
    addresses: [
      { type: 'current', ukAddress: { buildingNumber: '9' } },
      { type: 'previous', ukAddress: before },
    ],
  })
})

describe('one check per start', () => {
  test('a lost answer is repeated, in another process too, and nothing is made twice', async () => {
    const start = at.proxy.begin(order)
    const first = await report(await generate(start))
    at.mount()
    const again = await report(await generate(start))
    expect(again.creditReportId).toBe(first.creditReportId)
    expect(at.service.reports.size).toBe(1)
  })

  test('another browser is refused, with the same details and in another process', async () => {
    const start = at.proxy.begin(order)
    await report(await generate(start))
    at.mount()
    expect(await refused(await generate(start, {}, 'browser-key-2'))).toEqual({
      status: 410,
      code: 'start-refused',
      message: 'This start has been used. Load the page again.',
    })
    expect(at.service.reports.size).toBe(1)
  })

  test('a start that the service knows from another browser is refused as used, whatever the words', async () => {
    const start = at.proxy.begin(order)
    at.service.misbehave = (request, response) => {
      if (request.path === '/v1/oauth/token') return false
      answer(response, 400, { code: 'validation-error', message: 'x' }, { 'Idempotency-Key-Reused': 'true' })
      return true
    }
    expect(await refused(await generate(start))).toMatchObject({ status: 410, code: 'start-refused' })
  })

  test('two browsers at once: one check', async () => {
    const start = at.proxy.begin(order)
    const other = createTestBrowser(at.proxy)
    const answers = await Promise.all([
      generate(start),
      other.generate({}, { [START]: start, 'Idempotency-Key': 'browser-key-2' }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 410])
    expect(at.service.reports.size).toBe(1)
  })

  test('a completed check uses it up, and the page reads so before anything is filled in', async () => {
    const start = at.proxy.begin(order)
    const { creditReportId = '' } = await report(await generate(start))
    await submit(creditReportId, '123456')
    const other = await generate(start, { mobileNumber: '+447700900555' }, 'browser-key-2')
    expect(await refused(other)).toMatchObject({ code: 'start-refused' })
    expect(await report(await generate(start, {}, 'browser-key-2'))).toMatchObject({
      status: 'complete',
      creditReportId,
    })
    expect((await report(await current(start))).status).toBe('complete')
    await at.browser.delete('/credit-reports/current?forget=1')
    expect(await refused(await current(start))).toMatchObject({ code: 'start-refused' })
  })

  test.each(['failed', 'blocked', 'number changed'])('%s: the same browser may begin again', async (how) => {
    const start = at.proxy.begin(order)
    at.service.branch = how === 'blocked' ? 'block' : 'challenge'
    const { creditReportId: first = '' } = await report(await generate(start))
    if (how === 'failed') for (const code of ['000000', '000001', '000002']) await submit(first, code)
    at.service.branch = 'challenge'
    const second = await report(await generate(start, { mobileNumber: '+447700900555' }, 'browser-key-2'))
    expect(second.creditReportId).not.toBe(first)
    // A second press of the same button is no third check.
    await report(await generate(start, { mobileNumber: '+447700900555' }, 'browser-key-2'))
    expect(at.service.reports.size).toBe(2)
  })

  test('five times', async () => {
    const start = at.proxy.begin(order)
    at.service.branch = 'block'
    const statuses: number[] = []
    for (let press = 0; press < 7; press += 1) {
      at.nowMs += 1_000
      statuses.push((await generate(start, {}, `browser-key-${press}`)).status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 410, 410])
  })
})

test('a start that was used up, or tried often, takes nothing from another', async () => {
  const { creditReportId = '' } = await report(await generate(at.proxy.begin(order)))
  await submit(creditReportId, '123456')
  at.nowMs += 1_000
  const other = at.proxy.begin({ ...order, externalReference: 'order-9' })
  expect((await generate(other, {}, 'browser-key-2')).status).toBe(200)
  await at.browser.delete('/credit-reports/current?forget=1')
  expect((await current(other)).status).toBe(200)
})

describe('refused in words', () => {
  const words = async (response: Promise<Response>) => (await refused(await response)).message
  const both = async (start: string) => [await words(current(start)), await words(generate(start))]

  test('after an hour', async () => {
    const start = at.proxy.begin(order)
    at.nowMs += HOUR_MS - 1
    expect((await current(start)).status).toBe(200)
    at.nowMs += 1
    for (const said of await both(start)) expect(said).toContain('has expired')
  })

  test('changed, or of another secret', async () => {
    const start = at.proxy.begin(order)
    const changed = start.slice(0, -4) + (start.endsWith('AAAA') ? 'BBBB' : 'AAAA')
    for (const wrong of [changed, '', 'x', 'a'.repeat(5_000)])
      for (const said of await both(wrong)) expect(said).toContain('was not made here')
    at.mount({ cookieSecret: 'another secret, long enough for anyone' })
    for (const said of await both(start)) expect(said).toContain('was not made here')
    expect(at.events).toContainEqual(expect.objectContaining({ type: 'misconfigured' }))
  })

  test('of another lender or mount', async () => {
    const start = at.proxy.begin(order)
    for (const other of [{ tenantId: 'other-lender' }, { publicPath: '/elsewhere' }]) {
      at.mount(other)
      const asked = at.browser.get('/credit-reports/current', { [START]: start })
      expect(await words(asked)).toContain('was not made here')
    }
  })

  test('of the other mode', async () => {
    const live = at.proxy.begin(order)
    at.mount({ test: true })
    const invented = at.proxy.begin(order)
    for (const said of await both(live)) expect(said).toContain('in another mode')
    at.mount()
    for (const said of await both(invented)) expect(said).toContain('in another mode')
  })

  test('of another site, where the lender says for which it is', async () => {
    const request = new Request('https://staging.lender.example/checkout')
    for (const said of await both(at.proxy.begin({ ...order, request }))) expect(said).toContain('for another site')
    expect((await current(at.proxy.begin({ ...order, request: new Request(`${ORIGIN}/checkout`) }))).status).toBe(200)
  })

  test('of another installation, where `origins` names this one', async () => {
    at.mount({ origins: ['https://staging.lender.example', ORIGIN] })
    const start = at.proxy.begin(order)
    expect((await current(start)).status).toBe(200)
    at.mount({ origins: [ORIGIN] })
    for (const said of await both(start)) expect(said).toContain('for another site')
  })

  test('and the lender gets an event for each, and one that says what to change', async () => {
    at.mount({ test: true })
    const invented = at.proxy.begin(order)
    at.mount()
    const elsewhere = at.proxy.begin({ ...order, request: new Request('https://staging.lender.example/') })
    await both(invented)
    await both(elsewhere)
    const refusals = ['current', 'generate'].map((operation) => ({ type: 'refused', operation, code: 'start-refused' }))
    expect(at.events.filter(({ type }) => type === 'refused')).toEqual([...refusals, ...refusals])
    expect(at.events.filter(({ type }) => type === 'misconfigured')).toEqual([
      { type: 'misconfigured', problem: expect.stringContaining('made in test mode') },
      { type: 'misconfigured', problem: expect.stringContaining('begun at staging.lender.example') },
    ])
  })

  test('a ticket of the cookie is no start', async () => {
    await report(await generate(at.proxy.begin(order)))
    const [sealed = ''] = [...at.browser.cookies.values()].map(({ value }) => value).filter(({ length }) => length > 9)
    expect(await words(generate(sealed, {}, 'browser-key-2'))).toContain('was not made here')
  })

  test('none, where one is required', async () => {
    at.mount({ requireStart: true })
    expect(await words(at.browser.get('/credit-reports/current'))).toContain('needs a start')
    const start = at.proxy.begin(order)
    await current(start)
    expect(await words(at.browser.generate())).toContain('needs a start')
    expect((await generate(start)).status).toBe(200)
  })
})

test('a start that does not count takes nothing from a check in progress', async () => {
  const start = at.proxy.begin(order)
  await report(await generate(start))
  at.nowMs += 60_000
  expect((await report(await current(`${start.slice(0, -4)}AAAA`))).status).toBe('authentication-required')
})

test.each<[string, object, RegExp]>([
  ['a misspelt field', { person: { lastname: 'Ash' } }, /no option `person\.lastname`: write `person\.lastName`/],
  ['a misspelt option', { adresses: [] }, /no option `adresses`: write `addresses`/],
  ['a date as people write it', { person: { dateOfBirth: '03/02/1980' } }, /person\.dateOfBirth: /],
  ['someone not yet born', { person: { dateOfBirth: '2026-12-01' } }, /person\.dateOfBirth: /],
  ['a number without its country', { person: { mobileNumber: '7700900123' } }, /person\.mobileNumber: /],
  ['an address without a building', { addresses: [{ ...address, buildingNumber: '' }] }, /addresses\[0\]/],
  ['no address at all', { addresses: [] }, /addresses: /],
  ['a reference that is too long', { externalReference: 'a'.repeat(201) }, /`externalReference` must have at most 200/],
  [
    'more than a header carries',
    {
      addresses: Array.from({ length: 10 }, () => ({
        ...address,
        district: 'd'.repeat(200),
        thoroughfare: 's'.repeat(200),
      })),
    },
    /too long/,
  ],
])('%s is a mistake of the lender’s, named at once', (_what, options, message) => {
  expect(() => at.proxy.begin(options)).toThrow(message)
})
