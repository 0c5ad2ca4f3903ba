// What an operator watches. Labels are patterns, codes and outcomes: few, and never a person's.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = {
  requestFinished(request: { method: string; route: string; status: number; seconds: number }): void
  requestShed(urgency: string): void
  /** A report got its first status, or an OTP submit its answer. */
  reportAnswered(status: string): void
  challengeExpired(): void
  textSettled(outcome: string): void
  /** A report had to do without this bureau. */
  bureauMissing(bureau: string): void
  creditsMoved(line: { kind: string; purpose: string; credits: number }): void
  /** Read each time the numbers are collected. */
  watchLoad(read: () => { running: number; waiting: number }): void
  contentType: string
  render(): Promise<string>
}

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
  const credits = new Counter({
    name: 'wallet_credits_total',
    help: 'Credits moved, by kind of line and purpose',
    labelNames: ['kind', 'purpose'],
    registers,
  })

  return {
    requestFinished: ({ method, route, status, seconds }) => requests.observe({ method, route, status }, seconds),
    requestShed: (urgency) => shed.inc({ urgency }),
    reportAnswered: (status) => reports.inc({ status }),
    challengeExpired: () => expired.inc(),
    bureauMissing: (bureau) => bureausMissing.inc({ bureau }),
    textSettled: (outcome) => texts.inc({ outcome }),
    creditsMoved: ({ kind, purpose, credits: moved }) => credits.inc({ kind, purpose }, moved),
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
