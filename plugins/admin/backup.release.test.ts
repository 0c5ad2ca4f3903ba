// The drill: a backup taken while lenders work, put back somewhere else, compared.
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runTestAdmin } from '../../testing/admin.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import { createTestApp, liveRequest, TEST_SECRET_KEY, type TestApp } from '../../testing/test-app.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { isClean, reconcile } from '../statement/reconcile.ts'

const root = mkdtempSync(join(tmpdir(), 'backup-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let places = 0
const newPlace = () => {
  places += 1
  return join(root, String(places))
}

type Environment = { [name: string]: string }
const settings = (place: Environment): Environment => ({ SECRET_KEY: TEST_SECRET_KEY, ...place })

/** Lenders send requests until the returned function is called, which resolves to the reports they were given. */
function work(app: TestApp): () => Promise<string[]> {
  const complete: string[] = []
  let isOver = false
  const lenders = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const { data } = (await app.generate(liveRequest('Allow'))).body
      complete.push(data.creditReportId)
    }
  })
  return async () => {
    isOver = true
    await Promise.all(lenders)
    return complete
  }
}

const newDatabase = (): Environment => ({ DATA_DIR: newPlace() })
const openApp = ({ DATA_DIR: dataDir = '' }: Environment) => createTestApp({ dataDir })

test('a backup taken under load is one moment, and restores to what was acknowledged before it', async () => {
  const [source, target] = [newDatabase(), newDatabase()]
  const file = join(root, `drill-${places}`)
  const app = await openApp(source)
  const before = (await app.generate(liveRequest('Allow'))).body.data.creditReportId
  const stop = work(app)
  const taken = await runTestAdmin(settings(source), ['backup', file])
  const acknowledged = await stop()
  expect(taken).toMatchObject({ exitCode: 0, complaints: [] })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file).includes(TEST_SECRET_KEY)).toBe(false)

  const restored = await runTestAdmin(settings(target), ['restore', file])
  expect(restored.complaints).toEqual([])
  expect(restored.exitCode).toBe(0)
  expect((await runTestAdmin(settings(target), ['verify'])).exitCode).toBe(0)
  expect((await runTestAdmin(settings(target), ['restore', file])).complaints.join()).toMatch(/exists/)

  const location = { databaseUrl: null, dataDir: target.DATA_DIR ?? '' }
  const copy = await openTestDatabase(location)
  expect(isClean(await reconcile(copy))).toBe(true)
  const complete = `SELECT id, tenant_id, status, created_at_ms FROM credit_report WHERE status = 'complete' ORDER BY id`
  const kept = await copy.all(complete)
  // Under load the copy is a part of what was acknowledged in the end, row by row the same.
  expect(kept.map(({ id }) => id)).toContain(before)
  expect(kept.length).toBeLessThanOrEqual(1 + acknowledged.length)
  expect(await app.database.all(complete)).toEqual(expect.arrayContaining(kept))
  await copy.close()
  // And it serves.
  const again = await openApp(target)
  expect((await again.generate(liveRequest('Allow'))).body.data.status).toBe('complete')
  await Promise.all([app.close(), again.close()])
})

test('half a backup, another key and a newer schema are one line each, and nothing is left behind', async () => {
  const source = newDatabase()
  const app = await openApp(source)
  await app.generate(liveRequest('Allow'))
  const file = join(root, `whole-${places}`)
  expect((await runTestAdmin(settings(source), ['backup', file])).exitCode).toBe(0)

  const half = `${file}-half`
  copyFileSync(file, half)
  truncateSync(half, Math.floor(statSync(file).size / 2))
  const empty = newDatabase()
  const refused = await runTestAdmin(settings(empty), ['restore', half])
  expect(refused).toMatchObject({ exitCode: 1, printed: [] })
  expect(refused.complaints[0]).toMatch(/half there/)
  // Nothing is left behind: the place is still empty enough for a whole one.
  expect((await runTestAdmin(settings(empty), ['restore', file])).exitCode).toBe(0)

  const other = await runTestAdmin({ ...newDatabase(), SECRET_KEY: 'another key that is long enough too' }, [
    'restore',
    file,
  ])
  expect(other.exitCode).toBe(1)
  expect(other.complaints[0]).toMatch(/written with another key/)

  await app.database.run(`INSERT INTO migration (name, applied_at_ms) VALUES ('from-the-future', 1)`)
  const newer = `${file}-newer`
  await runTestAdmin(settings(source), ['backup', newer])
  const future = await runTestAdmin(settings(newDatabase()), ['restore', newer])
  expect(future.complaints[0]).toMatch(/a newer version made "from-the-future"/)
  await app.close()
})

