import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sampleReport } from '../../contract/samples.ts'
import { createWebhookSecret, signWebhook } from '../../kit/webhook-signature.ts'
import { ORIGIN } from '../../testing/proxy-browser.ts'
import { createTestMount, type TestMount } from '../../testing/proxy-mount.ts'
import { refuse } from '../../testing/proxy-service.ts'

const secret = createWebhookSecret()
let at: TestMount
let delivered: unknown[]
beforeEach(async () => {
  at = await createTestMount()
  delivered = []
  at.mount({ webhookSecrets: [secret], onReport: (report, context) => delivered.push([report, context]) })
})
afterEach(() => at.service.stop())

type Change = {
  secret?: string
  ageSeconds?: number
  tenantId?: string
  type?: string
  data?: object
  status?: string
  test?: boolean
  body?: string
}

async function tell(creditReportId: string, change: Change = {}) {
  const { type = 'credit-report.completed', tenantId = 'demo-lender', status = 'complete', test = false } = change
  const data = change.data ?? { tenantId, creditReportId, status, externalReference: 'order-7', test }
  const text = JSON.stringify({ type, timestamp: '2026-11-15T12:00:00.000Z', data })
  const timestampSeconds = Math.floor(at.nowMs / 1_000) - (change.ageSeconds ?? 0)
  const message = { id: 'message-1', timestampSeconds, body: Buffer.from(text) }
  const headers = signWebhook([change.secret ?? secret], message)
  const request = new Request(`${ORIGIN}/credit-reports/webhook`, {
    method: 'POST',
    headers,
    body: change.body ?? text,
  })
  return (await at.proxy(request)).status
}

/** A report that completed while the lender's process was away. */
async function completedElsewhere() {
  const { creditReportId } = await at.begin()
  const known = at.service.reports.get(creditReportId)
  if (known) known.status = 'complete'
  return creditReportId
}

test('a completed check reaches the lender once, however often the webhook repeats', async () => {
  const creditReportId = await completedElsewhere()
  expect([await tell(creditReportId), await tell(creditReportId)]).toEqual([200, 200])
  expect(delivered).toEqual([[sampleReport, { creditReportId, externalReference: 'order-7', test: false }]])
})

test('after the browser had its answer, the webhook does not deliver it again', async () => {
  const { base, challengeId, creditReportId } = await at.begin()
  await at.browser.post(`${base}/otp-challenge`, { challengeId, code: '123456' })
  const heard = at.service.seen.length
  expect(await tell(creditReportId)).toBe(200)
  expect(delivered).toHaveLength(1)
  expect(at.service.seen).toHaveLength(heard)
})

test('a check that did not complete is an event, and nothing is fetched', async () => {
  const creditReportId = await completedElsewhere()
  const heard = at.service.seen.length
  expect(await tell(creditReportId, { type: 'credit-report.failed', status: 'failed' })).toBe(200)
  expect([delivered.length, at.service.seen.length]).toEqual([0, heard])
  expect(at.events.at(-1)).toMatchObject({ type: 'webhook', event: { type: 'credit-report.failed' } })
})

test.each(['blocked', 'failed', 'expired'])('a check that is %s reaches onOutcome, or comes again', async (status) => {
  const outcomes: unknown[] = []
  let isBroken = true
  at.mount({
    webhookSecrets: [secret],
    onOutcome: (outcome) => {
      if (isBroken) throw new Error('database is away')
      outcomes.push(outcome)
    },
  })
  const answer = () => tell('report-1', { type: `credit-report.${status}`, status })
  expect(await answer()).toBe(503)
  isBroken = false
  await expect.poll(answer).toBe(200)
  expect(outcomes).toEqual([{ status, creditReportId: 'report-1', externalReference: 'order-7', test: false }])
})

test('a report that is not there, or not any more, is not delivered', async () => {
  const { creditReportId } = await at.begin()
  expect(await tell(creditReportId)).toBe(200)
  at.service.report = undefined
  expect(await tell(await completedElsewhere())).toBe(200)
  expect(delivered).toEqual([])
})

