// What a lender's program reads of the audit trail.
import { afterAll, beforeAll, expect, test } from 'vitest'
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
  return { status: response.status, body: await response.json() }
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
  const { body: second } = await read(`limit=1&to=2026-11-15&before=${first.nextBefore}`)
  expect(second.events).toMatchObject([{ action: 'sign-in' }])
  expect(second).not.toHaveProperty('nextBefore')
  expect(await read('before=no-event')).toMatchObject({ status: 400, body: { code: 'validation-error' } })
})

test('the last whole check of the trail is there with its problem, if it found one', async () => {
  expect((await read('limit=1')).body).not.toHaveProperty('verified')
  for (let round = 0; round < 2; round += 1) await service.sweeper.sweep()
  const check = `UPDATE audit_head SET verified_position = 7, verified_at_ms = ?, verified_problem = ? WHERE tenant_id = 'demo-lender'`
  const at = '2026-11-15T09:00:00.000Z'
  await service.database.run(check, AT_MS, null)
  expect((await read('limit=1')).body.verified).toEqual({ position: 7, at })
  await service.database.run(check, AT_MS, 'event 3 was changed')
  expect((await read('limit=1')).body.verified).toEqual({ position: 7, at, problem: 'event 3 was changed' })
})
