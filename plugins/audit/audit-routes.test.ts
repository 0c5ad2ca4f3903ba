// The audit trail, as a lender's program reads it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataOf } from '../../testing/data-of.ts'
import { ORIGIN, startTestService, type TestService } from '../../testing/portal-service.ts'
import { writeAudit } from './store.ts'

const AT_MS = Date.UTC(2026, 10, 15, 9)
const BARE = {
  atMs: AT_MS,
  tenantId: 'demo-lender',
  actorKind: 'unknown',
  actorId: null,
  actorName: null,
  actorEmail: null,
  action: 'sign-in',
  object: null,
  change: null,
  address: null,
  outcome: 'refused',
} as const

let service: TestService
let token: string
beforeAll(async () => {
  service = await startTestService()
  token = await service.tokenOf('demo-lender', 'demo-secret')
  await writeAudit(service.database, BARE)
  await writeAudit(service.database, {
    ...BARE,
    actorKind: 'person',
    actorId: 'user-1',
    actorName: 'Sam Lee',
    actorEmail: 'sam@example.org',
    action: 'caps.set',
    object: 'demo-lender',
    change: { from: { reportHour: 1 }, to: { reportHour: 2 } },
    address: '203.0.113.7',
    outcome: 'done',
  })
})
afterAll(() => service.stop())

async function read(query: string) {
  const headers = { Authorization: `Bearer ${token}` }
  const response = await service.fetch(new Request(`${ORIGIN}/demo-lender/v1/audit?${query}`, { headers }))
  return { status: response.status, body: dataOf(await response.json()) }
}

test('an event says what is known about it, and nothing about what is not', async () => {
  const { body } = await read('limit=2')
  expect(body.events).toEqual([
    {
      id: expect.any(String),
      createdAt: '2026-11-15T09:00:00.000Z',
      actor: { kind: 'person', id: 'user-1', name: 'Sam Lee', email: 'sam@example.org' },
      action: 'caps.set',
      object: 'demo-lender',
      from: '{"reportHour":1}',
      to: '{"reportHour":2}',
      address: '203.0.113.7',
      outcome: 'done',
    },
    {
      id: expect.any(String),
      createdAt: '2026-11-15T09:00:00.000Z',
      actor: { kind: 'unknown' },
      action: 'sign-in',
      outcome: 'refused',
    },
  ])
})

test('a page goes on where the one before ended', async () => {
  // Being read leaves events of its own, of today.
  const { body: first } = await read('limit=1&to=2026-11-15')
  expect(first.events).toMatchObject([{ action: 'caps.set' }])
  const { body: second } = await read(`limit=1&to=2026-11-15&after=${first.nextAfter}`)
  expect(second.events).toMatchObject([{ action: 'sign-in' }])
  expect(second).not.toHaveProperty('nextAfter')
  expect(await read('after=no-event')).toMatchObject({ status: 400, body: { code: 'validation-error' } })
})

test('the last whole check of the trail is there with its problem, if it found one', async () => {
  expect((await read('limit=1')).body).not.toHaveProperty('verified')
  for (let round = 0; round < 2; round += 1) await service.sweeper.sweep()
  const check = `UPDATE audit_head SET verified_position = 7, verified_at_ms = ?, verified_problem = ? WHERE tenant_id = 'demo-lender'`
  const checkedAt = '2026-11-15T09:00:00.000Z'
  await service.database.run(check, AT_MS, null)
  expect((await read('limit=1')).body.verified).toEqual({ position: 7, checkedAt })
  await service.database.run(check, AT_MS, 'event 3 was changed')
  expect((await read('limit=1')).body.verified).toEqual({ position: 7, checkedAt, problem: 'event 3 was changed' })
})

test('the signed heads, newest first, a page at a time, of this lender alone', async () => {
  const days = [20_000, 20_001, 20_002]
  const keep = `INSERT INTO audit_kept_head (tenant_id, day, position, hash, jws, signed_at_ms) VALUES (?, ?, ?, 'h', 'j', ?)`
  const own = 'demo-lender'
  for (const day of days) await service.database.run(keep, own, day, day, day * 86_400_000)
  await service.database.run(keep, 'other-lender', 20_002, 7, 20_002 * 86_400_000)
  const readHeads = async (query: string) => {
    const headers = { Authorization: `Bearer ${token}` }
    const response = await service.fetch(new Request(`${ORIGIN}/${own}/v1/audit/heads?${query}`, { headers }))
    return { status: response.status, body: await response.json() }
  }
  const { data } = (await readHeads('after=2024-10-06&limit=2')).body
  expect(data).toEqual({
    heads: [
      { signedAt: '2024-10-05T00:00:00.000Z', position: 20_001, hash: 'h', jws: 'j' },
      { signedAt: '2024-10-04T00:00:00.000Z', position: 20_000, hash: 'h', jws: 'j' },
    ],
  })
  const first = (await readHeads('after=2024-10-07&limit=2')).body
  expect(first.data.nextAfter).toBe('2024-10-05')
  expect((await readHeads(`after=${first.data.nextAfter}&limit=2`)).body.data.heads).toHaveLength(1)
  expect((await readHeads('limit=1')).body.data.heads[0].jws).toMatch(/^eyJ/)
  expect((await readHeads('after=yesterday')).status).toBe(400)
})
