import { openDatabase } from '../../plugins/postgres/open-database.ts'
import type { Command, OfflineInput } from '../../service/command.ts'
import { dialectOf, missingOf } from '../../service/store/migration.ts'
import { NoDatabaseYet } from '../../service/store/sqlite.ts'
import { readPluginSettings } from '../settings.ts'
import { type Check, findObstacles, findSettingObstacles } from './production-checks.ts'

export function createPreflightCommand(checks: readonly Check[]): Command {
  return {
    name: 'preflight',
    usage: '',
    summary: 'Show what keeps this installation from serving real people; every start in production checks the same',
    role: 'offline',
    async run(input) {
      const config = { ...input.config, ...readPluginSettings(input.environment) }
      const ofSettings = findSettingObstacles(config)
      // As at the start: nothing is sent to a database that the settings reach in an unsafe way.
      const ofDatabase = ofSettings.length > 0 ? [] : await askDatabase(checks, input)
      const obstacles = [...ofSettings, ...(ofDatabase ?? [])]
      for (const obstacle of obstacles) input.print(obstacle)
      if (obstacles.length > 0) return 1
      input.print(ofDatabase === null ? 'fit for production; there is no database yet' : 'fit for production')
      return 0
    },
  }
}

/** Null on the first day: preflight runs before the first start, which makes the tables. */
async function askDatabase(
  checks: readonly Check[],
  { config, tables, environment }: OfflineInput,
): Promise<string[] | null> {
  const database = await openDatabase(config, { migrations: [], role: 'reader' }).catch((error: unknown) => {
    if (error instanceof NoDatabaseYet) return null
    throw error
  })
  if (database === null) return null
  try {
    const missing = await missingOf(database, dialectOf(database), tables)
    return missing.length === tables.length
      ? null
      : await findObstacles(checks, { config: { ...config, ...readPluginSettings(environment) }, database })
  } finally {
    await database.close()
  }
}