test('a damaged file is found, and so are books that do not balance', async () => {
  const place = { DATA_DIR: newPlace() }
  const app = await createTestApp({ dataDir: place.DATA_DIR })
  for (let count = 0; count < 20; count += 1) await app.generate(liveRequest('Allow'))
  await app.database.run('UPDATE wallet SET balance_credits = balance_credits + 1')
  await app.close()
  const verified = await runTestAdmin(settings(place), ['verify'])
  expect(verified.exitCode).toBe(1)
  expect(verified.printed.join('\n')).toMatch(/BROKEN {2}the books balance/)

  const file = join(place.DATA_DIR, 'service.db')
  const bytes = readFileSync(file)
  bytes.fill(0xff, 4_096 * 4, 4_096 * 12)
  writeFileSync(file, bytes)
  const damaged = await runTestAdmin(settings(place), ['verify'])
  expect(damaged.exitCode).toBe(1)
  expect(damaged.printed.join('\n')).toMatch(/BROKEN {2}every page can be read/)
})

test('a backup never overwrites, and says what is wrong with what it is given', async () => {
  const place = { DATA_DIR: newPlace() }
  await (await createTestApp({ dataDir: place.DATA_DIR })).close()
  const file = join(root, 'once')
  appendFileSync(file, 'something else')
  expect((await runTestAdmin(settings(place), ['backup', file])).complaints[0]).toMatch(/exists already/)
  expect((await runTestAdmin(settings(place), ['restore', file])).complaints[0]).toMatch(/exists; stop the service/)
  expect((await runTestAdmin(settings(newDatabase()), ['restore', file])).complaints[0]).toMatch(
    /damaged, or only half there/,
  )
  expect((await runTestAdmin(settings(place), ['backup', '/nowhere/at/all'])).complaints[0]).toMatch(
    /cannot be written/,
  )
})

test('a changed byte is found by the checksum, also by sha256sum, before anything is opened', async () => {
  const place = newDatabase()
  await (await openApp(place)).close()
  const file = join(root, 'summed')
  expect((await runTestAdmin(settings(place), ['backup', file])).exitCode).toBe(0)
  expect(execFileSync('sha256sum', ['--check', 'summed.sha256'], { cwd: root, encoding: 'utf8' })).toBe('summed: OK\n')
  expect((await runTestAdmin(settings(place), ['verify', file])).printed[0]).toBe('ok      the file has its checksum')
  const bytes = readFileSync(file)
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
  writeFileSync(file, bytes)
  const verified = await runTestAdmin(settings(place), ['verify', file])
  expect(verified).toMatchObject({
    exitCode: 1,
    printed: ['BROKEN  the file has its checksum: it was changed or cut short'],
  })
  const target = newDatabase()
  expect((await runTestAdmin(settings(target), ['restore', file])).complaints[0]).toMatch(/changed or cut short/)
  expect(existsSync(join(target.DATA_DIR ?? '', 'service.db'))).toBe(false)
})

test('a copy whose books do not balance is kept, and the exit code says so', async () => {
  const place = newDatabase()
  const app = await openApp(place)
  await app.database.run('UPDATE wallet SET balance_credits = balance_credits + 1')
  await app.close()
  const file = join(root, 'unbalanced')
  const taken = await runTestAdmin(settings(place), ['backup', file])
  expect(taken.exitCode).toBe(1)
  expect(taken.printed.at(-1)).toMatch(/^BROKEN {2}the books balance/)
  expect([file, `${file}.sha256`, `${file}.part`].map(existsSync)).toEqual([true, true, false])
})

test('the age of the newest backup is a metric, without end before the first', async () => {
  const place = newDatabase()
  const metrics = createMetrics()
  const app = await createTestApp({ dataDir: place.DATA_DIR ?? '', metrics })
  const age = async () =>
    Number(/^crs_backup_age_seconds (\S+)$/m.exec((await metrics.render()).replace('+Inf', 'Infinity'))?.[1])
  expect(await age()).toBe(Number.POSITIVE_INFINITY)
  await runTestAdmin(settings(place), ['backup', join(root, 'aged')])
  app.time.nowMs = Date.now() + 3_600_000
  expect(Math.abs((await age()) - 3_600)).toBeLessThan(600)
  await runTestAdmin(settings(place), ['backed-up'])
  expect(Math.abs((await age()) - 3_600)).toBeLessThan(600)
  await app.close()
})

test('PostgreSQL is backed up with its own tools, and each command says so', async () => {
  const place = settings({ ...newDatabase(), DATABASE_URL: 'postgres://127.0.0.1:1/nowhere' })
  for (const words of [
    ['backup', 'file'],
    ['restore', 'file'],
    ['verify', 'file'],
  ]) {
    const { exitCode, complaints } = await runTestAdmin(place, words)
    expect({ exitCode, complaint: complaints[0] }).toEqual({
      exitCode: 2,
      complaint: expect.stringContaining('DATABASE_URL names PostgreSQL'),
    })
  }
})
