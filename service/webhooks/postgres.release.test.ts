import { afterAll, beforeAll } from 'vitest'
import { startThrowawayPostgres, type ThrowawayPostgres } from '../../testing/throwaway-postgres.ts'
import { describeWebhooks } from './webhook-suite.ts'

let postgres: ThrowawayPostgres
beforeAll(async () => {
  postgres = await startThrowawayPostgres()
})
afterAll(() => postgres?.stop())

describeWebhooks('PostgreSQL', async () => ({
  databaseUrl: await postgres.createDatabase(),
  // What is tested is not how fast a busy machine is.
  environment: { DATABASE_TIMEOUT_MS: '60000' },
}))
