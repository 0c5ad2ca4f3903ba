import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTenantProxy } from 'credit-report-widget/tenant-proxy'
import { createTestService, playCheck, signedWebhook } from 'credit-report-widget/testing'

const order = 'order-1042'
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const service = createTestService()

/** Your own options, with the service replaced; your own tests import the file that has them. */
function createProxy(options = {}) {
  return createTenantProxy({
    externalReference: () => order,
    webhookSecrets: [secret],
    onEvent: () => {},
    ...options,
    ...service.options,
    test: true,
  })
}
const proxy = createProxy()

/** Your checkout's route. */
async function decide(request) {
  const expect = { lastName: 'Example', dateOfBirth: '1985-03-27' }
  const check = await proxy.decide(request, { externalReference: order, expect })
  if (check.status !== 'complete') return check.status
  return check.agencies.every(({ status }) => status === 'answered') ? 'lend' : 'ask a person'
}

test('a completed check is lent to', async () => {
  const check = await playCheck(proxy)
  assert.equal(check.status, 'complete')
  assert.equal(await decide(check.request), 'lend')
})

test('a report about another person is not', async () => {
  const { request } = await playCheck(proxy, { details: { lastName: 'Another' } })
  assert.equal(await decide(request), 'mismatch')
})

test('an open check, and one that failed, are not', async () => {
  const { request } = await playCheck(proxy, { code: null })
  assert.equal(await decide(request), 'open')
  const failed = await playCheck(proxy, { details: { mobileNumber: '+447700900803' } })
  assert.equal(await decide(failed.request), 'failed')
})

test('an agency that does not answer is seen', async () => {
  const { request } = await playCheck(proxy, { details: { lastName: 'Unavailable' } })
  const decision = await proxy.decide(request, { externalReference: order })
  assert.deepEqual(decision.status === 'complete' && decision.agencies?.map(({ status }) => status), [
    'answered',
    'answered',
    'unavailable',
  ])
})

test('an empty wallet is told', async () => {
  const events = []
  const watched = createProxy({ onEvent: (event) => events.push(event) })
  const check = await playCheck(watched, { details: { lastName: 'Nofunds' } })
  assert.equal(check.code, 'insufficient-funds')
  assert.deepEqual(
    events.map(({ type }) => type),
    ['insufficient-funds'],
  )
})

test('a webhook brings the report to a process that was away', async () => {
  const { creditReportId } = await playCheck(proxy)
  const reports = []
  const restarted = createProxy({ onReport: (_report, about) => reports.push(about.creditReportId) })
  const signed = signedWebhook(secret, service.eventOf(creditReportId))
  const answer = await restarted(new Request('https://shop.test/credit-reports/webhook', signed))
  assert.equal(answer.status, 200)
  assert.deepEqual(reports, [creditReportId])
})
