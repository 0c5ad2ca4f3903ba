// Metrics for an operator, all of them under one prefix. Labels are patterns, codes and outcomes: few, and never a
// person's. No other file knows the library that keeps them: its successor, @prometheus-io/client, needs Node 22.
import { version as nodeVersion } from 'node:process'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { TEXT_REFUSALS } from '../../contract/stats.ts'
import type { Clock } from '../../kit/clock.ts'
import { version as VERSION } from '../../packages/credit-report-service/package.json' with { type: 'json' }
import type { Happened } from '../../service/plugin.ts'
import type { Database } from '../../service/store/database.ts'
import type { SweepObserver } from '../../service/sweeper.ts'
import { type Gauge as Watched, watchDatabase } from './watch-database.ts'

export type Metrics = ReturnType<typeof createMetrics>
type FinishedRequest = { method: string; route: string; status: number; seconds: number }

/** The beginning of every name, by which a scraper of many services recognises ours. */
const PREFIX = 'crs_'

const LATENCY_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20]

/** `process: true` adds the process's own numbers (memory, CPU, event-loop delay); a test has no use for them. */
export function createMetrics({ process = false } = {}) {
  const registry = new Registry()
  const registers = [registry]
  if (process) collectDefaultMetrics({ register: registry, prefix: PREFIX })

  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name: `${PREFIX}${name}`, help, labelNames, registers })
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name: `${PREFIX}${name}`, help, labelNames, registers })
  const histogram = (name: string, help: string, ...labelNames: string[]) =>
    new Histogram({ name: `${PREFIX}${name}`, help, labelNames, buckets: LATENCY_SECONDS, registers })
  /** Filled when the numbers are collected. */
  const watched = (name: string, help: string, fill: (gauge: Watched) => Promise<void> | void, labelNames?: string[]) =>
    new Gauge({
      name: `${PREFIX}${name}`,
      help,
      labelNames: labelNames ?? [],
      registers,
      async collect() {
        this.reset()
        // A database that is down must not take the other numbers with it: they are wanted most just then.
        await Promise.resolve(fill(this)).catch(() => {})
      },
    })

  const routeLabels = ['method', 'route', 'status']
  const requests = histogram(
    'http_request_seconds',
    'Time to answer requests, by route pattern and status',
    ...routeLabels,
  )
  const shed = counter('http_requests_shed_total', 'Requests refused because too many were in progress', 'urgency')
  const limits = counter('limits_total', 'Requests refused with 429, by the kind of limit', 'kind')
  const attempts = 'Attempts to deliver a webhook, by how they ended; parked: the last one'
  const webhooks = counter('webhook_attempts_total', attempts, 'outcome')
  const reports = counter('reports_answered_total', 'Statuses given by generate and OTP submit', 'status')
  const expired = counter('challenges_expired_total', 'Challenges that expired without an answer')
  const texts = counter('texts_total', 'Texts by how they ended', 'outcome')
  const refused = counter(
    'texts_refused_total',
    'Texts that were not delivered, by the reason the gateway gave',
    'reason',
  )
  // From 0, so that an alert sees the first one.
  for (const reason of TEXT_REFUSALS) refused.inc({ reason }, 0)
  const bureausMissing = counter('bureaus_missing_total', 'Bureaus that reports had to do without', 'bureau')
  const calls = 'Time providers took, retries included, by outcome; circuit-open: not asked'
  const providers = histogram('provider_call_seconds', calls, 'provider', 'outcome')
  const sweptRows = counter('sweep_rows_total', 'Rows the sweeper dealt with', 'task')
  const failures = 'Rounds of a task that failed, wholly or for some rows'
  const sweepFailures = counter('sweep_failures_total', failures, 'task')
  const sweepBehind = gauge('sweep_behind', '1 while a task has more than one round can do', 'task')
  const lastSuccess =
    'Time this process last finished the task, or else started; only the process whose turn it is sweeps'
  const sweptAt = gauge('sweep_last_success_timestamp_seconds', lastSuccess, 'task')
  const notReports = 'Complete reports whose content cannot be opened or is no report, as the sweeper last found'
  const unreadable = gauge('reports_unreadable', notReports)
  const unbalanced = 'Lenders whose balance is not the sum of their lines, as the sweeper last found'
  const booksBroken = gauge('books_broken', unbalanced)
  const build = gauge('build_info', 'Version of this process, and of its Node', 'version', 'node')
  build.set({ version: VERSION, node: nodeVersion }, 1)

  /** Those that the core and plugins add to by name. */
  const counters: { readonly [name: string]: Counter } = {
    http_requests_shed_total: shed,
    webhook_attempts_total: webhooks,
    challenges_expired_total: expired,
  }
  const gauges: { readonly [name: string]: Gauge } = { reports_unreadable: unreadable, books_broken: booksBroken }

  return {
    providerCalled: ({ provider, outcome, seconds }: { provider: string; outcome: string; seconds: number }) =>
      providers.observe({ provider, outcome }, seconds),
    sweeper: {
      // A task that never succeeds has a beginning to be measured from.
      started(tasks, atMs) {
        for (const task of tasks) sweptAt.set({ task }, atMs / 1000)
      },
      swept(task, { count, isBehind, atMs }) {
        sweepBehind.set({ task }, isBehind ? 1 : 0)
        if (count === null) return sweepFailures.inc({ task })
        sweptRows.inc({ task }, count)
        sweptAt.set({ task }, atMs / 1000)
      },
      idle() {
        for (const found of [sweepBehind, booksBroken, unreadable]) found.reset()
      },
    } satisfies SweepObserver,
    requestFinished: ({ method, route, status, seconds }: FinishedRequest) =>
      requests.observe({ method, route, status }, seconds),
    /** A request was refused by a limit of this kind. */
    limitMet: (kind: string) => limits.inc({ kind }),
    count: (name: string, labels = {}, by = 1) => counters[name]?.inc(labels, by),
    set: (name: string, value: number) => gauges[name]?.set(value),
    watch(name: string, help: string, read: () => number | Promise<number>): void {
      watched(name, help, async (gauge) => gauge.set(await read()))
    },
    heard(what: Happened): void {
      if (what.type === 'answered' || what.type === 'submitted') reports.inc({ status: what.status })
      if (what.type === 'agency-missing') bureausMissing.inc({ bureau: what.agency })
      if (what.type !== 'text') return
      if (what.fate !== 'accepted') texts.inc({ outcome: what.fate })
      if (what.reason !== undefined) refused.inc({ reason: what.reason })
    },
    watchDatabase: (database: Pick<Database, 'first' | 'all' | 'load'>, clock: Clock) =>
      watchDatabase(watched, database, clock),
    contentType: registry.contentType,
    render: () => registry.metrics(),
  }
}
