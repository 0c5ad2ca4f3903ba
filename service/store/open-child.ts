// Test support: opens a folder's database in a process of its own and goes away again.
import { migrations } from './schema.ts'
import { openSqlite } from './sqlite.ts'

export async function run({ folder }: { folder: string }): Promise<void> {
  const database = await openSqlite({ folder, role: 'operator', migrations })
  await database.close()
}
