// PostgreSQL on a disk that fills up under load. Whether its tables find no room or its log does (which can end the
// server), callers get true answers, and when there is room again every request of before is answered once.
import { execFileSync } from 'node:child_process'
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, liveRequest, type TestApp } from '../testing/test-app.ts'
import { startThrowawayPostgres, type ThrowawayPostgres } from '../testing/throwaway-postgres.ts'
import { booksMustBalance, completeReports } from './faults/ledger-checks.ts'

/** PostgreSQL's own files, and some room. */
const DISK_MB = 96
const AT_ONCE = 20
const ROUNDS_MAX = 200
/** A report whose worker could not let go of it is free again after this. */
const LEASE_OVER_MS = 31_000

const folder = mkdtempSync(join(tmpdir(), 'full-disk-'))
const isMounted = mountsDisk()
const filler = join(folder, 'filler')
let server: ThrowawayPostgres | undefined
let app: TestApp

function mountsDisk(): boolean {
  try {
    const options = ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=755`, 'tmpfs', folder]
    execFileSync('mount', options, { stdio: 'ignore' })
    return true
  } catch {
    // Only root may, and not in every container.
    return false
  }
}

beforeAll(async () => {
  if (!isMounted) return
  server = await startThrowawayPostgres({ fsync: true, within: folder })
  app = await createTestApp({ databaseUrl: await server.createDatabase() })
})
afterAll(async () => {
  await app?.close()
  await server?.stop()
  if (isMounted) execFileSync('umount', [folder])
  rmSync(folder, { recursive: true, force: true })
})

/** To the last byte, and then so much free again. */
function fillDisk({ freeBytes }: { freeBytes: number }): void {
  const file = openSync(filler, 'w')
  const piece = Buffer.alloc(65_536)
  let written = 0
  try {
    for (;;) written += writeSync(file, piece)
  } catch {
    ftruncateSync(file, written - freeBytes)
    closeSync(file)
  }
}

/** The next write needs a new file of the log. */
async function endLogFile(): Promise<void> {
  await app.database.all('SELECT pg_switch_wal()::text AS place').catch(() => {})
}

const statusOf = async (path: string) => (await app.fetch(new Request(`http://service.test${path}`))).status

/** One generate of each key; what was asked for under a key is asked for again under the same. */
async function ask(keys: readonly string[]) {
  return Promise.all(
    keys.map(async (key) => {
      const { status, body } = await app.generate(liveRequest('Allow'), { 'Idempotency-Key': key })
      return { key, status, id: status === 200 ? String(body.data.creditReportId) : null }
    }),
  )
}

test.runIf(isMounted).each([
  ['tables', async () => fillDisk({ freeBytes: 1_000_000 })],
  [
    'log',
    async () => {
      fillDisk({ freeBytes: 0 })
      await endLogFile()
    },
  ],
])(
  'no room for its %s is said, loses nothing, charges nothing twice, and is over when there is room',
  async (what, fill) => {
    const acknowledged = new Map<string, string>()
    const refused: string[] = []
    const completed = await completeReports(app.database)
    for (let round = 0; round < ROUNDS_MAX && refused.length === 0; round += 1) {
      if (round === 1) await fill()
      for (const { key, status, id } of await ask(keysOf(`${what}-${round}`))) {
        expect([200, 503]).toContain(status)
        if (id === null) refused.push(key)
        else acknowledged.set(key, id)
      }
    }
    expect(acknowledged.size).toBeGreaterThanOrEqual(AT_ONCE)
    expect(refused).not.toEqual([])
    expect(await statusOf('/readyz')).toBe(503)
    expect(await statusOf('/healthz')).toBe(200)

    rmSync(filler)
    await server?.start()
    await expect.poll(() => statusOf('/readyz')).toBe(200)
    const keys = [...acknowledged.keys(), ...refused]
    let answers = await ask(keys)
    // Those that had begun are free for their retry when their lease is over.
    for (let tries = 0; tries < 3 && answers.some(({ status }) => status !== 200); tries += 1) {
      app.time.nowMs += LEASE_OVER_MS
      answers = await ask(keys)
    }
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    for (const { key, id } of answers) if (acknowledged.has(key)) expect(id).toBe(acknowledged.get(key))
    expect(await completeReports(app.database)).toBe(completed + keys.length)
    await booksMustBalance(app.database)
  },
)

function keysOf(round: string): string[] {
  return Array.from({ length: AT_ONCE }, (_, index) => `${round}-${index}`)
}
