import { expect, test } from 'vitest'
import { openTestDatabase } from '../../testing/open-database.ts'
import { startThrowawayPostgres } from '../../testing/throwaway-postgres.ts'
import { openSigningKeys } from './signing-keys.ts'

const wrappingKeys = [new Uint8Array(32).fill(7)] as const
const clock = () => Date.UTC(2026, 10, 15)

test('processes that start at the same moment on PostgreSQL end up with one key', async () => {
  const postgres = await startThrowawayPostgres()
  const databaseUrl = await postgres.createDatabase()
  const processes = await Promise.all([1, 2, 3].map(() => openTestDatabase({ databaseUrl, dataDir: '' })))
  const opened = await Promise.all(processes.map((database) => openSigningKeys({ database, wrappingKeys, clock })))
  const ids = await Promise.all(opened.map(async (keys) => (await keys.current()).id))
  expect(new Set(ids).size).toBe(1)
  expect(await processes[0]?.all('SELECT id FROM signing_key')).toHaveLength(1)
  await Promise.all(processes.map((database) => database.close()))
  await postgres.stop()
})
