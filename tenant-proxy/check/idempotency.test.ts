import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestBrowser } from '../../testing/proxy-browser.ts'
import { createTestMount, refused, report, type TestMount } from '../../testing/proxy-mount.ts'

let at: TestMount
beforeEach(async () => {
  at = await createTestMount()
})
afterEach(() => at.service.stop())

describe('the same press of a button again', () => {
  const headers = { 'Idempotency-Key': 'c0ffee00-0000-4000-8000-000000000000' }

  test('gets the first answer again, with the cookie, though the browser has none yet', async () => {
    const first = await report(await at.browser.generate({}, headers))
    const again = createTestBrowser(at.proxy)
    expect(await report(await again.generate({}, headers))).toEqual(first)
    expect([...again.cookies.keys()]).toContain('__Host-credit-report /')
    expect(at.service.reports.size).toBe(1)
  })

  test('works from another network: what the proxy added then is added again', async () => {
    let orders = 0
    at.mount({ externalReference: () => `order-${++orders}` })
    await at.browser.get('/credit-reports/current')
    const { cookies } = at.browser
    at.browser.cookies = new Map(cookies)
    await at.browser.generate({}, headers)
    // The answer was lost, its cookie too.
    at.browser.cookies = cookies
    at.browser.address = '198.51.100.20'
    await report(await at.browser.generate({}, headers))
    expect(at.service.reports.size).toBe(1)
    expect(at.lastBody()).toMatchObject({ ipAddress: '203.0.113.7', externalReference: 'order-1' })
  })

  test('works from a reloaded page, which has a new device session', async () => {
    const first = await report(await at.browser.generate({}, headers))
    expect(await report(await at.browser.generate({ sessionId: 'another-session' }, headers))).toEqual(first)
    expect(at.service.reports.size).toBe(1)
  })

  test('works on another instance, with another address', async () => {
    const first = await report(await at.browser.generate({}, headers))
    at.mount()
    at.browser.address = '198.51.100.20'
    expect(await report(await at.browser.generate({}, headers))).toEqual(first)
    expect(at.service.reports.size).toBe(1)
  })

  test('works while the lender replaces the secret', async () => {
    at.mount({ cookieSecret: 'the old secret, of 32 characters or more' })
    const first = await report(await at.browser.generate({}, headers))
    at.mount({
      cookieSecret: ['a new secret, of 32 characters or more', 'the old secret, of 32 characters or more'],
    })
    expect(await report(await at.browser.generate({}, headers))).toEqual(first)
    expect(at.service.reports.size).toBe(1)
  })

  test('with other details is another check', async () => {
    await at.browser.generate({}, headers)
    await report(await at.browser.generate({ firstName: 'Samira' }, headers))
    expect(at.service.reports.size).toBe(2)
  })

  test('is refused, not charged again, once the lender asks other bureaus', async () => {
    await at.browser.generate({}, headers)
    at.mount({ bureaus: ['transunion'] })
    expect(await refused(await at.browser.generate({}, headers))).toEqual({
      status: 400,
      code: 'validation-error',
      message: 'Idempotency-Key: begin again with a new key',
    })
    expect(at.service.reports.size).toBe(1)
  })

  test('does not count against the limit of checks', async () => {
    at.mount({ limits: { generatesMax: 1 } })
    for (let time = 0; time < 4; time += 1) expect((await at.browser.generate({}, headers)).status).toBe(200)
    expect((await at.browser.generate({}, { 'Idempotency-Key': 'another-key' })).status).toBe(429)
  })

  test('a resend pressed twice sends one text', async () => {
    const { base, challengeId } = await at.begin()
    for (let time = 0; time < 2; time += 1) await at.browser.post(`${base}/resend-sms`, { challengeId }, headers)
    expect(at.service.reports.get('report-1')?.sends).toBe(2)
  })

  test('keeps the attempts that the cookie knows were used', async () => {
    const first = await report(await at.browser.generate({}, headers))
    const { challengeId } = first.challenge ?? {}
    await at.browser.post('/credit-reports/report-1/otp-challenge', { challengeId, code: '000000' })
    expect(await report(await at.browser.generate({}, headers))).toMatchObject({ challenge: { attemptsRemaining: 2 } })
  })

  test.each([['short'], ['with space inside'], ['x'.repeat(256)]])('refuses the key %s', async (key) => {
    expect(await refused(await at.browser.generate({}, { 'Idempotency-Key': key }))).toMatchObject({ status: 400 })
    expect(at.service.seen).toHaveLength(0)
  })
})
