// The same details again in the same browser are the same check: a page that could not ask how it stands buys nothing
// twice.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sampleReport } from '../../contract/samples.ts'
import { createTestMount, report, type TestMount } from '../../testing/proxy-mount.ts'
import { sampleDetails } from '../../testing/proxy-service.ts'
import type { TenantProxyOptions } from '../options.ts'
import { createSameCheck } from './same-check.ts'

let at: TestMount
let order: string
const mountAt = (options: Partial<TenantProxyOptions> = {}) => {
  const { cookies } = at.browser
  at.mount({ externalReference: () => order, ...options })
  at.browser.cookies = cookies
}
beforeEach(async () => {
  at = await createTestMount()
  order = 'order-1'
  mountAt()
})
afterEach(() => at.service.stop())

const generate = async (change: object = {}) => report(await at.browser.generate(change))
async function complete() {
  const { base, challengeId } = await at.begin()
  return report(await at.browser.post(`${base}/otp-challenge`, { challengeId, code: '123456' }))
}
const { addresses } = sampleDetails
const withPostcode = (postcode: string) => ({
  addresses: addresses.map((each) => ({ ...each, ukAddress: { ...each.ukAddress, postcode } })),
})

describe('after a completed check', () => {
  test('its own tab gets the report, and nothing is charged', async () => {
    const first = await complete()
    expect(await generate()).toMatchObject({ ...first, creditReport: sampleReport })
    expect(at.service.reports.size).toBe(1)
  })

  test('another tab gets it closed, with the date of birth to open it', async () => {
    const { creditReportId } = await complete()
    at.browser.tab = 'tab-2'
    const opening = { expiresInSeconds: 900, attemptsRemaining: 3 }
    expect(await generate()).toEqual({ status: 'complete', creditReportId, closed: true, opening })
    at.nowMs += 900_000
    expect(await generate()).toEqual({ status: 'complete', creditReportId, closed: true })
    at.nowMs += 2_700_000
    expect((await generate()).creditReportId).not.toBe(creditReportId)
  })

  test('at another process, after the secret was replaced', async () => {
    const { creditReportId } = await complete()
    const [older, newer] = ['demo-secret'.repeat(4), 'another secret of forty characters, it is']
    mountAt({ cookieSecret: older })
    at.browser.cookies.clear()
    const { creditReportId: second } = await complete()
    expect(second).not.toBe(creditReportId)
    mountAt({ cookieSecret: [newer, older] })
    expect(await generate()).toMatchObject({ creditReportId: second })
  })

  test.each<[string, object]>([
    ['a name in capitals', { lastName: sampleDetails.lastName.toUpperCase() }],
    ['a postcode without its space', withPostcode('sw1a1aa')],
    ['another device session', { sessionId: 'another-session' }],
    ['the title', { title: 'Dr' }],
  ])('%s makes no difference', async (_what, change) => {
    await at.browser.generate(withPostcode('SW1A 1AA'))
    await at.browser.generate({ ...withPostcode('SW1A 1AA'), ...change })
    expect(at.service.reports.size).toBe(1)
  })

  test.each<[string, object]>([
    ['a first name', { firstName: 'Robin' }],
    ['a middle name', { middleName: 'Ann' }],
    ['a last name', { lastName: 'Sampel' }],
    ['a date of birth', { dateOfBirth: '1985-03-28' }],
    ['a postcode', withPostcode('LS1 4AP')],
    ['a mobile number', { mobileNumber: '+447700900999' }],
  ])('%s that differs is another check', async (_what, change) => {
    const { creditReportId } = await complete()
    expect(await generate(change)).toMatchObject({ status: 'authentication-required' })
    expect((await generate(change)).creditReportId).not.toBe(creditReportId)
    expect(at.service.reports.size).toBe(2)
  })

  test('another order is another check, and so are other bureaus', async () => {
    await complete()
    order = 'order-2'
    expect(await generate()).toMatchObject({ status: 'authentication-required' })
    order = 'order-1'
    mountAt({ bureaus: ['equifax'] })
    expect(await generate()).toMatchObject({ status: 'authentication-required' })
    expect(at.service.reports.size).toBe(3)
  })

  test('in test mode another e-mail address is another report', async () => {
    mountAt({ test: 'allow' })
    for (const email of ['test001@example.com', 'test002@example.com', 'test001@example.com']) await generate({ email })
    expect(at.service.reports.size).toBe(2)
  })

  test('forgotten, it is not answered again', async () => {
    const { creditReportId } = await complete()
    await at.browser.delete('/credit-reports/current?forget=1')
    expect((await generate()).creditReportId).not.toBe(creditReportId)
  })

  test('closed, it is answered closed', async () => {
    const { creditReportId } = await complete()
    await at.browser.delete('/credit-reports/current')
    expect(await generate()).toEqual({ status: 'complete', creditReportId, closed: true })
  })

  test('erased at the service, another begins', async () => {
    const { creditReportId = '' } = await complete()
    at.service.reports.delete(creditReportId)
    expect((await generate()).creditReportId).not.toBe(creditReportId)
  })
})

test('a check in progress is gone on with: one text', async () => {
  const { base, challengeId } = await at.begin()
  await at.browser.post(`${base}/otp-challenge`, { challengeId, code: '000000' })
  expect(await generate()).toMatchObject({ challenge: { challengeId, attemptsRemaining: 2 } })
  expect(at.service.reports.size).toBe(1)
})

test.each(['failed', 'expired', 'blocked'] as const)('after %s another begins', async (status) => {
  const { creditReportId } = await at.begin()
  Object.assign(at.service.reports.get(creditReportId) ?? {}, { status })
  expect((await generate()).creditReportId).not.toBe(creditReportId)
})

test('without the key the hash of the details cannot be made', () => {
  const hashes = ['a', 'b'].map((letter) =>
    createSameCheck([letter.repeat(32)]).hash({ consumer: sampleDetails, bureaus: [], test: false }),
  )
  expect(hashes[0]).toMatch(/^[\w-]{22}$/)
  expect(hashes[0]).not.toBe(hashes[1])
})
