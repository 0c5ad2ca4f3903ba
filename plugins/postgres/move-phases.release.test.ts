// `admin move` at every phase, beside operators and services that do not know of it: whatever they acknowledge is on
// PostgreSQL.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readlinkSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { DATABASE_FILE } from '../../service/store/sqlite.ts'
import { runTestAdmin } from '../../testing/admin.ts'
import { fillFolder, mustBeSame } from '../../testing/moved-folder.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import { type RunningModule, startModule } from '../../testing/run-module.ts'
import { TEST_SECRET_KEY } from '../../testing/test-app.ts'
import { startThrowawayPostgres, type ThrowawayPostgres } from '../../testing/throwaway-postgres.ts'

const root = mkdtempSync(join(tmpdir(), 'move-phases-'))
let postgres: ThrowawayPostgres
beforeAll(async () => {
  postgres = await startThrowawayPostgres()
})
afterAll(async () => {
  await postgres?.stop()
  rmSync(root, { recursive: true, force: true })
})

let places = 0
async function newPlace(): Promise<{ dataDir: string; url: string }> {
  places += 1
  const dataDir = join(root, String(places))
  await fillFolder(dataDir)
  return { dataDir, url: await postgres.createDatabase() }
}

const ADMIN = new URL('../../testing/admin-child.ts', import.meta.url)
const SERVICE = new URL('../../testing/serve-child.ts', import.meta.url)

const moves: RunningModule[] = []
// A test that fails leaves its move stopped.
afterEach(async () => {
  await Promise.all(moves.splice(0).map((move) => move.kill()))
})

async function startMove({ dataDir, url }: { dataDir: string; url: string }, stopsAfter?: string) {
  const environment = { DATA_DIR: dataDir, DATABASE_URL: url, SECRET_KEY: TEST_SECRET_KEY }
  const move = await startModule(ADMIN, { words: ['move'], environment, stopsAfter })
  moves.push(move)
  return move
}

async function linesOf(child: RunningModule): Promise<string[]> {
  const lines: string[] = []
  for (let line = await child.nextLine(); line !== null; line = await child.nextLine()) lines.push(line)
  return lines
}

/** Resolves once the move has stopped itself there. */
async function reached(move: RunningModule, line: string): Promise<void> {
  for (let said = await move.nextLine(); !said?.startsWith(line); said = await move.nextLine()) {
    if (said === null) throw new Error(`the move ended before "${line}"`)
  }
}

let references = 0
/** Adds credits from a process of its own; resolves to what it said and the reference. */
async function topUp(dataDir: string): Promise<{ reference: string; said: string }> {
  references += 1
  const reference = `top-up-${references}`
  const child = await startModule(ADMIN, {
    words: ['top-up', 'demo-lender', '7', '--reference', reference],
    environment: { DATA_DIR: dataDir, SECRET_KEY: TEST_SECRET_KEY },
  })
  return { reference, said: (await linesOf(child)).join('\n') }
}

const serve = async (where: { dataDir: string } | { databaseUrl: string }) =>
  (await linesOf(await startModule(SERVICE, where))).join('\n')

async function readTarget(databaseUrl: string): Promise<{ ids: string[] }> {
  const database = await openTestDatabase({ databaseUrl, dataDir: '' }, 'reader')
  const rows = await database.all<{ id: string }>('SELECT id FROM wallet_line UNION ALL SELECT id FROM credit_report')
  await database.close()
  return { ids: rows.map(({ id }) => id) }
}

const isBooked = async (url: string, reference: string) =>
  (await readTarget(url)).ids.some((id) => id.endsWith(reference))

