// Webhooks against receivers that are slow, down, lying and redirecting, and forgers against a receiver: every event
// arrives or is parked where it can be seen, and nothing forged is believed.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { KeyList } from '../kit/keys.ts'
import { signWebhook } from '../kit/webhook-signature.ts'
import { addEndpoint } from '../plugins/webhooks/endpoints.ts'
import { postWebhook } from '../plugins/webhooks/post.ts'
import { queueWebhook } from '../plugins/webhooks/queue.ts'
import { createWebhookSender } from '../plugins/webhooks/sender.ts'
import { deriveKeys } from '../service/keys.ts'
import { createSilentLog } from '../service/log.ts'
import { createRandom } from '../service/providers/simulated/synthetic-random.ts'
import { createTestApp, type TestApp } from '../testing/test-app.ts'
import { type Misbehaviour, startWebhookReceiver, type WebhookReceiver } from '../testing/webhook-receiver.ts'

const EVENTS = 10_000
/** Of every twenty events: to a receiver that is well, one that is unreliable, one that is gone, one that redirects. */
const SHARES = ['sound', 'flaky', 'gone', 'redirecting'] as const
const SHARE_OF = (serial: number) =>
  SHARES[serial % 20 < 10 ? 0 : serial % 20 < 18 ? 1 : serial % 20 === 18 ? 2 : 3] ?? 'sound'
const RULES = { httpsOnly: false, allowLoopback: true }
const TIMEOUT_MS = 100
const HOUR_MS = 3_600_000
const FORGED_EACH = 100

type Share = (typeof SHARES)[number]

export const about = {
  title: 'Webhooks to faulty receivers',
  text: 'Events go to four receivers: healthy; slow, failing and endless; gone; redirecting. Forged and stale webhooks are sent to the first, which verifies with the published standardwebhooks package.',
  meanings: {
    events: 'for four lenders',
    repeats: 'deliveries beyond the first: at least once',
    lost: 'neither arrived nor parked',
  },
}

export async function run({ scale }: { scale: number }) {
  const events = Math.max(20, Math.round(EVENTS * scale))
  const app = await createTestApp()
  app.time.nowMs = Date.now()
  const random = createRandom('webhooks')
  const keys = deriveKeys(app.config.secretKeys).webhooks
  const [sound, flaky, redirecting, gone] = [
    await startWebhookReceiver(),
    await startWebhookReceiver(),
    await startWebhookReceiver(),
    await startWebhookReceiver(),
  ]
  const elsewhere = await startElsewhere()
  await gone.close()
  redirecting.state.misbehave = (_request, response) => response.writeHead(308, { Location: elsewhere.url }).end()
  flaky.state.misbehave = (...call) => random.pick(MISBEHAVIOURS)(...call)
  flaky.state.forgetsToAnswer = () => random.between(1, 10) === 1
  const receivers: Record<Share, WebhookReceiver> = { sound, flaky, gone, redirecting }
  const tenants = await register(app, keys, receivers)
  const post = { rules: RULES, timeoutMs: TIMEOUT_MS }
  const clock = Date.now
  const sender = createWebhookSender({ database: app.database, clock, log: createSilentLog(), keys, post })

  for (let serial = 0; serial < events; serial += 1) {
    const tenantId = tenants[SHARE_OF(serial)]
    const data = { tenantId, creditReportId: `report-${serial}`, status: 'complete' as const, test: true }
    await queueWebhook(app.database, { type: 'credit-report.completed', data }, clock())
  }

  let attempts = 0
  while (await countOf(app, 'queued')) {
    const sent = await sender.sendDue()
    attempts += sent
    if (sent === 0) await letTimePass(app, HOUR_MS)
  }
  const forged = await forge(sound)
  const parked = await app.database.all(`SELECT tenant_id, payload FROM webhook_delivery WHERE status = 'parked'`)
  const seen = new Set(parked.map(({ payload }) => JSON.parse(String(payload)).data.creditReportId))
  const arrivals = [...sound.received, ...flaky.received].map(({ data }) => String(data.creditReportId))
  const arrived = new Set(arrivals)
  for (const id of arrived) seen.add(id)
  const unreachable = [tenants.gone, tenants.redirecting]
  const parkedThere = parked.filter(({ tenant_id }) => unreachable.includes(String(tenant_id))).length
  const sentThere = Array.from({ length: events }, (_, serial) => SHARE_OF(serial)).filter(
    (share) => share === 'gone' || share === 'redirecting',
  ).length
  const believed = forged.believed + [...arrived].filter((id) => !/^report-\d+$/.test(id)).length

  await Promise.all([sound.close(), flaky.close(), redirecting.close(), elsewhere.close()])
  await app.close()
  const counts = {
    events,
    attempts,
    arrived: arrived.size,
    repeats: arrivals.length - arrived.size,
    parked: parked.length,
    lost: events - seen.size,
    forged: forged.sent,
    'forged believed': believed,
    'redirects followed': elsewhere.calls(),
  }
  return { ok: counts.lost === 0 && parkedThere === sentThere && believed === 0 && elsewhere.calls() === 0, counts }
}

