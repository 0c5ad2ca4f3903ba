// Sends what is due, apart from requests and from the sweeper: a receiver that takes its ten seconds delays only its
// own events.
import { type Clock, MINUTE_MS } from '../../kit/clock.ts'
import type { KeyList } from '../../kit/keys.ts'
import { createCounter } from '../../kit/limits.ts'
import { repeat } from '../../kit/repeat.ts'
import { beginTrace, type Trace, traceHeaders } from '../../kit/trace.ts'
import { signWebhook } from '../../kit/webhook-signature.ts'
import { describeError } from '../../service/describe-error.ts'
import { type Log, runTraced } from '../../service/log.ts'
import type { Database, Transactions } from '../../service/store/database.ts'
import {
  type Delivery,
  findDelivery,
  type ListedDelivery,
  leaseDue,
  listDueEndpoints,
  recordAttempt,
} from './deliveries.ts'
import { openEndpoint } from './endpoints.ts'
import { type PostOptions, postWebhook } from './post.ts'
import { queueTest } from './queue.ts'

const LOOK_EVERY_MS = 1_000
/** Endpoints served at once by a process, and events at once to each. */
const ENDPOINTS_AT_ONCE = 32
const EVENTS_AT_ONCE = 4
/** Test events of a lender: each is a request that a person sends from here to a server of their choice. */
const TESTS_PER_MINUTE = 10

type SenderOptions = {
  database: Database
  clock: Clock
  log: Log
  /** Opens the signing secrets. */
  keys: KeyList
  post: PostOptions
  /** Hears how each attempt ended: `delivered`, `parked`, or `failed` when it is tried again. */
  onAttempt?: (outcome: string) => void
}

export type WebhookSender = {
  /** Sends what is due now, once each; resolves to how many attempts that were. */
  sendDue(): Promise<number>
  /** Looks every second until the returned function is called, which resolves when nothing is in progress any more. */
  start(): () => Promise<void>
  /**
   * Sends a test event to one endpoint and waits for the answer: at most as long as a receiver may take. Null when the
   * tenant has no such endpoint; a number of seconds to wait when it has sent too many.
   */
  sendTest(act: Transactions, endpoint: { tenantId: string; id: string }): Promise<ListedDelivery | number | null>
}

export function createWebhookSender(options: SenderOptions): WebhookSender {
  const { database, clock, log } = options
  const busy = new Map<string, Promise<number>>()
  const tests = createCounter({ windowMs: MINUTE_MS, clock })

  /** Begins to serve every endpoint that waits and is not being served. */
  async function look(): Promise<Promise<number>[]> {
    const waiting = await listDueEndpoints(database, clock(), ENDPOINTS_AT_ONCE + busy.size)
    const free = waiting.filter((id) => !busy.has(id)).slice(0, ENDPOINTS_AT_ONCE - busy.size)
    return free.map((id) => {
      const served = serve(id)
        .catch((error: unknown) => {
          log.warn('webhooks not sent', { jobId: id, ...describeError(error) })
          return 0
        })
        .finally(() => busy.delete(id))
      busy.set(id, served)
      return served
    })
  }

  async function serve(endpointId: string): Promise<number> {
    let sent = 0
    for (;;) {
      const leased = await leaseDue(database, { endpointId, nowMs: clock(), limit: EVENTS_AT_ONCE })
      if (leased.length === 0) return sent
      const endpoint = await openEndpoint(database, options.keys, { id: endpointId, nowMs: clock() })
      if (endpoint === null) return sent
      const outcomes = await Promise.all(
        leased.map((delivery) => {
          const trace = traceOf(delivery)
          return runTraced(trace, () => attempt(options, endpoint, { delivery, trace }))
        }),
      )
      sent += leased.length
      // Nothing was delivered: the rest of the queue waits for the next look, to spare a receiver that is down.
      if (!outcomes.includes('delivered')) return sent
    }
  }

  return {
    async sendDue() {
      const counts = await Promise.all(await look())
      return counts.reduce((sum, count) => sum + count, 0)
    },

    async sendTest(act, { tenantId, id: endpointId }) {
      const waitSeconds = tests.take(tenantId, TESTS_PER_MINUTE)
      if (waitSeconds > 0) return waitSeconds
      const id = await queueTest(act, { tenantId, endpointId, nowMs: clock() })
      const delivery = id && (await findDelivery(database, { tenantId, id }))
      const endpoint = await openEndpoint(database, options.keys, { id: endpointId, nowMs: clock() })
      // Removed meanwhile.
      if (!delivery || endpoint === null) return null
      const trace = traceOf(delivery)
      await runTraced(trace, () => attempt(options, endpoint, { delivery, trace }))
      return findDelivery(database, { tenantId, id: delivery.id })
    },

    start() {
      const stop = repeat(async () => {
        await look().catch((error: unknown) => log.warn('webhooks not looked for', describeError(error)))
        return LOOK_EVERY_MS
      })
      return async () => {
        await stop()
        await Promise.all(busy.values())
      }
    },
  }
}

async function attempt(
  { database, clock, log, post, onAttempt }: SenderOptions,
  { url, secrets }: { url: string; secrets: readonly string[] },
  { delivery, trace }: { delivery: Delivery; trace: Trace },
): Promise<string> {
  const body = Buffer.from(delivery.payload, 'utf8')
  // The time of this attempt, not of the event: a receiver refuses what is older than five minutes.
  const timestampSeconds = Math.floor(clock() / 1000)
  const signed = signWebhook(secrets, { id: delivery.id, timestampSeconds, body })
  const headers = { ...traceHeaders(trace), ...signed }
  const beganAtMs = performance.now()
  const { outcome, answer } = await postWebhook(post, { url, headers, body })
  const tookMs = Math.round(performance.now() - beganAtMs)
  const status = await recordAttempt(database, delivery, { outcome, answer, tookMs, nowMs: clock() })
  onAttempt?.(status === 'queued' ? 'failed' : status)
  // Its path may hold a secret of the lender's.
  const names = { jobId: delivery.id, tenantId: delivery.tenantId, address: new URL(url).origin, outcome }
  if (status === 'delivered') log.info('webhook delivered', names)
  else log.warn(status === 'parked' ? 'webhook parked' : 'webhook not delivered', names)
  return outcome
}

/** One trace for all attempts of an event: its id begins with a UUID. */
function traceOf({ id }: Delivery): Trace {
  return beginTrace(id.slice(0, 36).replaceAll('-', ''))
}
