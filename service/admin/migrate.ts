import { missingOf, POSTGRES, SQLITE, statementsOf } from '../store/migration.ts'
import { openDatabase } from '../store/open-database.ts'
import type { Command, OfflineInput } from './command.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  usage: '[--plan]',
  summary:
    'brings the tables up to date; with DATABASE_MIGRATION_URL as who owns them, and lets DATABASE_URL use them and no more; with --plan shows the statements and changes nothing',
  role: 'offline',
  async run(input) {
    if (input.options.plan === true) return plan(input)
    const database = await openDatabase(input.config, { migrations: input.tables, role: 'operator' })
    await database.close()
    input.print('the tables are up to date')
    return 0
  },
}

async function plan({ config, tables, print }: OfflineInput): Promise<number> {
  const database = await openDatabase(config, { migrations: [], role: 'reader' })
  const dialect = database.engine === 'sqlite' ? SQLITE : POSTGRES
  const missing = await missingOf(database, dialect, tables).finally(() => database.close())
  for (const migration of missing) {
    print(`-- ${migration.name}`)
    for (const statement of statementsOf(migration, dialect)) print(`${statement};`)
  }
  print(missing.length === 0 ? 'the tables are up to date' : `-- ${missing.length} to apply; nothing was changed`)
  return 0
}
