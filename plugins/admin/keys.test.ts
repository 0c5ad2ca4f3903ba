// Replacing SECRET_KEY, and the keys that sign tokens: what is printed, to the letter.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { sealedTables } from '../../plugins/commands.ts'
import { openDatabase } from '../../plugins/postgres/open-database.ts'
import { everyCommand, everyMoment } from '../../portal/commands.ts'
import { deriveKeys } from '../../service/keys.ts'
import { DATABASE_FILE } from '../../service/store/sqlite.ts'
import { loadSqliteDriver } from '../../service/store/sqlite-driver.ts'
import { runTestAdmin } from '../../testing/admin.ts'
import { ALL_TABLES } from '../../testing/open-database.ts'
import { createTestApp, testRequest } from '../../testing/test-app.ts'
import { addEndpoint } from '../webhooks/endpoints.ts'
import { countByKey } from './rewrap.ts'
import { runAdmin } from './run-admin.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'keys-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
afterEach(() => vi.useRealTimers())

const [OLDEST, OLD, NEW] = ['the oldest key', 'the old key', 'the new key'].map((words) => words.padEnd(40, '.'))

/** A report and a webhook are sealed under this key, and whatever the service needs. */
async function sealUnder(secretKey: string): Promise<void> {
  const app = await createTestApp({ dataDir, environment: { SECRET_KEY: secretKey } })
  await app.generate(testRequest('allow'))
  const { database, config, time } = app
  const url = `https://${secretKey.length}.shop.example`
  const wanted = { tenantId: 'demo-lender', url, nowMs: time.nowMs }
  await addEndpoint(database, deriveKeys(config.secretKeys).webhooks, wanted)
  await app.close()
}
beforeAll(async () => {
  await sealUnder(`${OLDEST}`)
  await sealUnder(`${OLD},${OLDEST}`)
})

const keys = (secretKey: string, ...words: string[]) =>
  runTestAdmin({ DATA_DIR: dataDir, SECRET_KEY: secretKey }, ['keys', ...words])
/** A key is another word for each installation. */
const withoutKeys = ({ printed, exitCode }: { printed: string[]; exitCode: number }) => ({
  exitCode,
  printed: printed.map((line) => line.replace(/\b[\da-f]{8}\b/, 'KEY').replace(/ {2,}/g, '  ')),
})
const HEADING = 'place  key  role  holds'
const line = (place: string, role: string, [signing, webhooks, reports]: number[]) =>
  `${place}  ${place === '-' ? '-' : 'KEY'}  ${role}  ${signing} signing keys, ${reports} reports, 0 kept answers, ${webhooks} webhook secrets, 0 known applicants of links, 0 authenticator secrets`

test('how much each key seals, and what none of them does', async () => {
  expect(withoutKeys(await keys(`${NEW},${OLD},${OLDEST}`, 'list'))).toEqual({
    exitCode: 0,
    printed: [HEADING, line('1', 'seals', [0, 0, 0]), line('2', 'opens', [0, 1, 1]), line('3', 'opens', [1, 1, 1])],
  })
  expect(withoutKeys(await keys(`${NEW},${OLD}`, 'list'))).toEqual({
    exitCode: 1,
    printed: [
      HEADING,
      line('1', 'seals', [0, 0, 0]),
      line('2', 'opens', [0, 1, 1]),
      line('-', 'not in SECRET_KEY', [1, 1, 1]),
    ],
  })
  const json = (await keys(OLDEST ?? '', 'list', '--json')).printed.map((printed) => JSON.parse(printed))
  expect(json.map(({ place, role }) => [place, role])).toEqual([
    ['1', 'seals'],
    ['-', 'not in SECRET_KEY'],
  ])
})

test('nothing is sealed anew while something is under a key that is not there', async () => {
  expect(withoutKeys(await keys(`${NEW},${OLD}`, 'rewrap'))).toEqual({
    exitCode: 1,
    printed: ['signing keys: 1 are under a key that is not in SECRET_KEY'],
  })
  expect((await keys(`${NEW},${OLD},${OLDEST}`, 'list')).exitCode).toBe(0)
})

