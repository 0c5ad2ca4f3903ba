import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { DatabaseUnavailable } from '../../service/store/database.ts'
import { ALL_TABLES } from '../../testing/open-database.ts'
import { openDatabase } from './open-database.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'open-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

/** Nothing listens there. */
const databaseUrl = 'postgres://nobody@127.0.0.1:1/nothing'

test('without an address it is SQLite in the folder, opened as the service', async () => {
  const location = { databaseUrl: null, dataDir }
  const database = await openDatabase(location, { migrations: ALL_TABLES })
  expect(database.engine).toBe('sqlite')
  expect(await database.all('SELECT name FROM migration')).toHaveLength(ALL_TABLES.length)
  await expect(openDatabase(location, { migrations: ALL_TABLES })).rejects.toThrow('another service process')
  const operator = await openDatabase(location, { migrations: ALL_TABLES, role: 'operator' })
  await operator.close()
  await database.close()
})

test('with an address it is PostgreSQL, whose tables are made by whom they are for; a reader makes none', async () => {
  for (const role of ['service', 'operator'] as const)
    await expect(openDatabase({ databaseUrl, dataDir }, { migrations: ALL_TABLES, role })).rejects.toThrow(
      DatabaseUnavailable,
    )
  const reader = await openDatabase({ databaseUrl, dataDir }, { migrations: ALL_TABLES, role: 'reader' })
  expect(reader.engine).toBe('postgres')
  await expect(reader.first('SELECT 1 AS one')).rejects.toThrow(DatabaseUnavailable)
  await reader.close()
})