/** Resolves once another process than the move has the database open. */
async function untilOpen(dataDir: string): Promise<void> {
  const path = join(dataDir, DATABASE_FILE)
  for (;;) {
    const holders = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && hasOpen(pid, path))
    if (holders.length > 1) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function hasOpen(pid: string, path: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`) === path)
  } catch {
    // Ended meanwhile, or not ours.
    return false
  }
}

/** Lines that `move` prints, in order, and whether an operator's command is still accepted there. */
const PHASES: [line: string, taken: 'accepted' | 'refused'][] = [
  ['verifying SQLite', 'accepted'],
  ['wallet_line: ', 'refused'],
  ['verifying PostgreSQL', 'refused'],
  ['comparing both', 'refused'],
  ['closing SQLite', 'refused'],
  ['opening PostgreSQL', 'refused'],
]
const NOT_HERE = /^the data of this folder was moved to PostgreSQL .*; set DATABASE_URL$/
const HELD = /SQLITE_BUSY/

describe.each(PHASES)('after the line "%s"', (line, taken) => {
  test(`a top-up is ${taken}, no service starts on either database, and what is acknowledged arrives`, async () => {
    const place = await newPlace()
    const move = await startMove(place, line)
    await reached(move, line)
    const isClosed = line === 'opening PostgreSQL'
    const { reference, said } = await topUp(place.dataDir)
    expect(said).toMatch(taken === 'accepted' ? /^added +7 credits/ : isClosed ? NOT_HERE : HELD)
    expect(await serve({ dataDir: place.dataDir })).toMatch(/another service process is using the folder|was moved to/)
    if (taken === 'refused') expect(await serve({ databaseUrl: place.url })).toMatch(/end "admin move" first/)
    move.process.kill('SIGCONT')
    expect((await linesOf(move)).at(-1)).toMatch(/^moved; start the service with DATABASE_URL/)
    await mustBeSame(place.dataDir, place.url)
    expect(await isBooked(place.url, reference)).toBe(taken === 'accepted')
  })

  test('a move that is killed there is ended by the next', async () => {
    const place = await newPlace()
    const move = await startMove(place, line)
    await reached(move, line)
    await move.kill()
    // Before anything is copied the target is still empty, and a service that starts there makes its tables.
    if (taken === 'refused') expect(await serve({ databaseUrl: place.url })).toMatch(/end "admin move" first/)
    const lines = await linesOf(await startMove(place))
    expect(lines.at(-1)).toMatch(/^moved; start the service with DATABASE_URL/)
    // The source was verified in this state already.
    expect(lines.includes('verifying SQLite')).toBe(taken === 'accepted')
    await mustBeSame(place.dataDir, place.url)
    expect(await linesOf(await startMove(place))).toEqual([expect.stringMatching(NOT_HERE)])
  })
})

test('a top-up that waits for the write lock while the move ends is refused', async () => {
  const place = await newPlace()
  const move = await startMove(place, 'closing SQLite')
  await reached(move, 'closing SQLite')
  const waiting = topUp(place.dataDir)
  await untilOpen(place.dataDir)
  move.process.kill('SIGCONT')
  const { reference, said } = await waiting
  expect(said).toMatch(NOT_HERE)
  expect((await linesOf(move)).at(-1)).toMatch(/^moved; /)
  expect(await isBooked(place.url, reference)).toBe(false)
})

test('a supervisor that starts the service again and again, and an operator who tries as often', async () => {
  const place = await newPlace()
  const move = await startMove(place)
  // The move holds the folder once it has said something; before that a service could be the first.
  const lines = [(await move.nextLine()) ?? '']
  let isOver = false
  const ended = (async () => {
    for (let line = await move.nextLine(); line !== null; line = await move.nextLine()) lines.push(line)
    isOver = true
  })()
  const acknowledged: string[] = []
  async function again(attempt: () => Promise<string | null>): Promise<void> {
    // Once more after the end: nothing is acknowledged by the folder then either.
    for (let isLast = false; !isLast; ) {
      isLast = isOver
      const done = await attempt()
      if (done !== null) acknowledged.push(done)
    }
  }
  await Promise.all([
    ended,
    again(async () => /^served (.*)$/.exec(await serve({ dataDir: place.dataDir }))?.[1] ?? null),
    again(async () => {
      const { reference, said } = await topUp(place.dataDir)
      return said.startsWith('added') ? reference : null
    }),
  ])
  expect(lines.at(-1)).toMatch(/^moved; /)
  await mustBeSame(place.dataDir, place.url)
  const { ids } = await readTarget(place.url)
  for (const one of acknowledged) expect(ids.some((id) => id.endsWith(one))).toBe(true)

  expect(await serve({ dataDir: place.dataDir })).toMatch(NOT_HERE)
  expect((await topUp(place.dataDir)).said).toMatch(NOT_HERE)
  expect(await serve({ databaseUrl: place.url })).toMatch(/^served /)
  expect((await runTestAdmin({ DATABASE_URL: place.url, SECRET_KEY: TEST_SECRET_KEY }, ['verify'])).exitCode).toBe(0)
})

test('a server that goes away in the verification is waited for', async () => {
  const place = await newPlace()
  const move = await startMove(place, 'verifying PostgreSQL')
  await reached(move, 'verifying PostgreSQL')
  await postgres.kill()
  move.process.kill('SIGCONT')
  await reached(move, 'PostgreSQL does not answer (')
  await postgres.start()
  const lines = await linesOf(move)
  expect(lines.at(-1)).toMatch(/^moved; /)
  expect(lines.join('\n')).not.toContain('BROKEN')
  await mustBeSame(place.dataDir, place.url)
})

test('a target that differs is not opened, and SQLite serves as before', async () => {
  const place = await newPlace()
  const move = await startMove(place, 'comparing both')
  await reached(move, 'comparing both')
  const client = new pg.Client({ connectionString: place.url })
  await client.connect()
  await client.query('UPDATE rate_limit SET used = used + 1')
  await client.end()
  move.process.kill('SIGCONT')
  expect(await linesOf(move)).toEqual([
    expect.stringMatching(/^BROKEN {2}both databases have the same: "rate_limit": sum of used /),
    'the SQLite database is as it was: start the service on that, and drop the other',
  ])
  expect(await move.ended).toBe(1)
  expect(await serve({ databaseUrl: place.url })).toMatch(/end "admin move" first/)
  expect(await serve({ dataDir: place.dataDir })).toMatch(/^served /)
})

test('of two moves of one folder, or to one database, the second is one line', async () => {
  const [place, other] = [await newPlace(), await newPlace()]
  const move = await startMove(place, 'verifying PostgreSQL')
  await reached(move, 'verifying PostgreSQL')
  expect(await linesOf(await startMove(place))).toEqual([expect.stringMatching(/another service process is using/)])
  const crossing = await linesOf(await startMove({ ...other, url: place.url }))
  expect(crossing).toEqual([expect.stringMatching(/^the target holds part of another database/)])
  move.process.kill('SIGCONT')
  expect((await linesOf(move)).at(-1)).toMatch(/^moved; /)
})

const disk = mkdtempSync(join(tmpdir(), 'move-small-disk-'))
const isMounted = mountsDisk()
afterAll(() => {
  if (isMounted) execFileSync('umount', [disk])
  rmSync(disk, { recursive: true, force: true })
})

function mountsDisk(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m,mode=755', 'tmpfs', disk], { stdio: 'ignore' })
    return true
  } catch {
    // Only root may, and not in every container.
    return false
  }
}

test.runIf(isMounted)(
  'a full disk under SQLite is one line at either end of a move, and the next run goes on',
  async () => {
    const place = { dataDir: join(disk, 'data'), url: await postgres.createDatabase() }
    await fillFolder(place.dataDir)
    const filler = join(disk, 'filler')
    const fillDisk = () => {
      const { bavail, bsize } = statfsSync(disk)
      writeFileSync(filler, Buffer.alloc(bavail * bsize))
    }
    fillDisk()
    expect((await linesOf(await startMove(place))).at(-1)).toMatch(/^DATA_DIR: .*SQLITE_(?:FULL|IOERR|CANTOPEN)/)
    expect(await countRelations(place.url)).toBe(0)
    rmSync(filler)

    const move = await startMove(place, 'closing SQLite')
    await reached(move, 'closing SQLite')
    fillDisk()
    move.process.kill('SIGCONT')
    expect(await linesOf(move)).toEqual([expect.stringMatching(/^DATA_DIR: "MOVED.txt" cannot be written there/)])
    rmSync(filler)
    const lines = await linesOf(await startMove(place))
    expect(lines[0]).toBe('continuing')
    expect(lines.at(-1)).toMatch(/^moved; /)
    await mustBeSame(place.dataDir, place.url)
  },
)

async function countRelations(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query(`SELECT 1 FROM pg_class WHERE relnamespace = 'public'::regnamespace`)
  await client.end()
  return rows.length
}
