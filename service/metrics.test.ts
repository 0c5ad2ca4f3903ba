import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

test('everything counted can be read', async () => {
  const metrics = createMetrics()
  metrics.requestFinished({ method: 'POST', route: '/:tenantId/v1/credit-reports', status: 200, seconds: 0.02 })
  metrics.requestShed('low')
  metrics.reportAnswered('complete')
  metrics.challengesExpired(2)
  metrics.textSettled('delivered')
  metrics.watchWallets({ first: async () => ({ spendable: 900, held: 100 }) })
  metrics.watchLoad(() => ({ running: 3, waiting: 2 }))
  const lines = (await metrics.render()).split('\n')
  const route = 'method="POST",route="/:tenantId/v1/credit-reports",status="200"'
  expect(lines).toEqual(
    expect.arrayContaining([
      `http_request_seconds_bucket{le="0.01",${route}} 0`,
      `http_request_seconds_bucket{le="0.025",${route}} 1`,
      'http_requests_shed_total{urgency="low"} 1',
      'credit_report_answers_total{status="complete"} 1',
      'challenges_expired_total 2',
      'text_messages_total{outcome="delivered"} 1',
      'wallet_credits{state="spendable"} 900',
      'wallet_credits{state="held"} 100',
      'http_requests_running 3',
      'http_requests_waiting 2',
    ]),
  )
})

test('a database that is down takes no other number with it', async () => {
  const metrics = createMetrics()
  metrics.watchWallets({ first: () => Promise.reject(new Error('down')) })
  metrics.watchLoad(() => ({ running: 3, waiting: 2 }))
  const text = await metrics.render()
  expect(text).toContain('http_requests_running 3')
  expect(text).not.toContain('wallet_credits{')
})

test('two apps in one process count apart', async () => {
  const [one, other] = [createMetrics(), createMetrics()]
  one.challengesExpired(1)
  expect(await other.render()).toContain('challenges_expired_total 0')
})
