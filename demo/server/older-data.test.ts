import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Database } from '../../service/store/database.ts'
import { DATABASE_FILE, openSqlite } from '../../service/store/sqlite.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import { putAsideOlderData } from './older-data.ts'

const root = mkdtempSync(join(tmpdir(), 'older-data-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let folders = 0
const newFolder = () => {
  folders += 1
  return join(root, `${folders}`, 'data')
}
const asideOf = (folder: string) => `${folder}-before-0.4.0`

/** As versions before 0.4.0 recorded their migrations. */
async function makeOlder(folder: string): Promise<Database> {
  const database = await openSqlite({ folder, role: 'service', migrations: [] })
  await database.run('ALTER TABLE migration DROP COLUMN version')
  return database
}

test('an older folder is put aside under another name, and the demo can start', async () => {
  const folder = newFolder()
  for (const aside of [asideOf(folder), `${asideOf(folder)}-2`]) {
    await (await makeOlder(folder)).close()
    expect(await putAsideOlderData({ DATA_DIR: folder })).toMatch(
      /data is of a version before 0\.4\.0: it is now .*-before-0\.4\.0/,
    )
    expect([existsSync(folder), existsSync(join(aside, DATABASE_FILE))]).toEqual([false, true])
  }
  await (await openTestDatabase({ databaseUrl: null, dataDir: folder })).close()
})

test.each<[name: string, make: (folder: string) => Promise<unknown>]>([
  ['a folder of this version', async (dataDir) => (await openTestDatabase({ databaseUrl: null, dataDir })).close()],
  ['a folder without a database', async (folder) => mkdirSync(folder, { recursive: true })],
])('%s stays where it is', async (_name, make) => {
  const folder = newFolder()
  await make(folder)
  expect(await putAsideOlderData({ DATA_DIR: folder })).toBeNull()
  expect([existsSync(folder), existsSync(asideOf(folder))]).toEqual([true, false])
})

test('a folder of a newer version stays: the service says what to do', async () => {
  const folder = newFolder()
  const database = await openTestDatabase({ databaseUrl: null, dataDir: folder })
  await database.run(`INSERT INTO migration (name, version, applied_at_ms) VALUES ('of-the-future', '99.0.0', 1)`)
  await database.close()
  expect(await putAsideOlderData({ DATA_DIR: folder })).toBeNull()
  expect(existsSync(folder)).toBe(true)
})

test('an older folder that a process still uses stays with it', async () => {
  const folder = newFolder()
  const used = await makeOlder(folder)
  expect(await putAsideOlderData({ DATA_DIR: folder })).toBeNull()
  await used.close()
  expect(existsSync(asideOf(folder))).toBe(false)
})

test('with PostgreSQL no folder is touched, and no folder is made', async () => {
  const folder = newFolder()
  await (await makeOlder(folder)).close()
  expect(await putAsideOlderData({ DATA_DIR: folder, DATABASE_URL: 'postgres://u@h/d' })).toBeNull()
  const none = newFolder()
  expect(await putAsideOlderData({ DATA_DIR: none })).toBeNull()
  expect([existsSync(folder), existsSync(none)]).toEqual([true, false])
})