test('while the lender cannot take it, the service gets a 503 and retries', async () => {
  let isBroken = true
  at.mount({
    webhookSecrets: [secret],
    onReport: () => {
      if (isBroken) throw new Error('database is away')
    },
  })
  const creditReportId = await completedElsewhere()
  expect(await tell(creditReportId)).toBe(503)
  isBroken = false
  await expect.poll(() => tell(creditReportId)).toBe(200)
})

test('while the report cannot be fetched, too', async () => {
  const creditReportId = await completedElsewhere()
  at.service.misbehave = (_request, response) => {
    refuse(response, 500, 'internal-error')
    return true
  }
  expect(await tell(creditReportId)).toBe(503)
  at.service.misbehave = null
  expect(await tell(creditReportId)).toBe(200)
  expect(delivered).toHaveLength(1)
})

describe('nothing is believed that', () => {
  test.each([
    ['another secret signed', { secret: createWebhookSecret() }],
    ['is ten minutes old', { ageSeconds: 600 }],
    ['comes ten minutes early', { ageSeconds: -600 }],
    ['was changed on the way', { body: '{}' }],
    ['is about another lender', { tenantId: 'other-lender' }],
  ] satisfies [string, Change][])('%s', async (_what, change) => {
    const creditReportId = await completedElsewhere()
    const heard = at.service.seen.length
    expect(await tell(creditReportId, change)).toBe(403)
    expect(at.events.at(-1)).toMatchObject(
      'tenantId' in change
        ? { type: 'misconfigured', problem: expect.stringContaining('other-lender') }
        : { type: 'refused', operation: 'webhook', code: 'forbidden' },
    )
    expect([delivered.length, at.service.seen.length]).toEqual([0, heard])
  })
})

describe('a check of test mode at a live mount', () => {
  test.each([
    ['by its event', { test: true }],
    ['by the service’s word, whatever the event says', { test: false }],
  ])('is not delivered, and does not come again: known %s', async (_how, change) => {
    const creditReportId = await completedElsewhere()
    Object.assign(at.service.reports.get(creditReportId) ?? {}, { test: true })
    expect(await tell(creditReportId, change)).toBe(200)
    expect(delivered).toEqual([])
    expect(at.events.at(-1)).toMatchObject({ type: 'misconfigured', problem: expect.stringContaining('test mode') })
  })

  test('is no outcome of the lender', async () => {
    const outcomes: unknown[] = []
    at.mount({ webhookSecrets: [secret], onOutcome: (outcome) => outcomes.push(outcome) })
    const creditReportId = await completedElsewhere()
    const change = { type: 'credit-report.failed', status: 'failed' }
    expect(await tell(creditReportId, { ...change, test: true })).toBe(200)
    expect(outcomes).toEqual([])
    expect(await tell(creditReportId, change)).toBe(200)
    expect(outcomes).toMatchObject([{ status: 'failed', test: false }])
  })

  test('is delivered where a preview makes such checks', async () => {
    at.mount({ webhookSecrets: [secret], testScenarios: true, onReport: (_, context) => delivered.push(context) })
    const creditReportId = await completedElsewhere()
    Object.assign(at.service.reports.get(creditReportId) ?? {}, { test: true })
    await tell(creditReportId, { test: true })
    expect(delivered).toEqual([{ creditReportId, externalReference: 'order-7', test: true }])
  })
})

test('a test event is taken and is an event; nothing is fetched or delivered', async () => {
  const heard = at.service.seen.length
  const data = { tenantId: 'demo-lender', endpointId: 'we-0a1b2c3d4e5f' }
  expect(await tell('', { type: 'endpoint.test', data })).toBe(200)
  expect(at.events.at(-1)).toMatchObject({ type: 'webhook', event: { type: 'endpoint.test', data } })
  expect([delivered.length, at.service.seen.length]).toEqual([0, heard])
})

test('an event of a later version is taken and left alone', async () => {
  expect(await tell('report-1', { type: 'moon.full' })).toBe(200)
})

test('without secrets there is no such path', async () => {
  at.mount()
  expect(await tell('report-1')).toBe(404)
})
