// Test support: opens a folder's database in a process of its own and goes away again.

import { openSqlite } from '../service/store/sqlite.ts'
import { ALL_TABLES } from './open-database.ts'

export async function run({ folder }: { folder: string }): Promise<void> {
  const database = await openSqlite({ folder, role: 'operator', migrations: ALL_TABLES })
  await database.close()
}