test('everything is sealed under the first key, and each step is printed; the audit trail has its beginning and its end', async () => {
  expect(withoutKeys(await keys(`${NEW},${OLD},${OLDEST}`, 'rewrap'))).toEqual({
    exitCode: 0,
    printed: [
      'signing keys: 1 of 1',
      'reports: 2 of 2',
      'webhook secrets: 2 of 2',
      HEADING,
      line('1', 'seals', [1, 2, 2]),
      line('2', 'opens', [0, 0, 0]),
      line('3', 'opens', [0, 0, 0]),
    ],
  })
  // A second time there is nothing to do.
  expect(withoutKeys(await keys(`${NEW},${OLD}`, 'rewrap')).printed).toEqual([
    HEADING,
    line('1', 'seals', [1, 2, 2]),
    line('2', 'opens', [0, 0, 0]),
  ])
  const { printed } = await runTestAdmin({ DATA_DIR: dataDir, SECRET_KEY: NEW }, ['audit', '--json'])
  const outcomes = printed.map((event) => JSON.parse(event)).filter(({ action }) => action === 'admin keys rewrap')
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['done', 'begun', 'done', 'begun', 'failed', 'begun'])
})

test('a service that still seals under an older key is noticed', async () => {
  const file = join(dataDir, DATABASE_FILE)
  const { DatabaseSync } = loadSqliteDriver()
  const beside = new DatabaseSync(file)
  const row = beside.prepare('SELECT report_id, wrapped_key FROM sealed_report ORDER BY report_id LIMIT 1').get()
  const printed: string[] = []
  const exitCode = await runAdmin(['keys', 'rewrap'], {
    commands: everyCommand,
    tables: ALL_TABLES,
    plugins: everyMoment,
    environment: { DATA_DIR: dataDir, SECRET_KEY: `${OLD},${NEW}` },
    print(said) {
      printed.push(said)
      if (!said.startsWith('reports:')) return
      const sql = 'UPDATE sealed_report SET wrapped_key = ? WHERE report_id = ?'
      beside.prepare(sql).run(row?.wrapped_key ?? null, row?.report_id ?? null)
    },
    complain: (said) => printed.push(said),
  })
  beside.close()
  expect(withoutKeys({ exitCode, printed })).toEqual({
    exitCode: 1,
    printed: [
      'signing keys: 1 of 1',
      'reports: 2 of 2',
      'webhook secrets: 2 of 2',
      HEADING,
      line('1', 'seals', [1, 2, 1]),
      line('2', 'opens', [0, 0, 1]),
      'a service still seals under an older key: put the new one first everywhere, then run this again',
    ],
  })
})

test('rows are counted by the key that wraps them; what has been erased is under none', async () => {
  const reports = sealedTables.find(({ table }) => table === 'sealed_report')
  if (reports === undefined) throw new Error('no such table')
  const database = await openDatabase({ databaseUrl: null, dataDir }, { migrations: ALL_TABLES, role: 'operator' })
  const counted = (...secretKeys: [Buffer, ...Buffer[]]) => countByKey(database, reports, secretKeys)
  const [old, newest] = [Buffer.from(OLD ?? ''), Buffer.from(NEW ?? '')]
  expect(await counted(old, newest)).toEqual({ counts: [1, 1], unknown: 0 })
  expect(await counted(newest)).toEqual({ counts: [1], unknown: 1 })
  await database.close()
})

test('a new signing key is published before it signs; with --now it signs at once', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 1) })
  const { printed } = await keys(`${OLD},${NEW}`, 'rotate')
  expect(printed).toEqual([expect.stringMatching(/^key [\w-]{36} signs from 2030-01-01T00:06:00\.000Z$/)])
  const now = await keys(`${OLD},${NEW}`, 'rotate', '--now')
  expect(now.printed).toEqual([expect.stringMatching(/^key [\w-]{36} signs from 2030-01-01T00:00:00\.000Z$/)])
})
