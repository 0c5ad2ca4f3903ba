// The service is killed under load, again and again, and so is its database: nothing acknowledged is lost, nothing is
// charged twice, and the books are right after every death.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestDatabase } from '../testing/open-database.ts'
import { startThrowawayPostgres } from '../testing/throwaway-postgres.ts'
import { everythingMustHold } from './crashes/everything-must-hold.ts'
import { createLoad, LOAD_SETTINGS } from './crashes/load.ts'
import { booksMustBalance } from './faults/ledger-checks.ts'
import { times } from './faults/must.ts'
import { type ServiceChild, startChild } from './faults/service-child.ts'

const SERVICE_KILLS = 200
const DATABASE_KILLS = 50
const CLIENTS = 8
const KILLS_PER_TOKEN = 25
/** Each life lasts between these. */
const LIFE_MIN_MS = 100
const LIFE_MAX_MS = 1_200

export const about = {
  title: 'Killed under load',
  text: 'The service is killed (SIGKILL) at random moments while eight lenders request reports and retry under a key; then PostgreSQL is. No acknowledged report may be missing or charged twice, every key makes one report, and the books balance.',
  meanings: {
    'reports through them': 'found sealed and charged once',
    'answers lost on the way': 'retried',
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
  const environment = { DATA_DIR: folder, ...LOAD_SETTINGS }
  let service: ServiceChild | null = await startChild(environment)
  let sessionId = await service.openSession()
  const load = createLoad({ clients: CLIENTS, service: () => service, sessionId: () => sessionId })
  try {
    load.start()
    for (let kill = 0; kill < kills; kill += 1) {
      await life()
      await service?.kill()
      service = null
      // The books are read as they lie there, before anything could correct them.
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
  const server = await startThrowawayPostgres({ fsync: true })
  const folder = mkdtempSync(join(tmpdir(), 'crashes-'))
  const databaseUrl = await server.createDatabase()
  const environment = { DATA_DIR: folder, DATABASE_URL: databaseUrl, ...LOAD_SETTINGS }
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

function life(): Promise<void> {
  const lifeMs = LIFE_MIN_MS + Math.random() * (LIFE_MAX_MS - LIFE_MIN_MS)
  return new Promise((resolve) => setTimeout(resolve, lifeMs))
}
