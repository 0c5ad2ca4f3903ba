// The lines that an act writes into the audit trail, on every engine.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ActedBy, createActing } from '../../service/http/acting.ts'
import { createTenant } from '../../service/ledger/tenants.ts'
import type { AuditDetail, Database } from '../../service/store/database.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import { writeAudit } from './store.ts'

const uma: ActedBy = {
  atMs: 1_000,
  tenantId: 'acme',
  actorKind: 'person',
  actorId: 'u1',
  actorName: 'Uma One',
  actorEmail: 'uma@acme.example',
  action: 'client.rename',
  object: 'shop',
  address: '203.0.113.7',
}
const operator: ActedBy = { ...uma, tenantId: null, actorKind: 'operator', actorId: null }

onEachEngine('an act', (place) => {
  let database: Database
  beforeEach(async () => {
    database = await openTestDatabase(await place())
  })
  afterEach(() => database.close())

  const actOf = (...who: ActedBy[]) => createActing(database, writeAudit, () => who)
  const lines = async () => {
    const rows = await database.all('SELECT tenant_id, object, change_json, outcome FROM audit_event ORDER BY sequence')
    return rows.map((row) => [row.tenant_id || null, row.object, row.change_json, row.outcome])
  }

  test.each<[name: string, said: string | (() => AuditDetail) | undefined, object: string, change: string | null]>([
    ['nothing', undefined, 'shop', null],
    ['an id', 'shop-2', 'shop-2', null],
    ['a change', () => ({ change: { from: 1, to: null } }), 'shop', '{"from":1,"to":null}'],
    ['both', () => ({ object: 'shop-3', change: { from: 'a', to: 'b' } }), 'shop-3', '{"from":"a","to":"b"}'],
  ])('what is done has a line that says %s besides who did it', async (_name, said, object, change) => {
    expect(await actOf(uma).transaction(async () => 'made', said)).toBe('made')
    expect(await lines()).toEqual([['acme', object, change, 'done']])
  })

  test.each([[null], [false], [0]])('work that resolves to %j did nothing, and has no line', async (value) => {
    const act = actOf(uma)
    expect(await act.transaction(async () => value)).toBe(value)
    expect(await lines()).toEqual([])
    await act.note('200', { isFailure: false })
    expect(await lines()).toEqual([])
    await act.note('404', { isFailure: true })
    expect(await lines()).toEqual([['acme', 'shop', null, '404']])
  })

  test.each([[undefined], [''], [true], [7]])('work that resolves to %j is done', async (value) => {
    await actOf(uma).transaction(async () => value)
    expect(await lines()).toEqual([['acme', 'shop', null, 'done']])
  })

  test('work that fails leaves neither what it wrote nor a line', async () => {
    const act = actOf(uma)
    const failed = act.transaction(async (queries) => {
      await createTenant(queries, { id: 'acme', name: 'Acme', nowMs: 1 })
      throw new RangeError('no')
    })
    await expect(failed).rejects.toThrow(RangeError)
    expect(await lines()).toEqual([])
    expect(await database.all('SELECT id FROM tenant')).toEqual([])
  })

  test.each<[name: string, who: ActedBy, tenantIds: string[], expected: (string | null)[]]>([
    ['no lender and concerns none', operator, [], [null]],
    ['no lender and concerns two: each has its line', operator, ['acme', 'globex'], ['acme', 'globex']],
    ['its own lender, even when it concerns others', uma, ['globex', 'initech'], ['acme']],
  ])('an act that names %s', async (_name, who, tenantIds, expected) => {
    await actOf(who).transaction(
      async () => true,
      () => ({ tenantIds }),
    )
    expect((await lines()).map(([tenantId]) => tenantId)).toEqual(expected)
  })

  test('each of several lenders that a person acts for has its line', async () => {
    await actOf(uma, { ...uma, tenantId: 'globex' }).transaction(async () => true)
    expect((await lines()).map(([tenantId]) => tenantId)).toEqual(['acme', 'globex'])
  })

  test('a read has its line; a success that has one gets no other, a failure does', async () => {
    await actOf(uma).note('200', { isFailure: false })
    expect(await lines()).toEqual([['acme', 'shop', null, '200']])
    const act = actOf(uma)
    await act.transaction(async () => true)
    await act.transaction(async () => null)
    await act.note('200', { isFailure: false })
    expect(await lines()).toHaveLength(2)
    await act.note('500', { isFailure: true, object: 'shop-2' })
    expect((await lines())[2]).toEqual(['acme', 'shop-2', null, '500'])
  })

  test('what is written in a transaction that runs elsewhere counts as written', async () => {
    const act = actOf(uma)
    await database.transaction((queries) => act.write(queries, 'report-1'))
    await act.note('200', { isFailure: false })
    expect(await lines()).toEqual([['acme', 'report-1', null, 'done']])
  })
})
