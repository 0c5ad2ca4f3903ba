// Sending events: how many at once, their logs and counts, and the limit on tests that a person sends.
import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTenant } from '../../service/ledger/tenants.ts'
import { createLog } from '../../service/log.ts'
import type { Database } from '../../service/store/database.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../testing/webhook-receiver.ts'
import { listDeliveries } from './deliveries.ts'
import { addEndpoint, removeEndpoint } from './endpoints.ts'
import { queueWebhook } from './queue.ts'
import { createWebhookSender, type WebhookSender } from './sender.ts'

const keys = [new Uint8Array(32).fill(7)] as const
const DAY_MS = 86_400_000

let folder: string
let database: Database
let receiver: WebhookReceiver
let sender: WebhookSender
let endpointId: string
let nowMs: number
let lines: string[]
let attempts: string[]
/** Of every call that the receiver got, in order. */
let headers: IncomingHttpHeaders[]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sender-'))
  database = await openTestDatabase({ databaseUrl: null, dataDir: folder })
  // The receiver is a published library and looks at the real clock.
  nowMs = Date.now()
  lines = []
  attempts = []
  headers = []
  receiver = await startWebhookReceiver()
  answering(204)
  for (const id of ['acme', 'other']) await createTenant(database, { id, name: id, nowMs })
  endpointId = await endpointOf('acme')
  sender = createSender(database)
})
afterEach(async () => {
  await receiver.close()
  await database.close()
  rmSync(folder, { recursive: true })
})

function createSender(over: Database): WebhookSender {
  return createWebhookSender({
    database: over,
    clock: () => nowMs,
    log: createLog({ to: { write: (line) => lines.push(line) } }),
    keys,
    post: { rules: { httpsOnly: false, allowLoopback: true }, timeoutMs: 120_000 },
    onAttempt: (outcome) => attempts.push(outcome),
  })
}

async function endpointOf(tenantId: string): Promise<string> {
  return (await addEndpoint(database, keys, { tenantId, url: receiver.url, nowMs }))?.id ?? ''
}

function answering(...statuses: number[]): void {
  receiver.state.misbehave = (request, response) => {
    headers.push(request.headers)
    response.writeHead(statuses.shift() ?? 204).end()
  }
}

async function queue(count = 1, tenantId = 'acme'): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const data = { tenantId, creditReportId: `r${index}`, status: 'complete', test: false } as const
    await queueWebhook(database, { type: 'credit-report.completed', data }, nowMs)
  }
}

const deliveries = () => listDeliveries(database, { tenantId: 'acme', limit: 100 })
const logged = () =>
  lines.map((line) => JSON.parse(line)).map(({ level, event, outcome }) => `${level} ${event}: ${outcome}`)

test('a receiver that answers gets all that waits, four at a time; one that does not is spared the rest', async () => {
  await queue(9)
  expect(await sender.sendDue()).toBe(9)
  await queue(9)
  answering(...Array<number>(9).fill(500))
  expect(await sender.sendDue()).toBe(4)
  expect((await deliveries()).filter(({ lastOutcome }) => lastOutcome === 'status 500')).toHaveLength(4)
  expect(await sender.sendDue()).toBe(4)
  expect(await sender.sendDue()).toBe(1)
  expect(await sender.sendDue()).toBe(0)
})

test('each endpoint counts: what is sent to several is added up', async () => {
  await endpointOf('other')
  await queue(2)
  await queue(3, 'other')
  expect(await sender.sendDue()).toBe(5)
})

test('how each attempt ended is logged and counted', async () => {
  answering(500)
  await queue()
  await sender.sendDue()
  nowMs += 4 * DAY_MS
  answering(410)
  await sender.sendDue()
  await queue()
  await sender.sendDue()
  expect(attempts).toEqual(['failed', 'parked', 'delivered'])
  expect(logged()).toEqual([
    '40 webhook not delivered: status 500',
    '40 webhook parked: status 410',
    '30 webhook delivered: delivered',
  ])
  const [delivered] = await deliveries()
  expect(JSON.parse(lines[2] ?? '')).toMatchObject({
    jobId: delivered?.id,
    tenantId: 'acme',
    address: new URL(receiver.url).origin,
  })
})

