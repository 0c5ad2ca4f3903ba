// Generate asked for again, on every engine: under its key, at once, and after the process that worked on it has died.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onEachEngine } from '../../testing/engines.ts'
import { createFaultyProviders } from '../../testing/faulty-providers.ts'
import { repeated } from '../../testing/repeated.ts'
import { createTestApp, liveRequest, type TestApp, testRequest } from '../../testing/test-app.ts'
import { topUp } from '../ledger/ledger.ts'
import { ProviderUnavailable } from '../providers/providers.ts'
import { WORK_LEASE_MS } from './keep-lease.ts'

const PATH = '/demo-lender/v1/credit-reports'

onEachEngine('generate again', (place) => {
  const { faults, providers } = createFaultyProviders()
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp({ ...(await place()), providers })
  })
  afterAll(() => app.close())
  /** As another API client of the same lender. */
  const generateAsSecond = (key: { 'Idempotency-Key': string }, lastName = 'Allow') =>
    app.call(PATH, liveRequest(lastName), { token: 'demo-lender~second', ...key })

  describe('with an idempotency key', () => {
    let keys = 0
    const newKey = () => {
      keys += 1
      return { 'Idempotency-Key': `key-${keys}` }
    }

    test.each([
      ['a live report', liveRequest('Allow')],
      ['a live block', liveRequest('Block')],
      ['a live challenge', liveRequest()],
      ['a test report', testRequest('allow')],
      ['a test challenge', testRequest('challenge')],
      ['a test block', testRequest('block')],
    ])('%s is made once, and the answer repeats word for word', async (_name, request) => {
      const key = newKey()
      const first = await app.generate(request, key)
      const wallet = await app.wallet()
      const second = await app.generate(request, key)
      expect(first.status).toBe(200)
      expect(first.headers.get('Idempotent-Replayed')).toBeNull()
      expect(second.headers.get('Idempotent-Replayed')).toBe('true')
      expect(second.body).toEqual(repeated(first.body))
      expect(second.headers.get('X-Challenge-Expires-In')).toBe(first.headers.get('X-Challenge-Expires-In'))
      expect(await app.wallet()).toEqual(wallet)
    })

    test('a key is the lender’s: whichever of its clients repeats the request, one after the other or at once', async () => {
      const key = newKey()
      const first = await app.generate(liveRequest('Allow'), key)
      const second = await generateAsSecond(key)
      expect([second.headers.get('Idempotent-Replayed'), second.body]).toEqual(['true', repeated(first.body)])
      const other = await generateAsSecond(key, 'Block')
      expect(other.body.message).toContain('Idempotency-Key')
      expect(other.headers.get('Idempotency-Key-Reused')).toBe('true')

      const both = newKey()
      const before = await app.wallet()
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          app.call(PATH, liveRequest('Allow'), { token: `demo-lender~client-${index}`, ...both }),
        ),
      )
      for (const { status } of answers) expect([200, 409]).toContain(status)
      expect((await app.wallet()).balanceCredits).toBe(before.balanceCredits - 500)
      const elsewhere = await app.newTenant(1_000)
      expect((await app.generate(liveRequest('Allow'), { token: elsewhere, ...key })).body.data).not.toEqual(
        first.body.data,
      )
    })

    test('the answer stays the first one, even when the challenge has moved on', async () => {
      const key = newKey()
      const first = await app.generate(testRequest('challenge'), key)
      await app.submit(first.body.data, '123456')
      const again = await app.generate(testRequest('challenge'), key)
      expect(again.body).toEqual(repeated(first.body))
      expect(again.headers.get('X-Challenge-Expires-In')).toBe('0')
    })

    test('an unanswered challenge does not look new to a caller who hears of it only now', async () => {
      const key = newKey()
      const first = await app.generate(liveRequest(), key)
      app.time.nowMs += 300_001
      await app.sweeper.sweep()
      const again = await app.generate(liveRequest(), key)
      expect(again.body).toEqual(repeated(first.body))
      expect(again.headers.get('X-Challenge-Expires-In')).toBe('0')
    })

    test('spaces and the order of fields make no other body; a value does', async () => {
      const key = newKey()
      const request = testRequest('allow')
      const first = await app.generate(request, key)
      const shuffled = Object.fromEntries(Object.entries(request).reverse())
      expect((await app.generate({ ...shuffled, unknown: 1 }, key)).body).toEqual(repeated(first.body))
      const other = await app.generate({ ...request, firstName: 'Kim' }, key)
      expect(other).toMatchObject({ status: 400, body: { code: 'validation-error' } })
      expect(other.body.message).toContain('Idempotency-Key')
    })

    test('what the caller asks to ignore may differ, and nothing else', async () => {
      const key = { ...newKey(), 'Idempotency-Ignore': 'sessionId, ipAddress' }
      const request = { ...testRequest('allow'), sessionId: 'before', ipAddress: '203.0.113.7' }
      const moved = { ...request, sessionId: 'after', ipAddress: '198.51.100.20' }
      const first = await app.generate(request, key)
      expect((await app.generate(moved, key)).body).toEqual(repeated(first.body))
      for (const [other, headers] of [
        [{ ...moved, firstName: 'Kim' }, key],
        [{ ...moved, externalReference: 'another order' }, key],
        [request, { ...key, 'Idempotency-Ignore': 'sessionId' }],
      ] as const) {
        const { status, body } = await app.generate(other, headers)
        expect([status, body.message]).toEqual([400, expect.stringContaining('Idempotency-Key')])
      }
    })

    test('a repeat has to bring the owner that the first request named', async () => {
      const key = newKey()
      const owned = { ...key, 'Idempotency-Owner': 'first-browser' }
      const first = await app.generate(testRequest('allow'), owned)
      expect((await app.generate(testRequest('allow'), owned)).body).toEqual(repeated(first.body))
      for (const other of [key, { ...key, 'Idempotency-Owner': 'other-browser' }]) {
        const { status, body } = await app.generate(testRequest('allow'), other)
        expect([status, body.message]).toEqual([400, expect.stringContaining('Idempotency-Key')])
      }
      const { status, body } = await app.generate(testRequest('allow'), { ...key, 'Idempotency-Owner': 'two words' })
      expect([status, body.message]).toEqual([400, expect.stringContaining('Idempotency-Owner')])
    })

    test.each(['', 'firstName', 'sessionId, addresses', '*'])('nothing may be ignored by %j', async (names) => {
      const { status, body } = await app.generate(testRequest('allow'), { ...newKey(), 'Idempotency-Ignore': names })
      expect([status, body.message]).toEqual([400, expect.stringContaining('Idempotency-Ignore')])
    })

    test('a key belongs to its tenant', async () => {
      const key = newKey()
      const mine = await app.generate(testRequest('allow'), key)
      const theirs = await app.generate(testRequest('allow'), { ...key, token: 'other-lender' })
      expect(theirs.status).toBe(200)
      expect(theirs.body.data.creditReportId).not.toBe(mine.body.data.creditReportId)
    })

    test.each(['', 'a b', 'é', 'x'.repeat(256)])('%j is no key', async (text) => {
      const { status, body } = await app.generate(testRequest('allow'), { 'Idempotency-Key': text })
      expect(status).toBe(400)
      expect(body.message).toContain('Idempotency-Key')
    })

    test('too few credits are not kept: after a top-up the same key works', async () => {
      const tenantId = await app.newTenant(499)
      const key = { ...newKey(), token: tenantId }
      expect((await app.generate(liveRequest('Allow'), key)).status).toBe(402)
      await topUp(app.database, { tenantId, credits: 1, reference: 'second', nowMs: app.time.nowMs })
      const { status, headers } = await app.generate(liveRequest('Allow'), key)
      expect(status).toBe(200)
      expect(headers.get('Idempotent-Replayed')).toBeNull()
    })

    test('a provider that was away is not kept either', async () => {
      const key = newKey()
      faults.bureau = () => Promise.reject(new ProviderUnavailable('bureau', 'unreachable'))
      expect((await app.generate(liveRequest('Allow'), key)).status).toBe(503)
      delete faults.bureau
      expect((await app.generate(liveRequest('Allow'), key)).body.data.status).toBe('complete')
    })

    test('a refusal for want of a mobile number is not kept: the body may be corrected under a new key', async () => {
      const key = newKey()
      const { mobileNumber: _number, ...request } = liveRequest()
      expect((await app.generate(request, key)).status).toBe(400)
      expect((await app.generate(liveRequest(), key)).status).toBe(200)
    })

    test('twenty identical requests at once make one report, one hold and one text', async () => {
      const key = newKey()
      const before = (await app.wallet()).balanceCredits
      const answers = await Promise.all(Array.from({ length: 20 }, () => app.generate(liveRequest(), key)))
      const made = answers.filter(({ status }) => status === 200)
      expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
      expect(new Set(made.map(({ body }) => body.data.creditReportId)).size).toBe(1)
      expect((await app.wallet()).balanceCredits).toBe(before - 540)
      expect(await app.codes(made[0]?.body.data.creditReportId)).toHaveLength(1)
    })

    test('while the first is in progress, the second has to wait', async () => {
      const key = newKey()
      let answerRisk: (decision: 'allow') => void = () => {}
      const asked = new Promise<void>((wasAsked) => {
        faults.risk = () =>
          new Promise((resolve) => {
            answerRisk = resolve
            wasAsked()
          })
      })
      const first = app.generate(liveRequest('Allow'), key)
      await asked
      const second = await app.generate(liveRequest('Allow'), key)
      expect(second).toMatchObject({ status: 409, body: { code: 'request-in-progress' } })
      expect(second.headers.get('Retry-After')).toBe('1')
      answerRisk('allow')
      delete faults.risk
      expect((await first).body.data.status).toBe('complete')
      expect((await app.generate(liveRequest('Allow'), key)).headers.get('Idempotent-Replayed')).toBe('true')
    })

    test('after a day the key is free again', async () => {
      const key = newKey()
      const first = await app.generate(testRequest('allow'), key)
      app.time.nowMs += 86_400_001
      const second = await app.generate(testRequest('allow'), key)
      expect(second.headers.get('Idempotent-Replayed')).toBeNull()
      expect(second.body.data.creditReportId).not.toBe(first.body.data.creditReportId)
    })
  })

  describe('when the worker dies between hold and answer', () => {
    /** A request whose process stopped in the middle of asking: its promise never settles. */
    async function strand(key: { 'Idempotency-Key': string }): Promise<string> {
      const asked = new Promise<string>((wasAsked) => {
        faults.risk = ({ creditReportId }) => {
          wasAsked(creditReportId)
          return new Promise(() => {})
        }
      })
      void app.generate(liveRequest('Allow'), key)
      const creditReportId = await asked
      delete faults.risk
      return creditReportId
    }

    test('a retry with the same key takes the report over, once the lease is up', async () => {
      const key = { 'Idempotency-Key': `stranded-1` }
      const before = (await app.wallet()).balanceCredits
      const creditReportId = await strand(key)
      expect((await app.generate(liveRequest('Allow'), key)).status).toBe(409)
      app.time.nowMs += WORK_LEASE_MS
      expect((await app.generate(liveRequest('Allow'), key)).status).toBe(409)
      app.time.nowMs += 1
      const { body } = await app.generate(liveRequest('Allow'), key)
      expect(body.data).toMatchObject({ status: 'complete', creditReportId })
      expect(body.meta.wallet).toEqual({ balance: before - 500, cost: 500 })
      expect(await app.lines(creditReportId)).toEqual(['hold report 500', 'capture report 500'])
    })

    test('another client of the lender takes it over, and both get its answer afterwards', async () => {
      const key = { 'Idempotency-Key': `stranded-other-client` }
      const creditReportId = await strand(key)
      app.time.nowMs += WORK_LEASE_MS + 1
      const { body } = await generateAsSecond(key)
      expect(body.data).toMatchObject({ status: 'complete', creditReportId })
      expect((await app.generate(liveRequest('Allow'), key)).body).toEqual(repeated(body))
      expect((await generateAsSecond(key)).body).toEqual(repeated(body))
    })

    test('no one comes back: the sweeper gives the hold back, and the key is free', async () => {
      const key = { 'Idempotency-Key': `stranded-2` }
      const before = (await app.wallet()).balanceCredits
      const creditReportId = await strand(key)
      expect((await app.wallet()).balanceCredits).toBe(before - 500)
      app.time.nowMs += WORK_LEASE_MS + 60_000
      expect((await app.sweeper.sweep()).abandonedReports).toBe(0)
      app.time.nowMs += 1
      expect((await app.sweeper.sweep()).abandonedReports).toBe(1)
      expect(await app.lines(creditReportId)).toEqual(['hold report 500', 'release report 500'])
      const { body } = await app.generate(liveRequest('Allow'), key)
      expect(body.data.creditReportId).not.toBe(creditReportId)
    })

    test('a worker that wakes up after its lease went to another writes nothing', async () => {
      const key = { 'Idempotency-Key': `stranded-3` }
      let answerRisk: (decision: 'allow') => void = () => {}
      const asked = new Promise<void>((wasAsked) => {
        faults.risk = () =>
          new Promise((resolve) => {
            answerRisk = resolve
            wasAsked()
          })
      })
      const sleeper = app.generate(liveRequest('Allow'), key)
      await asked
      delete faults.risk
      app.time.nowMs += WORK_LEASE_MS + 1
      const taken = await app.generate(liveRequest('Allow'), key)
      answerRisk('allow')
      expect((await sleeper).status).toBe(503)
      expect(await app.lines(taken.body.data.creditReportId)).toEqual(['hold report 500', 'capture report 500'])
    })
  })
})
