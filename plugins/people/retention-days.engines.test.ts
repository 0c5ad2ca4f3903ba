import { expect, test } from 'vitest'
import { createTenant } from '../../service/ledger/tenants.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import { listRetentions, readRetentionDays, setRetentionDays } from './retention.ts'

onEachEngine('how long reports are kept', (place) => {
  test('a lender keeps them as long as it said, or as the installation does', async () => {
    const database = await openTestDatabase(await place())
    for (const id of ['lender', 'a-lender', 'other']) await createTenant(database, { id, name: id, nowMs: 0 })
    expect(await readRetentionDays(database, 'lender')).toBeNull()
    expect(await readRetentionDays(database, 'no-one')).toBeNull()
    await setRetentionDays(database, 'lender', 7)
    await setRetentionDays(database, 'a-lender', 1)
    expect(await readRetentionDays(database, 'lender')).toBe(7)
    expect(await readRetentionDays(database, 'other')).toBeNull()
    expect(await listRetentions(database)).toEqual([
      { tenantId: 'a-lender', days: 1 },
      { tenantId: 'lender', days: 7 },
    ])
    await setRetentionDays(database, 'lender', null)
    expect(await listRetentions(database)).toEqual([{ tenantId: 'a-lender', days: 1 }])
    await database.close()
  })
})