test('every attempt is signed at its own time, under the id of the event, in one trace', async () => {
  answering(500)
  await queue()
  await sender.sendDue()
  nowMs += 5_000
  await sender.sendDue()
  const id = (await deliveries())[0]?.id ?? ''
  expect(headers.map((each) => each['webhook-id'])).toEqual([id, id])
  const seconds = Math.floor(nowMs / 1000)
  expect(headers.map((each) => each['webhook-timestamp'])).toEqual([String(seconds - 5), String(seconds)])
  const traceId = id.slice(0, 36).replaceAll('-', '')
  expect(traceId).toMatch(/^[0-9a-f]{32}$/)
  for (const { traceparent } of headers) expect(String(traceparent).split('-')[1]).toBe(traceId)
})

test('how long an attempt took is written down', async () => {
  await queue()
  const beganMs = performance.now()
  await sender.sendDue()
  const tookMs = Math.ceil(performance.now() - beganMs)
  const [attempt] = (await deliveries())[0]?.log ?? []
  expect(attempt?.tookMs).toBeGreaterThanOrEqual(0)
  expect(attempt?.tookMs).toBeLessThanOrEqual(tookMs)
  expect(attempt?.atMs).toBe(nowMs - (attempt?.tookMs ?? 0))
})

test('an endpoint that is removed while it is served gets nothing more', async () => {
  await queue()
  let removed = false
  const racing: Database = {
    ...database,
    async first(sql, ...values) {
      if (!removed) {
        removed = true
        await removeEndpoint(database, { tenantId: 'acme', id: endpointId })
      }
      return database.first(sql, ...values)
    },
  }
  expect(await createSender(racing).sendDue()).toBe(0)
  expect(receiver.state.calls).toBe(0)
})

test('a database that fails for one endpoint is logged, and the others are served', async () => {
  const theirs = await endpointOf('other')
  await queue()
  await queue(2, 'other')
  const failing: Database = {
    ...database,
    first: (sql, ...values) =>
      values[0] === theirs ? Promise.reject(new Error('away')) : database.first(sql, ...values),
  }
  expect(await createSender(failing).sendDue()).toBe(1)
  const warning = lines.map((line) => JSON.parse(line)).find(({ event }) => event === 'webhooks not sent')
  expect(warning).toMatchObject({ jobId: theirs })
})

test('ten tests of a lender are sent in a minute; the next has to wait, another lender’s has not', async () => {
  const theirs = await endpointOf('other')
  const send = (tenantId: string, id: string) => sender.sendTest(database, { tenantId, id })
  for (let count = 0; count < 10; count += 1) {
    expect(await send('acme', endpointId)).toMatchObject({ type: 'endpoint.test', status: 'delivered', attempts: 1 })
  }
  nowMs += 1_000
  expect(await send('acme', endpointId)).toBe(59)
  expect(await send('other', theirs)).toMatchObject({ status: 'delivered' })
  expect(receiver.state.calls).toBe(11)
  nowMs += 59_000
  expect(await send('acme', endpointId)).toMatchObject({ status: 'delivered' })
})

test('a test that fails is over at once, and one for an endpoint that is not there is null', async () => {
  answering(500)
  const failed = await sender.sendTest(database, { tenantId: 'acme', id: endpointId })
  expect(failed).toMatchObject({ status: 'parked', lastOutcome: 'status 500', endpointId })
  expect(await sender.sendTest(database, { tenantId: 'acme', id: 'we-none' })).toBeNull()
  expect(await sender.sendTest(database, { tenantId: 'other', id: endpointId })).toBeNull()
  expect(receiver.state.calls).toBe(1)
})

test('a sender that is started sends what is due, and has nothing in progress once it is stopped', async () => {
  const asked = new Promise<() => void>((resolve) => {
    receiver.state.misbehave = (_request, response) => resolve(() => response.writeHead(204).end())
  })
  await queue()
  const stop = sender.start()
  const answer = await asked
  const stopped = stop()
  answer()
  await stopped
  expect(await deliveries()).toMatchObject([{ status: 'delivered' }])
})

test('a sender that could not look says so', async () => {
  const failing: Database = { ...database, all: () => Promise.reject(new Error('away')) }
  const stop = createSender(failing).start()
  await stop()
  expect(logged()).toEqual([expect.stringContaining('40 webhooks not looked for')])
})
