// The faults of a database, in words: the first of them, and as much of it as fits a line.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { sealReport } from '../../service/check/content.ts'
import { deriveKeys } from '../../service/keys.ts'
import { DatabaseUnavailable } from '../../service/store/database.ts'
import { openSqlite } from '../../service/store/sqlite.ts'
import { loadSqliteDriver } from '../../service/store/sqlite-driver.ts'
import { openSigningKeys } from '../../service/tokens/signing-keys.ts'
import { operateTestService } from '../../testing/admin.ts'
import { ALL_TABLES } from '../../testing/open-database.ts'
import { liveRequest, testRequest } from '../../testing/test-app.ts'
import { signHead } from '../audit/signed-head.ts'
import { checkCopy, sumFile, sumOf } from './verify.ts'
import { type Check, findUnknown, requireSound, tell, verifyDatabase } from './verify-database.ts'

const { app, type } = operateTestService()
const root = mkdtempSync(join(tmpdir(), 'verify-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const NAMES = [
  'every page can be read',
  'the schema is one this version knows',
  'ledger and audit trail are append-only',
  'SECRET_KEY opens it',
  'every complete report is a report',
  'the books balance',
  'the audit trail is whole',
]
const verify = () => verifyDatabase(app().database, { config: app().config, tables: ALL_TABLES })
/** Those before it hold, and nothing after it was asked. */
const brokenAt = (index: number, problem: unknown): Check[] =>
  NAMES.slice(0, index + 1).map((name, at) => ({ name, problem: at === index ? (problem as string) : null }))

/** Puts what is no report, or no report that this key opens, in the place of so many, oldest first. */
async function spoil(many: number, what: 'content' | 'key'): Promise<string[]> {
  const { database, config } = app()
  const rows = await database.all<{ id: string; test: number }>(
    `SELECT id, test FROM credit_report WHERE status = 'complete' ORDER BY id LIMIT ?`,
    many,
  )
  const keys =
    what === 'key' ? deriveKeys([Buffer.from('another key that is long enough too')]) : deriveKeys(config.secretKeys)
  for (const { id, test } of rows) {
    const place = { tenantId: 'demo-lender', creditReportId: id, test: test === 1 }
    const { wrappedKey, content } = sealReport(keys.reports, place, '{"person":{}}')
    const sql = 'UPDATE sealed_report SET wrapped_key = ?, content = ? WHERE report_id = ?'
    await database.run(sql, wrappedKey, content, id)
  }
  return rows.map(({ id }) => id)
}

test('a database that is whole says so of each part', async () => {
  await app().generate(liveRequest('Allow'))
  const whole: Check[] = NAMES.map((name) => ({ name, problem: null }))
  const note = ', but for the 1 newest events, which are not linked yet'
  expect(await verify()).toEqual(whole.with(-1, { name: NAMES[6] ?? '', problem: null, note }))
  // The second round links that the lender's trail began.
  for (const _ of [1, 2]) await app().sweeper.sweep()
  expect(await verify()).toEqual(whole)
})

test('a head that a lender kept, in the webhook, in an answer or alone', async () => {
  const { database } = app()
  const [{ jws = '', position = 0 } = {}] = await database.all<{ jws: string; position: number }>(
    `SELECT jws, position FROM audit_kept_head WHERE tenant_id = 'demo-lender'`,
  )
  const file = join(root, 'kept-head')
  const verifyHead = () => type(['verify', '--head', file])
  const event = { type: 'audit.head', timestamp: '2026-11-15T09:00:00.000Z', data: { tenantId: 'demo-lender', jws } }
  for (const text of [JSON.stringify(event), `{"jws":"${jws}"}`, `${jws}\n`]) {
    writeFileSync(file, text)
    const { exitCode, printed } = await verifyHead()
    expect([exitCode, printed.at(-1)]).toEqual([0, 'ok      the trail leads to the head'])
  }
  writeFileSync(file, `${jws.slice(0, -6)}AAAAAA`)
  expect((await verifyHead()).printed.at(-1)).toBe(
    'BROKEN  the trail leads to the head: no key of this installation signed it',
  )
  const wrappingKeys = deriveKeys(app().config.secretKeys).signing
  const later = await signHead(await openSigningKeys({ database, wrappingKeys, clock: Date.now }), {
    ...{ tenantId: 'demo-lender', position: position + 100, hash: 'a'.repeat(64) },
    ...{ deletedPosition: 0, deletedHash: '', at: '2026-11-15T09:00:00.000Z' },
  })
  writeFileSync(file, later)
  expect(await verifyHead()).toMatchObject({
    exitCode: 1,
    printed: expect.arrayContaining([
      expect.stringMatching(/BROKEN {2}the trail leads to the head: it is event \d+ of/),
    ]),
  })
  writeFileSync(file, 'nothing')
  expect((await verifyHead()).complaints).toEqual([
    `"${file}" has no signed head: expected the "jws" of an audit.head event`,
  ])
  rmSync(file)
  expect((await verifyHead()).complaints).toEqual([`there is no file "${file}"`])
})

test('an audit trail that was changed', async () => {
  const { database, sweeper } = app()
  await type(['backed-up'])
  await sweeper.sweep()
  const triggers = await database.all<{ name: string; sql: string }>(
    `SELECT name, sql FROM sqlite_master WHERE name IN ('audit_event_no_update', 'audit_event_no_relink')`,
  )
  for (const { name } of triggers) await database.run(`DROP TRIGGER ${name}`)
  const FIRST = `tenant_id = 'demo-lender' AND link_position = 1`
  const first = await database.first<{ link_hash: string }>(`SELECT link_hash FROM audit_event WHERE ${FIRST}`)
  await database.run(`UPDATE audit_event SET link_hash = 'another' WHERE ${FIRST}`)
  // Said beside what it let happen.
  expect((await verify()).filter(({ problem }) => problem !== null)).toEqual([
    { name: NAMES[2], problem: 'the trigger "audit_event_no_update" is missing or disabled' },
    { name: NAMES[6], problem: 'the trail of "demo-lender": event 1 was changed' },
  ])
  for (const { sql } of triggers) await database.run(sql)
  expect(await verify()).toEqual(brokenAt(6, 'the trail of "demo-lender": event 1 was changed'))
  for (const { name } of triggers) await database.run(`DROP TRIGGER ${name}`)
  await database.run(`UPDATE audit_event SET link_hash = ? WHERE ${FIRST}`, first?.link_hash ?? '')
  for (const { sql } of triggers) await database.run(sql)
  expect((await verify()).at(-1)).toEqual({ name: NAMES[6], problem: null })
})

test('books that do not balance, by what is wrong and for whom', async () => {
  const { database } = app()
  await database.run(`UPDATE wallet SET balance_credits = balance_credits + 1 WHERE tenant_id <> 'empty-lender'`)
  expect(await verify()).toEqual(
    brokenAt(5, 'not so for demo-lender, other-lender: every balance is the sum of its lines'),
  )
  const { exitCode, printed } = await type(['verify'])
  expect(exitCode).toBe(1)
  expect(printed.at(-1)).toBe(
    'BROKEN  the books balance: not so for demo-lender, other-lender: every balance is the sum of its lines',
  )
  await database.run(`UPDATE wallet SET balance_credits = balance_credits - 1 WHERE tenant_id <> 'empty-lender'`)
})

test('reports that are none, by their ids: ten of them, and how many more there are', async () => {
  while ((await app().database.all(`SELECT id FROM credit_report WHERE status = 'complete'`)).length < 12)
    await app().generate(testRequest('allow'))
  const [only] = await spoil(1, 'content')
  expect(await verify()).toEqual(brokenAt(4, `not a report: ${only}`))
  const ten = await spoil(10, 'content')
  expect(await verify()).toEqual(brokenAt(4, `not a report: ${ten.join(', ')}`))
  await spoil(12, 'content')
  expect(await verify()).toEqual(brokenAt(4, `not a report: ${ten.join(', ')} and 2 more`))
})

test('damaged reports, reports under another key and contents that are no report, each kind by its ids', async () => {
  const { database } = app()
  const [foreign, cut, ...others] = await spoil(12, 'content')
  await spoil(1, 'key')
  const sql = 'SELECT content FROM sealed_report WHERE report_id = ?'
  const row = await database.first<{ content: Uint8Array }>(sql, cut ?? '')
  const longer = Buffer.concat([row?.content ?? Buffer.alloc(0), Buffer.from([0])])
  await database.run('UPDATE sealed_report SET content = ? WHERE report_id = ?', longer, cut ?? '')
  const problem = `damaged: ${cut}; sealed under another SECRET_KEY: ${foreign}; not a report: ${others.join(', ')}`
  expect(await verify()).toEqual(brokenAt(4, problem))
})

test('signing keys under another key', async () => {
  const { config, database } = app()
  const secretKeys = [Buffer.from('another key that is long enough too')] as const
  const other = await verifyDatabase(database, { config: { ...config, secretKeys }, tables: ALL_TABLES })
  expect(other).toEqual(brokenAt(3, 'it was written with another key'))
})

test('a schema that a newer version made, by the first of its names', async () => {
  const { database } = app()
  expect(await findUnknown(database, ALL_TABLES)).toBeNull()
  await database.run(`INSERT INTO migration (name, applied_at_ms) VALUES ('zz-future', 1)`)
  expect(await verify()).toEqual(brokenAt(1, 'a newer version made "zz-future"; use that version'))
  await database.run(`INSERT INTO migration (name, applied_at_ms) VALUES ('00-future', 1)`)
  expect(await findUnknown(database, ALL_TABLES)).toBe('a newer version made "00-future"; use that version')
  await database.run(`DELETE FROM migration WHERE name LIKE '%-future'`)
})

test('a schema of a version before 0.4.0', async () => {
  const { database } = app()
  await database.run('ALTER TABLE migration DROP COLUMN version')
  const line = 'this database was made by a version before 0.4.0, which cannot be read: use a new one'
  expect(await verify()).toEqual(brokenAt(1, line))
  await database.run(`ALTER TABLE migration ADD COLUMN version TEXT NOT NULL DEFAULT ''`)
})

test('a database that does not answer says nothing about its data', async () => {
  const { database, config } = app()
  const gone = { ...database, all: () => Promise.reject(new DatabaseUnavailable('ECONNREFUSED')) }
  await expect(verifyDatabase(gone, { config, tables: ALL_TABLES })).rejects.toThrow('ECONNREFUSED')
  const torn = { ...database, all: () => Promise.reject(new DatabaseUnavailable('SQLITE_CORRUPT')) }
  expect(await verifyDatabase(torn, { config, tables: ALL_TABLES })).toEqual(
    brokenAt(0, expect.stringContaining('damaged')),
  )
})

test('a database of something else, and one without its tables', async () => {
  const place = join(root, 'empty')
  await (await openSqlite({ folder: place, role: 'service', migrations: [] })).close()
  const reader = await openSqlite({ folder: place, role: 'reader', migrations: [] })
  const { config } = app()
  // Known, but with nothing in it: what is asked next is named by the kind of failure.
  expect(await verifyDatabase(reader, { config, tables: ALL_TABLES })).toEqual(
    brokenAt(3, expect.stringMatching(/Error$/)),
  )
  await reader.close()
  const file = join(root, 'something-else.db')
  const { DatabaseSync } = loadSqliteDriver()
  const other = new DatabaseSync(file)
  other.exec('CREATE TABLE note (id TEXT)')
  other.close()
  expect((await type(['verify', file])).printed).toEqual([
    'ok      every page can be read',
    'BROKEN  the schema is one this version knows: it is empty, or not a database of this service',
  ])
})

test('a file is opened as a copy, which is gone afterwards', async () => {
  const copies = mkdtempSync(join(root, 'copies-'))
  vi.stubEnv('TMPDIR', copies)
  expect(await type(['verify', join(root, 'none.db')])).toMatchObject({
    exitCode: 1,
    printed: [],
    complaints: [`there is no file "${join(root, 'none.db')}"`],
  })
  expect((await type(['verify', join(root, 'something-else.db')])).exitCode).toBe(1)
  expect(readdirSync(copies)).toEqual([])
  expect(readdirSync(root).filter((name) => name.startsWith('something-else'))).toEqual(['something-else.db'])
})

test('a checksum beside a file counts; without one the file is looked at by itself', async () => {
  const file = join(root, 'noise.db')
  writeFileSync(file, 'not a database '.repeat(1_000))
  expect(sumFile(file)).toBe(`${file}.sha256`)
  const { config } = app()
  const check = () => checkCopy(file, { config, tables: ALL_TABLES } as never)
  const damaged = { name: 'every page can be read', problem: 'the file is damaged, or only half there' }
  expect(await check()).toEqual([damaged])
  writeFileSync(sumFile(file), `${await sumOf(file)}  noise.db\n`)
  expect(await check()).toEqual([{ name: 'the file has its checksum', problem: null }, damaged])
  writeFileSync(sumFile(file), `${'0'.repeat(64)}  noise.db\n`)
  expect(await check()).toEqual([{ name: 'the file has its checksum', problem: 'it was changed or cut short' }])
})

test('the first thing that is wrong is what a refusal says', () => {
  const sound: Check = { name: 'it is there', problem: null }
  const broken: Check[] = ['one', 'two'].map((name) => ({ name, problem: `no ${name}` }))
  expect(() => requireSound([sound], 'the copy')).not.toThrow()
  expect(() => requireSound([sound, ...broken], 'the copy')).toThrow('the copy: "one" is not so: no one')
  const lines: string[] = []
  expect(tell([sound], (line) => lines.push(line))).toBe(0)
  expect(tell([sound, ...broken], (line) => lines.push(line))).toBe(1)
  expect(lines).toEqual(['ok      it is there', 'ok      it is there', 'BROKEN  one: no one', 'BROKEN  two: no two'])
})
