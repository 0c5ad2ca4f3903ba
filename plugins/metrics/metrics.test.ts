import { expect, test } from 'vitest'
import { version } from '../../packages/credit-report-service/package.json' with { type: 'json' }
import { createMetrics } from './metrics.ts'

test('everything counted can be read', async () => {
  const metrics = createMetrics()
  metrics.requestFinished({ method: 'POST', route: '/:tenantId/v1/credit-reports', status: 200, seconds: 0.02 })
  metrics.count('http_requests_shed_total', { urgency: 'low' })
  metrics.limitMet('network')
  metrics.count('webhook_attempts_total', { outcome: 'parked' })
  metrics.heard({ type: 'answered', status: 'blocked', waitedMs: 1, isReplay: false })
  metrics.heard({ type: 'submitted', status: 'complete' })
  metrics.count('challenges_expired_total', {}, 2)
  metrics.heard({ type: 'text', fate: 'accepted' })
  metrics.heard({ type: 'text', fate: 'delivered' })
  metrics.providerCalled({ provider: 'experian', outcome: 'circuit-open', seconds: 0.1 })
  metrics.sweeper.started(['oldKeys', 'oldReports'], 1_000)
  metrics.sweeper.swept('oldKeys', { count: 200, isBehind: true, atMs: 5_000 })
  metrics.sweeper.swept('oldReports', { count: null, isBehind: false, atMs: 5_000 })
  metrics.watchDatabase(
    {
      first: async <R>() =>
        ({
          spendable: 900,
          held: 100,
          open_reports: 4,
          queued: 2,
          oldest: 1_000,
          accepted: 5,
          webhooks: 3,
          oldest_webhook: 21_000,
          backed_up: 1_000,
        }) as R,
      all: async <R>() => [
        { tenant_id: 'acme', balance_credits: 900, held_credits: 100, purpose: 'text', day_credits: 40 } as R,
      ],
      load: () => ({ inUse: 7, waiting: 1 }),
    },
    () => 31_000,
  )
  metrics.watch('ready', 'Watched', async () => 1)
  metrics.watch('clock_offset_seconds', 'Watched', () => -0.25)
  const lines = (await metrics.render()).split('\n')
  const route = 'method="POST",route="/:tenantId/v1/credit-reports",status="200"'
  expect(lines).toEqual(
    expect.arrayContaining([
      `crs_http_request_seconds_bucket{le="0.01",${route}} 0`,
      `crs_http_request_seconds_bucket{le="0.025",${route}} 1`,
      'crs_http_requests_shed_total{urgency="low"} 1',
      'crs_limits_total{kind="network"} 1',
      'crs_webhook_attempts_total{outcome="parked"} 1',
      'crs_webhooks_queued 3',
      'crs_webhooks_oldest_seconds 10',
      'crs_tenant_spent_credits{tenant="acme",purpose="text"} 40',
      'crs_reports_answered_total{status="blocked"} 1',
      'crs_reports_answered_total{status="complete"} 1',
      'crs_challenges_expired_total 2',
      'crs_texts_total{outcome="delivered"} 1',
      'crs_wallet_credits{state="spendable"} 900',
      'crs_wallet_credits{state="held"} 100',
      'crs_tenant_credits{tenant="acme",state="spendable"} 900',
      'crs_reports_open 4',
      'crs_outbox_texts{state="queued"} 2',
      'crs_outbox_texts{state="accepted"} 5',
      'crs_outbox_oldest_seconds 30',
      'crs_backup_age_seconds 30',
      'crs_database_connections{state="in-use"} 7',
      'crs_database_connections{state="waiting"} 1',
      'crs_provider_call_seconds_count{provider="experian",outcome="circuit-open"} 1',
      'crs_sweep_rows_total{task="oldKeys"} 200',
      'crs_sweep_behind{task="oldKeys"} 1',
      'crs_sweep_failures_total{task="oldReports"} 1',
      'crs_sweep_last_success_timestamp_seconds{task="oldKeys"} 5',
      // A round that failed is no success: SweeperStopped goes by this time.
      'crs_sweep_last_success_timestamp_seconds{task="oldReports"} 1',
      'crs_ready 1',
      'crs_clock_offset_seconds -0.25',
      `crs_build_info{version="${version}",node="${process.version}"} 1`,
    ]),
  )
  expect(lines.filter((line) => line.startsWith('crs_texts_total'))).toHaveLength(1)
})

test('a histogram has a step from a millisecond to twenty seconds, for requests and providers alike', async () => {
  const metrics = createMetrics()
  metrics.requestFinished({ method: 'GET', route: '/healthz', status: 200, seconds: 0 })
  metrics.providerCalled({ provider: 'risk', outcome: 'answered', seconds: 0 })
  const lines = (await metrics.render()).split('\n')
  for (const name of ['http_request_seconds', 'provider_call_seconds']) {
    const edges = lines.flatMap((line) => new RegExp(`^crs_${name}_bucket\\{le="([^"]+)"`).exec(line)?.[1] ?? [])
    expect(edges.join(' ')).toBe('0.001 0.0025 0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 20 +Inf')
  }
})

test('the process’s own numbers are there for a process, and nowhere else', async () => {
  const own = 'crs_process_resident_memory_bytes '
  expect(await createMetrics({ process: true }).render()).toContain(own)
  expect(await createMetrics().render()).not.toContain(own)
})

test('a process that cannot serve, a task that is up to date and a bureau that was missing are numbers too', async () => {
  const metrics = createMetrics()
  metrics.watch('ready', 'Watched', async () => 0)
  metrics.sweeper.swept('oldKeys', { count: 3, isBehind: false, atMs: 5_000 })
  metrics.heard({ type: 'agency-missing', agency: 'experian' })
  metrics.set('books_broken', 1)
  metrics.set('reports_unreadable', 2)
  expect((await metrics.render()).split('\n')).toEqual(
    expect.arrayContaining([
      'crs_ready 0',
      'crs_sweep_behind{task="oldKeys"} 0',
      'crs_bureaus_missing_total{bureau="experian"} 1',
      'crs_books_broken 1',
      'crs_reports_unreadable 2',
    ]),
  )
})

test('a process that lost its turn says nothing of what it found before', async () => {
  const metrics = createMetrics()
  metrics.set('books_broken', 1)
  metrics.set('reports_unreadable', 2)
  metrics.sweeper.swept('oldKeys', { count: 200, isBehind: true, atMs: 5_000 })
  metrics.sweeper.idle()
  const lines = (await metrics.render()).split('\n')
  expect(lines).toEqual(expect.arrayContaining(['crs_books_broken 0', 'crs_reports_unreadable 0']))
  expect(lines).not.toContain('crs_sweep_behind{task="oldKeys"} 1')
})

test('a database that is down takes no other number with it', async () => {
  const metrics = createMetrics()
  const down = () => Promise.reject(new Error('down'))
  metrics.watchDatabase({ first: down, all: down, load: () => ({ inUse: 0, waiting: 9 }) }, Date.now)
  metrics.watch('http_requests_running', 'Watched', () => 3)
  const text = await metrics.render()
  expect(text).toContain('crs_http_requests_running 3')
  expect(text).not.toContain('crs_wallet_credits{')
})

test('two apps in one process count apart', async () => {
  const [one, other] = [createMetrics(), createMetrics()]
  one.count('challenges_expired_total')
  expect(await other.render()).toContain('crs_challenges_expired_total 0')
})