const behave: Misbehaviour = () => 'behave'
const MISBEHAVIOURS: readonly [Misbehaviour, ...Misbehaviour[]] = [
  behave,
  behave,
  behave,
  behave,
  (_request, response) => response.writeHead(503).end(),
  (request) => request.socket.destroy(),
  (_request, response) => response.writeHead(200).end('x'.repeat(100_000)),
  (_request, response) => response.writeHead(200).write('says yes and never ends'),
]

async function register(app: TestApp, keys: KeyList, receivers: Record<Share, WebhookReceiver>) {
  const tenants: Record<Share, string> = { sound: '', flaky: '', gone: '', redirecting: '' }
  for (const share of SHARES) {
    const tenantId = await app.newTenant(0)
    const { url, state } = receivers[share]
    const added = await addEndpoint(app.database, keys, { tenantId, url, nowMs: Date.now() })
    state.secret = added?.secret ?? ''
    tenants[share] = tenantId
  }
  return tenants
}

/** The receivers' library looks at the real clock, so it is the events that grow older. */
async function letTimePass(app: TestApp, ms: number): Promise<void> {
  await app.database.run(
    `UPDATE webhook_delivery SET due_at_ms = due_at_ms - ?, queued_at_ms = queued_at_ms - ? WHERE status = 'queued'`,
    ms,
    ms,
  )
}

async function countOf(app: TestApp, status: string): Promise<number> {
  const row = await app.database.first('SELECT COUNT(*) AS many FROM webhook_delivery WHERE status = ?', status)
  return Number(row?.many)
}

/** Signed with another secret, changed after signing, and ten minutes old. */
async function forge(receiver: WebhookReceiver): Promise<{ sent: number; believed: number }> {
  const believedBefore = receiver.received.length
  const nowSeconds = Math.floor(Date.now() / 1000)
  const body = Buffer.from('{"type":"credit-report.completed","data":{"creditReportId":"forged"}}')
  const strange = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const good = receiver.state.secret
  let sent = 0
  for (let serial = 0; serial < FORGED_EACH; serial += 1) {
    const message = { id: `forged-${serial}`, timestampSeconds: nowSeconds, body }
    const changed = { ...signWebhook([good], message), 'webhook-id': `other-${serial}` }
    const stale = signWebhook([good], { ...message, timestampSeconds: nowSeconds - 600 })
    for (const headers of [signWebhook([strange], message), changed, stale, {}]) {
      await postWebhook({ rules: RULES }, { url: receiver.url, headers, body })
      sent += 1
    }
  }
  return { sent, believed: receiver.received.length - believedBefore }
}

/** The target of the redirects. */
async function startElsewhere() {
  let calls = 0
  const server = createServer((_request, response) => {
    calls += 1
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/`,
    calls: () => calls,
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  }
}
