// The effect of a code and a new text on the browser's cookie, and the events that the lender gets.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ORIGIN } from '../../testing/proxy-browser.ts'
import { createTestMount, refused, report, type TestMount } from '../../testing/proxy-mount.ts'
import { another, answer, refuse } from '../../testing/proxy-service.ts'
import { createSeal } from './seal.ts'
import type { Ticket } from './ticket.ts'
import { createTicketCookie } from './ticket-cookie.ts'

const COOKIE_SECRET = 'a secret that only this test knows'
let at: TestMount
beforeEach(async () => {
  at = await createTestMount()
  at.mount({ cookieSecret: COOKIE_SECRET })
})
afterEach(() => at.service.stop())

function tickets(): Ticket[] {
  const cookie = [...at.browser.cookies].map(([key, { value }]) => `${key.split(' ')[0]}=${value}`).join('; ')
  const origin = new URL(ORIGIN).host
  const place = { path: '/credit-reports', origin, test: false, isSecure: true, isPreview: false }
  const seal = createSeal([COOKIE_SECRET])
  const reader = createTicketCookie({ seal, tenantId: 'demo-lender', clock: () => at.nowMs, onForeign: () => {} })
  return reader.read(new Headers({ Cookie: cookie }), place)
}

const refuseWith = (status: number, code: string, retryAfter?: string) => {
  at.service.misbehave = (_request, response) => {
    if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter)
    refuse(response, status, code)
    return true
  }
}

describe('a new text', () => {
  test('is counted, and an event says so', async () => {
    const { base, challengeId, creditReportId } = await at.begin()
    at.nowMs += 40_000
    expect((await at.browser.post(`${base}/resend-sms`, { challengeId })).status).toBe(200)
    expect(tickets()).toMatchObject([{ textsRemaining: 1, lastSentAtMs: at.nowMs, expiresAtMs: at.nowMs + 300_000 }])
    expect(at.events.at(-1)).toEqual({
      type: 'answered',
      operation: 'resend-sms',
      status: 'sent',
      creditReportId,
      test: false,
      requestId: 'request-1',
    })
  })

  test('lives for five minutes where the service does not say how long', async () => {
    const { base, challengeId } = await at.begin()
    at.nowMs += 40_000
    at.service.misbehave = ({ path }, response) => {
      if (!path.endsWith('/resend-sms')) return false
      const data = { remainingSmsCount: 1, smsSentCount: 2 }
      answer(response, 200, { meta: { request: { timeTakenMs: 1 } }, data })
      return true
    }
    expect((await at.browser.post(`${base}/resend-sms`, { challengeId })).status).toBe(200)
    expect(tickets()).toMatchObject([{ expiresAtMs: at.nowMs + 300_000 }])
  })

  test.each([
    ['without a time to wait means that there are no more', undefined, 0, 0],
    ['with one is about the pace, and the lender hears of it', '30', 2, 1],
  ])('that is one too many %s', async (_what, retryAfter, textsRemaining, timesTold) => {
    const { base, challengeId } = await at.begin()
    refuseWith(429, 'rate-limited', retryAfter)
    expect((await at.browser.post(`${base}/resend-sms`, { challengeId })).status).toBe(429)
    expect(tickets()).toMatchObject([{ status: 'open', textsRemaining }])
    expect(at.events.filter(({ type }) => type === 'unavailable')).toHaveLength(timesTold)
  })

  test('is not asked for once the check is over', async () => {
    const { base, challengeId } = await at.begin()
    await at.browser.post(`${base}/otp-challenge`, { challengeId, code: '123456' })
    const asked = at.service.seen.length
    expect(await refused(await at.browser.post(`${base}/resend-sms`, { challengeId }))).toMatchObject({ status: 410 })
    expect(at.service.seen).toHaveLength(asked)
  })
})

describe('a code', () => {
  const submit = async (base: string, challengeId: string, code = '000000') =>
    at.browser.post(`${base}/otp-challenge`, { challengeId, code })

  test.each([
    [404, 'credit-report-not-found'],
    [404, 'challenge-not-found'],
  ])('that the service answers with %i %s makes the browser forget that check alone', async (status, code) => {
    const kept = await at.begin()
    const gone = await at.begin(another)
    refuseWith(status, code)
    expect((await submit(gone.base, gone.challengeId)).status).toBe(404)
    expect(tickets().map(({ creditReportId }) => creditReportId)).toEqual([kept.creditReportId])
  })

  test.each([
    [410, 'challenge-expired'],
    [429, 'rate-limited'],
  ])('that the service answers with %i %s leaves it as it was', async (status, code) => {
    const { base, challengeId } = await at.begin()
    const before = tickets()
    refuseWith(status, code)
    expect((await submit(base, challengeId)).status).toBe(status)
    expect(tickets()).toEqual(before)
  })

  test('that the service answers with 409 is not sent again, which might cost a second attempt', async () => {
    const { base, challengeId } = await at.begin()
    refuseWith(409, 'request-in-progress')
    const asked = at.service.seen.length
    expect((await submit(base, challengeId)).status).toBe(409)
    expect(at.service.seen).toHaveLength(asked + 1)
  })

  test('that is wrong costs an attempt, and an event says so', async () => {
    const { base, challengeId, creditReportId } = await at.begin()
    expect((await submit(base, challengeId)).status).toBe(200)
    expect(tickets()).toMatchObject([{ status: 'open', attemptsRemaining: 2 }])
    const what = { operation: 'otp-challenge', status: 'retry', creditReportId, test: false }
    expect(at.events.at(-1)).toMatchObject({ type: 'answered', ...what, wallet: { cost: 0, balance: 999_500 } })
  })

  test('after the third wrong one gives the same answer without a call to the service', async () => {
    const { base, challengeId, creditReportId } = await at.begin()
    for (let time = 0; time < 3; time += 1) await submit(base, challengeId)
    const asked = at.service.seen.length
    expect(await report(await submit(base, challengeId))).toMatchObject({ status: 'failed', creditReportId })
    expect(at.service.seen).toHaveLength(asked)
  })

  test('that ends a second check leaves both ended in the cookie', async () => {
    for (const { base, challengeId } of [await at.begin(), await at.begin(another)])
      for (let time = 0; time < 3; time += 1) await submit(base, challengeId)
    expect(tickets()).toMatchObject([{ status: 'failed' }, { status: 'failed' }])
  })

  test('for a report whose time is over does not show it again', async () => {
    const { base, challengeId, creditReportId } = await at.begin()
    await submit(base, challengeId, '123456')
    at.nowMs += 15 * 60_000
    const closed = { status: 'complete', creditReportId, closed: true }
    expect(await report(await submit(base, challengeId, '123456'))).toEqual(closed)
  })

  test('sent eleven times with an old cookie waits until the challenge is over', async () => {
    const { base, challengeId } = await at.begin()
    const cookies = new Map(at.browser.cookies)
    refuseWith(503, 'unavailable')
    for (let time = 0; time < 10; time += 1) {
      at.browser.cookies = new Map(cookies)
      expect((await submit(base, challengeId)).status).toBe(503)
    }
    at.nowMs += 60_500
    const response = await submit(base, challengeId)
    expect([response.status, response.headers.get('Retry-After')]).toEqual([429, '240'])
    at.nowMs += 239_500
    expect((await submit(base, challengeId)).headers.get('Retry-After')).toBe('1')
    expect(at.events.at(-1)).toEqual({ type: 'refused', operation: 'otp-challenge', code: 'rate-limited' })
  })
})
