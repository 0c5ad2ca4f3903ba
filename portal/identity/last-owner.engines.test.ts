import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTenant } from '../../service/ledger/tenants.ts'
import type { Database } from '../../service/store/database.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import { createMembers, join } from './members.ts'
import { createOneTimeLinks } from './one-time-links.ts'
import { createUsers } from './users.ts'

onEachEngine('a lender that has an owner keeps one', (place) => {
  let database: Database
  let count = 0

  beforeAll(async () => {
    database = await openTestDatabase(await place())
    await createTenant(database, { id: 'other-lender', name: 'Other', nowMs: 1 })
  })
  afterAll(() => database.close())

  const clock = () => 1_000
  const users = () => createUsers({ database, clock })
  const members = () => createMembers({ database })
  const links = () => createOneTimeLinks({ database, clock, users: users() })
  const newEmail = () => {
    count += 1
    return `person${count}@elsewhere.example`
  }
  const newOwners = async (tenantId: string) => {
    await database.run('DELETE FROM user_tenant WHERE tenant_id = ?', tenantId)
    const made = [newEmail(), newEmail()].map((email) =>
      users().create(database, { email, firstName: 'A', lastName: 'B', tenantIds: [tenantId] }),
    )
    return (await Promise.all(made)).map((user) => ({ tenantId, userId: user?.id ?? '', email: user?.email ?? '' }))
  }
  const ownersOf = async (tenantId: string) =>
    (await members().list(tenantId)).filter(({ role }) => role === 'owner').map(({ id }) => id)

  test.each([
    ['demote one another', 'support', 'support'],
    ['remove one another', null, null],
    ['demote and remove one another', 'support', null],
  ] as const)('two who %s at once: one remains', async (_what, one, other) => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = await newOwners('other-lender')
      if (a === undefined || b === undefined) throw new Error('no owners')
      const changes = [
        members().setRole(database, { ...a, person: a.userId, role: one }),
        members().setRole(database, { ...b, person: b.email, role: other }),
      ]
      const ends = (await Promise.allSettled(changes)).map(({ status }) => status)
      expect(ends.toSorted()).toEqual(['fulfilled', 'rejected'])
      expect(await ownersOf('other-lender')).toHaveLength(1)
    }
  })

  test('by role, by removal, by deleting the account; joining again changes nothing', async () => {
    const [a, b] = await newOwners('other-lender')
    if (a === undefined || b === undefined) throw new Error('no owners')
    await members().setRole(database, { ...b, person: b.userId, role: 'support' })
    const lastOwner = 'they are the last owner of "other-lender": make another person its owner first'
    for (const role of ['support', null] as const) {
      await expect(members().setRole(database, { ...a, person: a.userId, role })).rejects.toThrow(lastOwner)
    }
    await expect(users().remove(database, a.email)).rejects.toThrow(lastOwner)
    await join(database, { ...a, role: 'support', nowMs: 1 })
    expect(await ownersOf('other-lender')).toEqual([a.userId])
    const noOne = members().setRole(database, { ...a, person: 'no-one', role: 'owner' })
    await expect(noOne).rejects.toMatchObject({ code: 'not-found' })
  })

  test('who is no owner any more leaves no open invitation behind', async () => {
    const [a, b] = await newOwners('other-lender')
    if (a === undefined || b === undefined) throw new Error('no owners')
    for (const { userId } of [a, b]) {
      const by = { id: userId, name: 'A B' }
      await links().invite(database, { tenantId: 'other-lender', email: newEmail(), role: 'owner', by })
    }
    await members().setRole(database, { ...a, person: a.userId, role: 'support' })
    const left = await database.all(
      `SELECT made_by_id FROM one_time_link WHERE tenant_id = 'other-lender' AND made_by_id IS NOT NULL`,
    )
    expect(left).toEqual([{ made_by_id: b.userId }])
  })
})
