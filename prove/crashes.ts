// The service is killed under load, again and again, and so is its database: nothing acknowledged is lost, nothing is
// charged twice, and the books are right after every death.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../service/store/database.ts'
import { openTestDatabase } from '../testing/open-database.ts'
import { startThrowawayPostgres } from '../testing/throwaway-postgres.ts'
import { createLoad, type Load, SECRET_KEY } from './crashes/load.ts'
import { booksMustBalance } from './faults/books.ts'
import { must, times } from './faults/must.ts'
import { type ServiceChild, startChild } from './faults/service-child.ts'

const SERVICE_KILLS = 200
const DATABASE_KILLS = 50
const CLIENTS = 8
const KILLS_PER_TOKEN = 25
const SETTINGS = {
  SECRET_KEY,
  // Small, so that the demo's wallet lasts for every report of a whole run.
  REPORT_PRICE_CREDITS: '5',
  SMS_PRICE_CREDITS: '1',
  // A check that met a death is finished at the end of the run, which may be an hour later.
  CHALLENGE_TTL_SECONDS: '86400',
}
/** Each life lasts between these. */
const LIFE_MIN_MS = 100
const LIFE_MAX_MS = 1_200

export const about = {
  title: 'Killed under load',
  text: 'Eight lenders ask for reports, each request under a key and repeated until it is answered, while the service is killed (SIGKILL) at random moments and started again; then the same with PostgreSQL killed under a service that stays. After every death of the service the books are read as they lie on disk. No report that was answered may be missing, none may be charged twice, every key makes one report, and the books must balance.',
  meanings: {
    'reports through them': 'acknowledged as complete, found sealed and charged exactly once afterwards',
    'answers lost on the way': 'requests that died with the process and were repeated',
    'reports through those': 'the same, while the database died',
  },
}

export async function run({ scale }: { scale: number }): Promise<{ ok: boolean; counts: { [what: string]: number } }> {
  const service = await killService(times(SERVICE_KILLS, scale))
  const database = await killDatabase(times(DATABASE_KILLS, scale))
  return { ok: true, counts: { ...service, ...database } }
}

async function killService(kills: number) {
  const folder = mkdtempSync(join(tmpdir(), 'crashes-'))
  const environment = { DATA_DIR: folder, ...SETTINGS }
  let service: ServiceChild | null = await startChild(environment)
  let sessionId = await service.openSession()
  const load = createLoad({ clients: CLIENTS, service: () => service, sessionId: () => sessionId })
  try {
    load.start()
    for (let kill = 0; kill < kills; kill += 1) {
      await life()
      await service?.kill()
      service = null
      // The books are read as they lie there, before anything could mend them.
      const books = await openTestDatabase({ databaseUrl: null, dataDir: folder }, 'reader')
      await booksMustBalance(books)
      await books.close()
      service = await startChild(environment)
      // It lives an hour; a run may take longer.
      sessionId = await service.openSession()
    }
    await life()
    await load.stop()
    await load.finish()
    await service?.kill()
    const database = await openTestDatabase({ databaseUrl: null, dataDir: folder }, 'reader')
    const reports = await everythingMustHold(database, load)
    await database.close()
    return {
      'kills of the service': kills,
      'reports through them': reports,
      'answers lost on the way': load.counts.lost,
    }
  } finally {
    await service?.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function killDatabase(kills: number) {
  const server = await startThrowawayPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'crashes-'))
  const databaseUrl = await server.createDatabase()
  const environment = { DATA_DIR: folder, DATABASE_URL: databaseUrl, ...SETTINGS }
  let service = await startChild(environment)
  let sessionId = await service.openSession()
  const load = createLoad({ clients: CLIENTS, service: () => service, sessionId: () => sessionId })
  try {
    load.start()
    for (let kill = 0; kill < kills; kill += 1) {
      await life()
      await server.kill()
      await server.start()
      // The service lives through all of this; it is replaced now and then because its caller's token ends.
      if (kill % KILLS_PER_TOKEN === KILLS_PER_TOKEN - 1) {
        await service.kill()
        service = await startChild(environment)
        sessionId = await service.openSession()
      }
    }
    await life()
    await load.stop()
    await load.finish()
    const database = await openTestDatabase({ databaseUrl, dataDir: folder }, 'reader')
    const reports = await everythingMustHold(database, load)
    await database.close()
    return { 'kills of PostgreSQL': kills, 'reports through those': reports }
  } finally {
    await service.kill()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Resolves to how many reports were acknowledged. */
async function everythingMustHold(database: Database, load: Load): Promise<number> {
  await booksMustBalance(database)
  const rows = await database.all(
    `SELECT report.id FROM credit_report report JOIN sealed_report sealed ON sealed.report_id = report.id
     JOIN wallet_line line ON line.report_id = report.id AND line.purpose = 'report' AND line.kind = 'capture'
     WHERE report.status = 'complete'`,
  )
  const kept = rows.map((row) => String(row.id))
  const acknowledged = load.acknowledged()
  const lost = acknowledged.filter((id) => !kept.includes(id))
  must(lost.length === 0, `no acknowledged report may be lost, but ${lost.length} were`)
  // Every wish has been fulfilled by now, so whatever else was charged was charged to nobody's benefit.
  must(kept.length === acknowledged.length, `${kept.length} reports were charged for ${acknowledged.length} wishes`)
  must(acknowledged.length > 0, 'somebody got a report')
  return acknowledged.length
}

function life(): Promise<void> {
  const lifeMs = LIFE_MIN_MS + Math.random() * (LIFE_MAX_MS - LIFE_MIN_MS)
  return new Promise((resolve) => setTimeout(resolve, lifeMs))
}
