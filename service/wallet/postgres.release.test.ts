import { afterAll, beforeAll } from 'vitest'
import { ALL_TABLES, PATIENT } from '../../testing/open-database.ts'
import { startThrowawayPostgres, type ThrowawayPostgres } from '../../testing/throwaway-postgres.ts'
import { openPostgres } from '../store/postgres.ts'
import { describeBooks } from './books-suite.ts'
import { describeSpend } from './spend-suite.ts'
import { describeStatement } from './statement-suite.ts'
import { describeThresholds } from './thresholds-suite.ts'
import { describeWallet } from './wallet-suite.ts'

let postgres: ThrowawayPostgres
beforeAll(async () => {
  postgres = await startThrowawayPostgres()
})
afterAll(() => postgres?.stop())

// What is tested is not how fast a busy machine is.
const open = async () => openPostgres({ ...PATIENT, url: await postgres.createDatabase(), migrations: ALL_TABLES })
describeWallet('PostgreSQL', open)
describeSpend('PostgreSQL', open)
describeStatement('PostgreSQL', open)
describeThresholds('PostgreSQL', open)
describeBooks('PostgreSQL', open)
