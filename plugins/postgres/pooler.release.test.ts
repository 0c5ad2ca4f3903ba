// Behind pgbouncer in transaction mode. Runs where pgbouncer is installed; `npm run engines` installs it where it can.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ALL_TABLES, PATIENT } from '../../testing/open-database.ts'
import { describeStore } from '../../testing/store-promises.ts'
import { createTestApp, liveRequest } from '../../testing/test-app.ts'
import {
  pgbouncerProgram,
  startThrowawayPgbouncer,
  type ThrowawayPgbouncer,
} from '../../testing/throwaway-pgbouncer.ts'
import { startThrowawayPostgres, type ThrowawayPostgres } from '../../testing/throwaway-postgres.ts'
import { isClean, reconcile } from '../statement/reconcile.ts'
import { openPostgres } from './postgres.ts'

describe.runIf(pgbouncerProgram !== undefined)('behind pgbouncer', () => {
  let postgres: ThrowawayPostgres
  let pooler: ThrowawayPgbouncer
  beforeAll(async () => {
    postgres = await startThrowawayPostgres()
    pooler = await startThrowawayPgbouncer(await postgres.createDatabase())
  })
  afterAll(async () => {
    await pooler?.stop()
    await postgres?.stop()
  })
  const newUrl = async () => pooler.through(await postgres.createDatabase())

  describeStore('PostgreSQL behind a pooler', async () =>
    openPostgres({ ...PATIENT, url: await newUrl(), migrations: ALL_TABLES, transactionPooler: true }),
  )

  test('two processes serve whole checks, and the books are right', async () => {
    const databaseUrl = await newUrl()
    const environment = { DATABASE_POOLER: 'transaction' }
    const apps = [
      await createTestApp({ databaseUrl, environment }),
      await createTestApp({ databaseUrl, environment }),
    ] as const
    const checks = Array.from({ length: 40 }, async (_, index) => {
      const [one, other] = index % 2 === 0 ? apps : apps.toReversed()
      const started = (await one?.generate(liveRequest()))?.body.data
      const [code = ''] = (await one?.codes(started.creditReportId)) ?? []
      return (await other?.submit(started, code))?.body.data.status
    })
    expect(await Promise.all(checks)).toEqual(Array(40).fill('complete'))
    const sweeps = await Promise.all(apps.map((app) => app.sweeper.sweep()))
    for (const done of sweeps) expect(Object.keys(done)).toHaveLength(Object.keys(sweeps[0] ?? {}).length)
    expect(isClean(await reconcile(apps[0].database))).toBe(true)
    for (const app of apps) await app.close()
  })

  test('each statement has the service’s time-outs, and leaves none behind for the next client', async () => {
    const url = await newUrl()
    const database = await openPostgres({ url, migrations: [], transactionPooler: true })
    expect(await database.first('SHOW statement_timeout')).toEqual({ statement_timeout: '1400ms' })
    const plain = await openPostgres({ url, migrations: [], transactionPooler: true, timeoutMs: 9_000 })
    expect(await plain.first('SHOW lock_timeout')).toEqual({ lock_timeout: '8800ms' })
    expect(await database.first('SHOW lock_timeout')).toEqual({ lock_timeout: '1300ms' })
    await Promise.all([database.close(), plain.close()])
  })
})
