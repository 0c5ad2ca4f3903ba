import { createHash } from 'node:crypto'
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { explainFailure } from '../../service/explain-failure.ts'
import { DatabaseUnavailable, type Queries } from '../../service/store/database.ts'
import { ALL_TABLES, PATIENT } from '../../testing/open-database.ts'
import { describeStore } from '../../testing/store-promises.ts'
import { startThrowawayPostgres, type ThrowawayPostgres } from '../../testing/throwaway-postgres.ts'
import { openPostgres } from './postgres.ts'

let postgres: ThrowawayPostgres
beforeAll(async () => {
  postgres = await startThrowawayPostgres()
})
afterAll(() => postgres?.stop())

describeStore('PostgreSQL', async () =>
  openPostgres({ ...PATIENT, url: await postgres.createDatabase(), migrations: ALL_TABLES }),
)

describe('PostgreSQL on its own', () => {
  test('processes that start at the same time build one schema between them', async () => {
    const url = await postgres.createDatabase()
    const opened = await Promise.all(
      Array.from({ length: 4 }, () => openPostgres({ ...PATIENT, url, migrations: ALL_TABLES })),
    )
    for (const database of opened) {
      expect(await database.all('SELECT name FROM migration')).toHaveLength(ALL_TABLES.length)
      await database.close()
    }
  })

  test('a database that a newer version has widened is served, so that a release can be taken back', async () => {
    const url = await postgres.createDatabase()
    const widening = { name: 'from-the-future', statements: () => ['ALTER TABLE tenant ADD COLUMN of_the_future TEXT'] }
    await (await openPostgres({ ...PATIENT, url, migrations: [...ALL_TABLES, widening] })).close()
    const database = await openPostgres({ ...PATIENT, url, migrations: ALL_TABLES })
    expect(await database.all('SELECT * FROM tenant')).toEqual([])
    await database.close()
  })

  test('a migration waits for a reader, and everyone else works on', async () => {
    const url = await postgres.createDatabase()
    const database = await openPostgres({ ...PATIENT, url, migrations: ALL_TABLES })
    const reader = new pg.Client({ connectionString: url })
    await reader.connect()
    await reader.query('BEGIN; SELECT * FROM credit_report LIMIT 1')
    const widening = {
      name: 'from-the-future',
      statements: () =>
        ['tenant', 'credit_report'].map((table) => `ALTER TABLE ${table} ADD COLUMN of_the_future TEXT`),
    }
    const migrating = openPostgres({ ...PATIENT, url, migrations: [...ALL_TABLES, widening] })
    const isWaiting = `SELECT 1 AS one FROM pg_locks JOIN pg_class ON pg_class.oid = relation
      WHERE relname = 'credit_report' AND mode = 'AccessExclusiveLock' AND NOT granted`
    await until(async () => (await reader.query(isWaiting)).rowCount === 1)
    // Behind the waiting change of the table, until that steps back.
    expect(await database.all('SELECT * FROM credit_report JOIN tenant ON tenant.id = tenant_id')).toEqual([])
    await until(async () => (await reader.query(isWaiting)).rowCount === 1)
    await reader.query('COMMIT')
    await (await migrating).close()
    await database.all('SELECT of_the_future FROM credit_report')
    await Promise.all([database.close(), reader.end()])
  })

  test('an index is built while a writer is in the middle of a transaction; one that was interrupted is built again', async () => {
    const url = await postgres.createDatabase()
    const database = await openPostgres({ ...PATIENT, url, migrations: ALL_TABLES })
    const writer = new pg.Client({ connectionString: url })
    await writer.connect()
    const insert = (id: string) => `INSERT INTO tenant (id, name, created_at_ms) VALUES ('${id}', 'Lender', 1)`
    await writer.query(`BEGIN; ${insert('in-the-middle')}`)
    const indexed = {
      name: 'from-the-future',
      statements: () => [],
      indexes: { tenant_of_the_future: 'tenant (name)' },
    }
    const migrating = openPostgres({ ...PATIENT, url, migrations: [...ALL_TABLES, indexed] })
    await until(async () => (await database.first('SELECT 1 AS one FROM pg_stat_progress_create_index')) !== null)
    // Stops neither readers nor writers: nothing stronger is held.
    const locks = `SELECT DISTINCT mode FROM pg_locks JOIN pg_stat_progress_create_index USING (pid)
      WHERE relation = 'tenant'::regclass`
    expect(await database.all(locks)).toEqual([{ mode: 'ShareUpdateExclusiveLock' }])
    await database.run(insert('another'))
    await writer.query('COMMIT')
    await (await migrating).close()
    const isValid = `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'tenant_of_the_future'::regclass`
    expect((await writer.query(isValid)).rows).toEqual([{ valid: true }])

    await writer.query(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'tenant_of_the_future'::regclass`)
    await writer.query(`DELETE FROM migration WHERE name = 'from-the-future'`)
    await (await openPostgres({ ...PATIENT, url, migrations: [...ALL_TABLES, indexed] })).close()
    expect((await writer.query(isValid)).rows).toEqual([{ valid: true }])
    await Promise.all([database.close(), writer.end()])
  })

  test.each<[string, string, RegExp]>([
    [
      'a user who may not make tables',
      '',
      /^DATABASE_URL: expected a user who may make the tables.*DATABASE_MIGRATION_URL/,
    ],
    [
      'a server that is only a copy',
      ' default_transaction_read_only = on',
      /^DATABASE_URL: .* cannot serve now \(25006\)$/,
    ],
  ])('%s is reported in words', async (_name, setting, words) => {
    const url = await postgres.createDatabase()
    const owner = await openPostgres({ ...PATIENT, url, migrations: [] })
    const visitor = `visitor_${setting.length}`
    await owner.run('REVOKE CREATE ON SCHEMA public FROM PUBLIC')
    await owner.run(`CREATE ROLE ${visitor} LOGIN PASSWORD 'visitor'`)
    if (setting !== '') await owner.run(`ALTER ROLE ${visitor} SET${setting}`)
    await owner.close()
    const theirs = Object.assign(new URL(url), { username: visitor, password: 'visitor' })
    const refusal = await openPostgres({ ...PATIENT, url: theirs.href, migrations: ALL_TABLES }).catch(
      (error: unknown) => error,
    )
    expect(explainFailure(refusal)).toMatch(words)
  })

  test.each<[string, Partial<URL>, string]>([
    ['a database that is not there', { pathname: '/nowhere' }, '3D000'],
    ['a user whom the server does not know', { username: 'nobody-here' }, '28000'],
  ])('%s is reported in words, with nothing of the address', async (_name, change, code) => {
    const url = Object.assign(new URL(await postgres.createDatabase()), change)
    const refusal = await openPostgres({ ...PATIENT, url: url.href, migrations: ALL_TABLES }).catch(
      (error: unknown) => error,
    )
    expect(explainFailure(refusal)).toBe(`DATABASE_URL: PostgreSQL refuses this name, password or database (${code})`)
  })

  test('a batch takes its lender’s wallet before anything else, so that two of them never wait in a circle', async () => {
    const url = await postgres.createDatabase()
    const database = await openPostgres({ ...PATIENT, url, migrations: ALL_TABLES })
    await database.run(`INSERT INTO tenant (id, name, created_at_ms) VALUES ('acme', 'Acme', 1)`)
    await database.run(`INSERT INTO wallet (tenant_id) VALUES ('acme')`)
    const holder = new pg.Client({ connectionString: url })
    await holder.connect()
    await holder.query(`BEGIN; SELECT * FROM wallet FOR NO KEY UPDATE`)
    // Touches nothing that is held but the lock itself.
    const batch = database.batch('acme', (queries) => queries.run(`UPDATE tenant SET name = 'A'`))
    let isDone = false
    void batch.then(() => {
      isDone = true
    })
    const waiting = `SELECT 1 AS one FROM pg_locks WHERE NOT granted`
    await until(async () => isDone || (await holder.query(waiting)).rowCount !== 0)
    expect(isDone).toBe(false)
    await holder.query('COMMIT')
    await holder.end()
    expect(await batch).toBe(1)
    await database.close()
  })

  test('two processes never give one name to two statements, whatever they ran first', async () => {
    const url = await postgres.createDatabase()
    const database = await openPostgres({ ...PATIENT, url, migrations: ALL_TABLES, connectionsMax: 1 })
    await database.all('SELECT name FROM tenant')
    const prepared = await database.all(
      `SELECT name, statement FROM pg_prepared_statements WHERE statement LIKE 'SELECT name%'`,
    )
    const hash = createHash('sha256').update('SELECT name FROM tenant').digest('base64url').slice(0, 24)
    expect(prepared).toContainEqual({ name: hash, statement: 'SELECT name FROM tenant' })
    await database.close()
  })

  test('a transaction whose COMMIT is refused has not happened, and says so', async () => {
    const database = await openPostgres({ ...PATIENT, url: await postgres.createDatabase(), migrations: ALL_TABLES })
    await database.run(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = 'check_violation', CONSTRAINT = 'refused_late'; END $$`)
    await database.run(`CREATE CONSTRAINT TRIGGER refused_late AFTER INSERT ON migration
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()`)
    const insert = (queries: Queries) =>
      queries.run('INSERT INTO migration (name, applied_at_ms) VALUES (?, ?)', 'refused late', 1)
    await expect(database.transaction(insert)).rejects.toThrow(/refused_late/)
    expect(await database.first('SELECT name FROM migration WHERE name = ?', 'refused late')).toBeNull()
    await database.close()
  })

  test('a transaction that fails leaves its connection to the next', async () => {
    const url = await postgres.createDatabase()
    const database = await openPostgres({ ...PATIENT, url, migrations: [], connectionsMax: 1 })
    const connection = () => database.first('SELECT pg_backend_pid() AS pid')
    const first = await connection()
    await expect(database.transaction(() => Promise.reject(new Error('on purpose')))).rejects.toThrow('on purpose')
    expect(await connection()).toEqual(first)
    await database.close()
  })

  test('work that goes on after a failed statement does not hear that it was kept', async () => {
    const database = await openPostgres({ ...PATIENT, url: await postgres.createDatabase(), migrations: ALL_TABLES })
    const careless = database.transaction(async (queries) => {
      await queries.run('INSERT INTO migration (name, applied_at_ms) VALUES (?, ?)', 'careless', 1)
      await queries.run('INSERT INTO migration (name, applied_at_ms) VALUES (?, ?)', 'careless', 1).catch(() => 0)
    })
    await expect(careless).rejects.toThrow(/went on/)
    await database.close()
  })

  test('the server itself ends a statement, a wait for a lock and a transaction that fell silent', async () => {
    const url = await postgres.createDatabase()
    const database = await openPostgres({ url, migrations: ALL_TABLES, timeoutMs: 5_000 })
    const settings = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']
    const shown = await Promise.all(settings.map((name) => database.first(`SHOW ${name}`)))
    expect(shown.map((row) => Object.values(row ?? {})[0])).toEqual(['4900ms', '4800ms', '5s'])
    // By its code: the client's own time-out would have none.
    await expect(database.first('SELECT pg_sleep(120)')).rejects.toMatchObject({ code: '57014' })
    await database.close()
  })

  test('a transaction whose process fell silent is ended by the server, and its locks with it', async () => {
    const database = await openPostgres({ ...PATIENT, url: await postgres.createDatabase(), migrations: ALL_TABLES })
    await database.run(`INSERT INTO migration (name, applied_at_ms) VALUES ('locked', 0)`)
    const add = `UPDATE migration SET applied_at_ms = applied_at_ms + 1 WHERE name = 'locked'`
    const silent = database.transaction(async (queries) => {
      await queries.run(add)
      // Shorter than production's five seconds, by the same setting.
      await queries.all(`SET LOCAL idle_in_transaction_session_timeout = 100`)
      await new Promise((resolve) => setTimeout(resolve, 400))
      await queries.run(add)
    })
    await expect(silent).rejects.toThrow(DatabaseUnavailable)
    await database.run(add)
    expect(await database.first(`SELECT applied_at_ms FROM migration WHERE name = 'locked'`)).toEqual({
      applied_at_ms: 1,
    })
    await database.close()
  })

  test('a wait for a free connection is not called a lost one', async () => {
    const url = await postgres.createDatabase()
    const database = await openPostgres({ url, migrations: [], connectionsMax: 1, timeoutMs: 3_000 })
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const busy = database.transaction(async (queries) => {
      await queries.first('SELECT 1 AS one')
      await ended
    })
    await expect(database.first('SELECT 1 AS one')).rejects.toMatchObject({ code: 'no-free-connection' })
    end()
    await busy
    await database.close()
  })

  test('transactions that cross each other’s path are tried again, and both succeed', async () => {
    const url = await postgres.createDatabase()
    const database = await openPostgres({ ...PATIENT, url, migrations: ALL_TABLES })
    await database.run(`INSERT INTO migration (name, applied_at_ms) VALUES ('a', 0), ('b', 0)`)
    const add = 'UPDATE migration SET applied_at_ms = applied_at_ms + 1 WHERE name = ?'
    let meeting = 0
    let bothHere = () => {}
    const met = new Promise<void>((resolve) => {
      bothHere = resolve
    })
    const cross = (first: string, second: string) =>
      database.transaction(async (queries) => {
        await queries.run(add, first)
        meeting += 1
        if (meeting === 2) bothHere()
        // Each holds what the other wants next: PostgreSQL ends one of them.
        if (meeting <= 2) await met
        await queries.run(add, second)
      })
    await Promise.all([cross('a', 'b'), cross('b', 'a')])
    expect(meeting).toBeGreaterThan(2)
    expect(await database.all(`SELECT applied_at_ms FROM migration WHERE name IN ('a', 'b')`)).toEqual([
      { applied_at_ms: 2 },
      { applied_at_ms: 2 },
    ])
    await database.close()
  })

  test('a table that changes in use surprises no one', async () => {
    const database = await openPostgres({ ...PATIENT, url: await postgres.createDatabase(), migrations: ALL_TABLES })
    const select = () => database.all('SELECT * FROM tenant')
    const inside = () => database.transaction((queries) => queries.all('SELECT * FROM tenant'))
    await Promise.all(Array.from({ length: 20 }, select))
    await database.run('ALTER TABLE tenant ADD COLUMN of_the_future TEXT')
    expect(await Promise.all([...Array.from({ length: 10 }, select), ...Array.from({ length: 10 }, inside)])).toEqual(
      Array(20).fill([]),
    )
    await database.close()
  })

  test('a burst that fills every connection does not make it unready', async () => {
    const database = await openPostgres({
      ...PATIENT,
      url: await postgres.createDatabase(),
      migrations: [],
      connectionsMax: 2,
    })
    const burst = Array.from({ length: 2 }, () => database.first('SELECT pg_sleep(0.5)'))
    const waiting = database.first('SELECT 1 AS one')
    const probes = await Promise.all(Array.from({ length: 20 }, () => database.probe()))
    expect(database.load()).toEqual({ inUse: 2, waiting: 1 })
    expect(probes.map(({ refusal }) => refusal)).toEqual(Array(20).fill(null))
    await Promise.all([...burst, waiting])
    await database.close()
  })

  test('there are sixteen connections by default, and a request beyond them waits', async () => {
    const database = await openPostgres({ ...PATIENT, url: await postgres.createDatabase(), migrations: [] })
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const busy = Array.from({ length: 16 }, () => database.transaction(() => ended))
    const waiting = database.first('SELECT 1 AS one')
    await until(async () => database.load().inUse === 16)
    expect(database.load()).toEqual({ inUse: 16, waiting: 1 })
    end()
    await Promise.all([...busy, waiting])
    expect(database.load()).toEqual({ inUse: 0, waiting: 0 })
    await database.close()
  })

  test('a snapshot may take ten minutes, and only reads', async () => {
    const database = await openPostgres({ ...PATIENT, url: await postgres.createDatabase(), migrations: ALL_TABLES })
    const timeout = await database.snapshot((queries) => queries.first('SHOW statement_timeout'))
    expect(timeout).toEqual({ statement_timeout: '10min' })
    const writing = database.snapshot((queries) => queries.run('DELETE FROM migration'))
    await expect(writing).rejects.toMatchObject({ name: 'DatabaseUnavailable', code: '25006' })
    await database.close()
  })

  test('who finds a connection free does not wait, also in the moment of taking it', async () => {
    const database = await openPostgres({ ...PATIENT, url: await postgres.createDatabase(), migrations: [] })
    await database.first('SELECT 1 AS one')
    const asked = database.first('SELECT 1 AS one')
    expect(database.load().waiting).toBe(0)
    await asked
    await database.close()
  })

  test('a server that only reads is unready, and says why', async () => {
    const url = await postgres.createDatabase()
    const database = await openPostgres({ ...PATIENT, url, migrations: ALL_TABLES })
    expect(await database.probe()).toMatchObject({ refusal: null })
    const name = new URL(url).pathname.slice(1)
    await database.run(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
    const standby = await openPostgres({ ...PATIENT, url, migrations: [] })
    expect(await standby.probe()).toMatchObject({ refusal: 'read-only' })
    await Promise.all([database.close(), standby.close()])
  })

  test('a server that is killed costs requests, not the process, and is used again when it is back', async () => {
    const database = await openPostgres({ ...PATIENT, url: await postgres.createDatabase(), migrations: ALL_TABLES })
    const select = () => database.first('SELECT 1 AS one')
    // Connections in use, in a transaction and idle: all three must survive the loss.
    await Promise.all(Array.from({ length: 5 }, select))
    let inside = () => {}
    const begun = new Promise<void>((resolve) => {
      inside = resolve
    })
    const interrupted = database.transaction(async (queries) => {
      await queries.first('SELECT 1 AS one')
      inside()
      await queries.first('SELECT pg_sleep(0.2)')
    })
    const outcome = interrupted.catch((error: unknown) => error)
    await begun
    await postgres.kill()
    expect(await outcome).toBeInstanceOf(DatabaseUnavailable)

    await expect(select()).rejects.toThrow(DatabaseUnavailable)
    expect(await database.probe()).toMatchObject({ refusal: 'ECONNREFUSED' })

    await postgres.start()
    expect(await database.probe()).toMatchObject({ refusal: null })
    expect(await select()).toEqual({ one: 1 })
    await database.close()
  })

  test('a server that accepts and then says nothing is given up on', async () => {
    const silent = await startSilentServer()
    await expect(openPostgres({ url: silent.url, migrations: ALL_TABLES })).rejects.toThrow(DatabaseUnavailable)
    silent.stop()
  })
})

async function startSilentServer(): Promise<{ url: string; stop(): void }> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    socket.on('error', () => {})
    sockets.add(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `postgres://nobody@127.0.0.1:${port}/nothing`,
    stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Polls; the test's own time limit ends it. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(10)
}
