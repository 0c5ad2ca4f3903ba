// What an operator watches, all of it under one prefix. Labels are patterns, codes and outcomes: few, and never a person's.
import { version as nodeVersion } from 'node:process'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Clock } from '../kit/clock.ts'
import { version as VERSION } from '../packages/credit-report-service/package.json' with { type: 'json' }
import type { Database } from './store/database.ts'
import { watchDatabase } from './watch-database.ts'

export type Metrics = {
  requestFinished(request: { method: string; route: string; status: number; seconds: number }): void
  requestShed(urgency: string): void
  /** A request was refused by a limit of this kind. */
  limitMet(kind: string): void
  /** `delivered`, `parked`, or `failed` when it will be tried again. */
  webhookAttempted(outcome: string): void
  /** A report got its first status, or an OTP submit its answer. */
  reportAnswered(status: string): void
  challengesExpired(count: number): void
  textSettled(outcome: string): void
  /** A report had to do without this bureau. */
  bureauMissing(bureau: string): void
  providerCalled(call: { provider: string; outcome: string; seconds: number }): void
  swept(task: string, outcome: { count: number | null; isBehind: boolean }): void
  readiness(isReady: boolean): void
  /** Each of these is read when the numbers are collected. */
  watchDatabase(database: Pick<Database, 'first' | 'all' | 'load'>, clock: Clock): void
  watchLoad(read: () => { running: number; waiting: number }): void
  watchClock(offsetMs: () => number): void
  contentType: string
  render(): Promise<string>
}

/** Of every name: what a scraper of many services tells ours by. */
const PREFIX = 'crs_'

const LATENCY_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20]

/** `process: true` adds the process's own numbers (memory, CPU, event-loop delay); a test has no use for them. */
export function createMetrics({ process = false }: { process?: boolean } = {}): Metrics {
  const registry = new Registry()
  const registers = [registry]
  if (process) collectDefaultMetrics({ register: registry, prefix: PREFIX })

  const requests = new Histogram({
    name: `${PREFIX}http_request_seconds`,
    help: 'How long requests took, by route pattern and status',
    labelNames: ['method', 'route', 'status'],
    buckets: LATENCY_SECONDS,
    registers,
  })
  const shed = new Counter({
    name: `${PREFIX}http_requests_shed_total`,
    help: 'Requests sent away because too many were under way',
    labelNames: ['urgency'],
    registers,
  })
  const limits = new Counter({
    name: `${PREFIX}limits_total`,
    help: 'Requests refused with 429, by the kind of limit',
    labelNames: ['kind'],
    registers,
  })
  const webhooks = new Counter({
    name: `${PREFIX}webhook_attempts_total`,
    help: 'Attempts to deliver a webhook, by how they ended; parked: the last one',
    labelNames: ['outcome'],
    registers,
  })
  const breakers = new Gauge({
    name: `${PREFIX}provider_breaker_open`,
    help: '1 while calls of a provider that keeps failing are not made, as of the last one',
    labelNames: ['provider'],
    registers,
  })
  const reports = new Counter({
    name: `${PREFIX}reports_answered_total`,
    help: 'Statuses given by generate and OTP submit',
    labelNames: ['status'],
    registers,
  })
  const expired = new Counter({
    name: `${PREFIX}challenges_expired_total`,
    help: 'Challenges nobody answered in time',
    registers,
  })
  const texts = new Counter({
    name: `${PREFIX}texts_total`,
    help: 'Texts by how they ended',
    labelNames: ['outcome'],
    registers,
  })
  const bureausMissing = new Counter({
    name: `${PREFIX}bureaus_missing_total`,
    help: 'Bureaus that reports had to do without',
    labelNames: ['bureau'],
    registers,
  })
  const providers = new Histogram({
    name: `${PREFIX}provider_call_seconds`,
    help: 'How long providers took, retries included, by how it ended; circuit-open: not asked',
    labelNames: ['provider', 'outcome'],
    buckets: LATENCY_SECONDS,
    registers,
  })
  const sweptRows = new Counter({
    name: `${PREFIX}sweep_rows_total`,
    help: 'Rows the sweeper dealt with',
    labelNames: ['task'],
    registers,
  })
  const sweepFailures = new Counter({
    name: `${PREFIX}sweep_failures_total`,
    help: 'Rounds of a task that failed, wholly or for some rows',
    labelNames: ['task'],
    registers,
  })
  const sweepBehind = new Gauge({
    name: `${PREFIX}sweep_behind`,
    help: '1 while a task has more than one round can do',
    labelNames: ['task'],
    registers,
  })
  const sweptAt = new Gauge({
    name: `${PREFIX}sweep_last_success_timestamp_seconds`,
    help: 'When this process last finished the task; only the process whose turn it is sweeps',
    labelNames: ['task'],
    registers,
  })
  const ready = new Gauge({ name: `${PREFIX}ready`, help: '1 when /readyz last said yes', registers })
  const build = new Gauge({
    name: `${PREFIX}build_info`,
    help: 'Which version this process runs, and on which Node',
    labelNames: ['version', 'node'],
    registers,
  })
  build.set({ version: VERSION, node: nodeVersion }, 1)

  return {
    providerCalled({ provider, outcome, seconds }) {
      providers.observe({ provider, outcome }, seconds)
      breakers.set({ provider }, outcome === 'circuit-open' ? 1 : 0)
    },
    swept(task, { count, isBehind }) {
      sweepBehind.set({ task }, isBehind ? 1 : 0)
      if (count === null) return sweepFailures.inc({ task })
      sweptRows.inc({ task }, count)
      sweptAt.setToCurrentTime({ task })
    },
    readiness: (isReady) => ready.set(isReady ? 1 : 0),
    requestFinished: ({ method, route, status, seconds }) => requests.observe({ method, route, status }, seconds),
    requestShed: (urgency) => shed.inc({ urgency }),
    limitMet: (kind) => limits.inc({ kind }),
    webhookAttempted: (outcome) => webhooks.inc({ outcome }),
    reportAnswered: (status) => reports.inc({ status }),
    challengesExpired: (count) => expired.inc(count),
    bureauMissing: (bureau) => bureausMissing.inc({ bureau }),
    textSettled: (outcome) => texts.inc({ outcome }),
    watchDatabase: (database, clock) => watchDatabase({ registers, prefix: PREFIX }, database, clock),
    watchClock(offsetMs) {
      new Gauge({
        name: `${PREFIX}clock_offset_seconds`,
        help: 'What the database clock is ahead of this machine',
        registers,
        collect() {
          this.set(offsetMs() / 1000)
        },
      })
    },
    watchLoad(read) {
      const watched = { running: 'Requests being worked on', waiting: 'Requests waiting for their turn' } as const
      for (const [name, help] of Object.entries(watched)) {
        new Gauge({
          name: `${PREFIX}http_requests_${name}`,
          help,
          registers,
          collect() {
            this.set(name === 'running' ? read().running : read().waiting)
          },
        })
      }
    },
    contentType: registry.contentType,
    render: () => registry.metrics(),
  }
}
