import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '../store/sqlite.ts'
import { claimTables, describeClaims } from './claims-suite.ts'

describeClaims('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'claims-'))
  const database = await openSqlite({ folder, role: 'service', migrations: claimTables })
  return {
    first: database,
    second: database,
    async close() {
      await database.close()
      rmSync(folder, { recursive: true })
    },
  }
})
