// What an operator watches. Labels are patterns, codes and outcomes: few, and never a person's.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Queries } from './store/database.ts'

export type Metrics = {
  requestFinished(request: { method: string; route: string; status: number; seconds: number }): void
  requestShed(urgency: string): void
  /** A report got its first status, or an OTP submit its answer. */
  reportAnswered(status: string): void
  challengesExpired(count: number): void
  textSettled(outcome: string): void
  /** A report had to do without this bureau. */
  bureauMissing(bureau: string): void
  /** Both are read each time the numbers are collected. */
  watchWallets(database: Pick<Queries, 'first'>): void
  watchLoad(read: () => { running: number; waiting: number }): void
  contentType: string
  render(): Promise<string>
}

const WALLET_TOTALS = `SELECT COALESCE(SUM(balance_credits), 0) AS spendable, COALESCE(SUM(held_credits), 0) AS held FROM wallet`

const LATENCY_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20]

/** `process: true` adds the process's own numbers (memory, CPU, event-loop delay); a test has no use for them. */
export function createMetrics({ process = false }: { process?: boolean } = {}): Metrics {
  const registry = new Registry()
  const registers = [registry]
  if (process) collectDefaultMetrics({ register: registry })

  const requests = new Histogram({
    name: 'http_request_seconds',
    help: 'How long requests took, by route pattern and status',
    labelNames: ['method', 'route', 'status'],
    buckets: LATENCY_SECONDS,
    registers,
  })
  const shed = new Counter({
    name: 'http_requests_shed_total',
    help: 'Requests sent away because too many were under way',
    labelNames: ['urgency'],
    registers,
  })
  const reports = new Counter({
    name: 'credit_report_answers_total',
    help: 'Statuses given by generate and OTP submit',
    labelNames: ['status'],
    registers,
  })
  const expired = new Counter({
    name: 'challenges_expired_total',
    help: 'Challenges nobody answered in time',
    registers,
  })
  const texts = new Counter({
    name: 'text_messages_total',
    help: 'Texts by how they ended',
    labelNames: ['outcome'],
    registers,
  })
  const bureausMissing = new Counter({
    name: 'bureaus_missing_total',
    help: 'Bureaus that reports had to do without',
    labelNames: ['bureau'],
    registers,
  })

  return {
    requestFinished: ({ method, route, status, seconds }) => requests.observe({ method, route, status }, seconds),
    requestShed: (urgency) => shed.inc({ urgency }),
    reportAnswered: (status) => reports.inc({ status }),
    challengesExpired: (count) => expired.inc(count),
    bureauMissing: (bureau) => bureausMissing.inc({ bureau }),
    textSettled: (outcome) => texts.inc({ outcome }),
    watchWallets(database) {
      const credits = new Gauge({
        name: 'wallet_credits',
        help: 'Credits of all tenants together: spendable, and held for reports and texts under way',
        labelNames: ['state'],
        registers,
        async collect() {
          this.reset()
          // A database that is down must not take the other numbers with it: they are wanted most just then.
          const row = await database.first(WALLET_TOTALS).catch(() => null)
          if (row === null) return
          credits.set({ state: 'spendable' }, Number(row.spendable))
          credits.set({ state: 'held' }, Number(row.held))
        },
      })
    },
    watchLoad(read) {
      const watched = { running: 'Requests being worked on', waiting: 'Requests waiting for their turn' } as const
      for (const [name, help] of Object.entries(watched)) {
        new Gauge({
          name: `http_requests_${name}`,
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
