import { openDatabase } from '../store/open-database.ts'
import type { Command } from './command.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  usage: '',
  summary:
    'brings the tables up to date; with DATABASE_MIGRATION_URL as who owns them, and lets DATABASE_URL use them and no more',
  role: 'offline',
  async run(input) {
    const database = await openDatabase(input.config, { migrations: input.tables, role: 'operator' })
    await database.close()
    input.print('the tables are up to date')
    return 0
  },
}
