// Test support: two lenders, and people of the first.
import { randomUUID } from 'node:crypto'
import type { DatabaseLocation } from '../plugins/postgres/open-database.ts'
import { createUsers, type User } from '../portal/identity/users.ts'
import { createTenant } from '../service/ledger/tenants.ts'
import type { Database } from '../service/store/database.ts'
import { openTestDatabase } from './open-database.ts'

export async function openLenders(location: DatabaseLocation): Promise<Database> {
  const database = await openTestDatabase(location)
  for (const id of ['acme', 'globex']) await createTenant(database, { id, name: id.toUpperCase(), nowMs: 1 })
  return database
}

export async function addPerson(
  database: Database,
  clock: () => number,
  email = `${randomUUID()}@example.org`,
): Promise<User> {
  const person = { email, firstName: 'Some', lastName: 'One', tenantIds: ['acme'] }
  const user = await createUsers({ database, clock }).create(database, person)
  if (user === null) throw new Error('taken')
  return user
}
