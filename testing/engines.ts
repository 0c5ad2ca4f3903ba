// Test support: files named *.engines.test.ts run on each database engine of the tier.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { startThrowawayPostgres, type ThrowawayPostgres } from './throwaway-postgres.ts'

type Engine = 'sqlite' | 'postgres'
type Place = { dataDir: string; databaseUrl: string | null }

/**
 * SQLite in `npm test`, PostgreSQL in `npm run test:release`, both where files are named on the command line, unless
 * `TEST_ENGINE` names one.
 */
const ENGINES: readonly Engine[] = (['sqlite', 'postgres'] as const).filter(
  (engine) => engine === (process.env.TEST_ENGINE ?? engineOfTier() ?? engine),
)

function engineOfTier(): Engine | undefined {
  if (process.env.TEST_TIER === 'edit') return 'sqlite'
  return process.env.TEST_TIER === 'release' ? 'postgres' : undefined
}

/** `describe` on each engine. Each call of `place` makes an empty database; it ends with the suite. */
export function onEachEngine(name: string, suite: (place: () => Promise<Place>, engine: Engine) => void): void {
  describe.each(ENGINES)(`${name} on %s`, (engine) => {
    let folder: string
    let postgres: ThrowawayPostgres | undefined
    let databases = 0
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'engine-'))
      if (engine === 'postgres') postgres = await startThrowawayPostgres()
    })
    afterAll(async () => {
      await postgres?.stop()
      rmSync(folder, { recursive: true, force: true })
    })
    suite(async () => {
      databases += 1
      const databaseUrl = (await postgres?.createDatabase()) ?? null
      return { dataDir: join(folder, String(databases)), databaseUrl }
    }, engine)
  })
}

/** For what is started with a service's environment. */
export function environmentOf({ databaseUrl }: Place): { [name: string]: string } {
  return databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }
}
