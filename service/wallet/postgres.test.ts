import { afterAll, beforeAll } from 'vitest'
import { openPostgres } from '../store/postgres.ts'
import { migrations } from '../store/schema.ts'
import { startThrowawayPostgres, type ThrowawayPostgres } from '../store/throwaway-postgres.ts'
import { describeWallet } from './wallet-suite.ts'

let postgres: ThrowawayPostgres
beforeAll(async () => {
  postgres = await startThrowawayPostgres()
}, 60_000)
afterAll(() => postgres?.stop())

describeWallet('PostgreSQL', async () => openPostgres({ url: await postgres.createDatabase(), migrations }))
