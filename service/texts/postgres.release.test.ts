import { afterAll, beforeAll } from 'vitest'
import { PATIENT } from '../../testing/open-database.ts'
import { startThrowawayPostgres, type ThrowawayPostgres } from '../../testing/throwaway-postgres.ts'
import { openPostgres } from '../store/postgres.ts'
import { claimTables, describeClaims } from './claims-suite.ts'

let postgres: ThrowawayPostgres
beforeAll(async () => {
  postgres = await startThrowawayPostgres()
})
afterAll(() => postgres?.stop())

describeClaims('PostgreSQL', async () => {
  const url = await postgres.createDatabase()
  // Patient: forty that queue for one row are slow on a busy machine, and these tests are about who gets in.
  const open = () => openPostgres({ ...PATIENT, url, migrations: claimTables })
  const [first, second] = [await open(), await open()]
  return {
    first,
    second,
    async close() {
      await Promise.all([first.close(), second.close()])
    },
  }
})
