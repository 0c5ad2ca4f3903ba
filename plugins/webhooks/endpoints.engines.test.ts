// The endpoints of lenders on every engine: their secrets, and what belongs to whom.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTenant } from '../../service/ledger/tenants.ts'
import type { Database } from '../../service/store/database.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import { addEndpoint, findEndpoint, listEndpoints, openEndpoint, removeEndpoint, rotateSecret } from './endpoints.ts'
import { queueWebhook } from './queue.ts'

const START_MS = Date.UTC(2026, 10, 17, 14)
const keys = [new Uint8Array(32).fill(7)] as const

onEachEngine('webhook endpoints', (place) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(await place())
    for (const id of ['acme', 'other']) await createTenant(database, { id, name: id, nowMs: START_MS })
  })
  afterAll(() => database?.close())
  beforeEach(async () => {
    await database.run('DELETE FROM webhook_delivery')
    await database.run('DELETE FROM webhook_endpoint')
  })

  const another = () => `https://acme.example/${randomUUID()}`
  async function add(tenantId = 'acme', nowMs = START_MS, url = `https://${tenantId}.example/hook`) {
    return (await addEndpoint(database, keys, { tenantId, url, nowMs })) ?? expect.fail('too many')
  }

  test('are listed by lender, oldest first', async () => {
    const second = await add('acme', START_MS + 1, 'https://acme.example/second')
    const first = await add('acme', START_MS, 'https://acme.example/first')
    await add('other')
    expect(await listEndpoints(database, 'acme')).toEqual([
      { id: first.id, tenantId: 'acme', url: 'https://acme.example/first', types: null },
      { id: second.id, tenantId: 'acme', url: 'https://acme.example/second', types: null },
    ])
    expect(first.id).toMatch(/^we-[0-9a-f]{12}$/)
    expect(first.secret).not.toBe(second.secret)
  })

  test('are found by their lender only', async () => {
    const { id } = await add()
    await add('other')
    expect(await findEndpoint(database, { tenantId: 'acme', id })).toEqual({
      id,
      tenantId: 'acme',
      url: 'https://acme.example/hook',
      types: null,
    })
    expect(await findEndpoint(database, { tenantId: 'other', id })).toBeNull()
    expect(await findEndpoint(database, { tenantId: 'acme', id: 'we-none' })).toBeNull()
  })

  test('are ten at most for each lender', async () => {
    for (let count = 0; count < 10; count += 1) await add('acme', START_MS, another())
    expect(
      await addEndpoint(database, keys, { tenantId: 'acme', url: 'https://x.example', nowMs: START_MS }),
    ).toBeNull()
    await add('other')
    expect(await listEndpoints(database, 'acme')).toHaveLength(10)
  })

  test('have secrets that end by time, never later than they would have, the newest first', async () => {
    const { id, secret: first } = await add()
    const secretsAt = async (nowMs: number) => (await openEndpoint(database, keys, { id, nowMs }))?.secrets
    const rotate = async (nowMs: number, othersEndAtMs: number) =>
      (await rotateSecret(database, keys, { tenantId: 'acme', id, nowMs, othersEndAtMs }))?.secret
    const second = await rotate(START_MS, START_MS + 100)
    const third = await rotate(START_MS + 1, START_MS + 500)
    expect(await secretsAt(START_MS + 99)).toEqual([third, second, first])
    expect(await secretsAt(START_MS + 100)).toEqual([third, second])
    expect(await secretsAt(START_MS + 500)).toEqual([third])
    const fourth = await rotate(START_MS + 2, START_MS + 2)
    expect(await secretsAt(START_MS + 2)).toEqual([fourth])
    expect(new Set([first, second, third, fourth]).size).toBe(4)
  })

  test('have five secrets at most, and more only where the others end at once', async () => {
    const { id } = await add()
    const rotate = (othersEndAtMs: number) =>
      rotateSecret(database, keys, { tenantId: 'acme', id, nowMs: START_MS, othersEndAtMs })
    for (let count = 1; count < 5; count += 1) await rotate(START_MS + 100)
    await expect(rotate(START_MS + 100)).rejects.toThrow('overlapHours: must be 0: 5 secrets of this webhook work')
    const newest = await rotate(START_MS)
    expect((await openEndpoint(database, keys, { id, nowMs: START_MS }))?.secrets).toEqual([newest?.secret])
  })

  test('keep their secrets when another lender asks for new ones', async () => {
    const { id, secret } = await add()
    const now = { nowMs: START_MS, othersEndAtMs: START_MS }
    expect(await rotateSecret(database, keys, { tenantId: 'other', id, ...now })).toBeNull()
    expect(await rotateSecret(database, keys, { tenantId: 'acme', id: 'we-none', ...now })).toBeNull()
    expect(await openEndpoint(database, keys, { id, nowMs: START_MS })).toEqual({
      id,
      tenantId: 'acme',
      url: 'https://acme.example/hook',
      types: null,
      secrets: [secret],
    })
  })

  test('have an address each, also of two that are added at once; another lender may have the same', async () => {
    const url = 'https://shared.example/hook'
    const both = await Promise.allSettled([add('acme', START_MS, url), add('acme', START_MS, url)])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await expect(add('acme', START_MS, url)).rejects.toThrow('must not be an address that is here already')
    await add('other', START_MS, url)
    expect(await listEndpoints(database, 'acme')).toHaveLength(1)
  })

  test('get the types of events they were added for, or all', async () => {
    await add('acme', START_MS, 'https://acme.example/all')
    const types = ['credit-report.failed', 'wallet.low'] as const
    await addEndpoint(database, keys, { tenantId: 'acme', url: 'https://acme.example/some', types, nowMs: START_MS })
    expect((await listEndpoints(database, 'acme')).map((each) => each.types)).toContainEqual(types)
    const about = { tenantId: 'acme', creditReportId: 'r1', test: false } as const
    await queueWebhook(database, { type: 'credit-report.completed', data: { ...about, status: 'complete' } }, START_MS)
    await queueWebhook(database, { type: 'credit-report.failed', data: { ...about, status: 'failed' } }, START_MS)
    const sent = await database.all(
      'SELECT url, type FROM webhook_delivery JOIN webhook_endpoint e ON e.id = endpoint_id ORDER BY url, type',
    )
    expect(sent).toEqual([
      { url: 'https://acme.example/all', type: 'credit-report.completed' },
      { url: 'https://acme.example/all', type: 'credit-report.failed' },
      { url: 'https://acme.example/some', type: 'credit-report.failed' },
    ])
  })

  test('are removed with what was queued for them, and nothing else', async () => {
    const [gone, kept] = [await add(), await add('acme', START_MS, another())]
    await add('other')
    const data = { tenantId: 'acme', creditReportId: 'r1', status: 'complete', test: false } as const
    await queueWebhook(database, { type: 'credit-report.completed', data }, START_MS)
    expect(await removeEndpoint(database, { tenantId: 'other', id: gone.id })).toBeNull()
    expect(await removeEndpoint(database, { tenantId: 'acme', id: gone.id })).toBe('https://acme.example/hook')
    expect(await removeEndpoint(database, { tenantId: 'acme', id: gone.id })).toBeNull()
    expect(await openEndpoint(database, keys, { id: gone.id, nowMs: START_MS })).toBeNull()
    expect(await listEndpoints(database, 'acme')).toMatchObject([{ id: kept.id }])
    expect(await listEndpoints(database, 'other')).toHaveLength(1)
    expect(await database.all('SELECT endpoint_id FROM webhook_delivery')).toEqual([{ endpoint_id: kept.id }])
  })
})
