// F-09: the clock is set, by a second or a day, forwards or back, in the middle of a challenge. The service reads no
// clock but its own, so the database's cannot matter.
import { createSilentLog } from '../../service/log.ts'
import { startServerClock } from '../../service/server-clock.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import { createTestApp, liveRequest, type TestApp } from '../../testing/test-app.ts'
import { startThrowawayPostgres } from '../../testing/throwaway-postgres.ts'
import { booksMustBalance } from './ledger-checks.ts'
import { type FaultRun, must } from './must.ts'

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const LIFETIME_MS = 300_000
/** Steps this small are two processes that differ, not a clock that was set. */
const SKEW_MAX_MS = 5_000

const STEPS_MS = [SECOND_MS, 4 * SECOND_MS, 60 * SECOND_MS, LIFETIME_MS, LIFETIME_MS + 1, HOUR_MS, DAY_MS, 30 * DAY_MS]

export const clockFaults: readonly FaultRun[] = [
  {
    id: 'F-09',
    what: 'the clock is set forwards and back in the middle of a challenge',
    async run() {
      await differenceMustAlert()
      const app = await createTestApp()
      let tried = 0
      for (const byMs of STEPS_MS.flatMap((step) => [step, -step])) {
        for (const resendFirst of [false, true]) {
          await step(app, byMs, resendFirst)
          tried += 1
        }
      }
      await booksMustBalance(app.database)
      await app.close()
      return tried
    },
  },
]

/** A machine whose clock was set, beside a database whose clock was not. */
async function differenceMustAlert(): Promise<void> {
  const server = await startThrowawayPostgres()
  const database = await openTestDatabase({ databaseUrl: await server.createDatabase(), dataDir: '' })
  const local = () => Date.now() + 2 * LIFETIME_MS
  const clock = await startServerClock({ database, log: createSilentLog(), local })
  try {
    must(clock.isOff(), 'a service whose clock is off must want no work')
  } finally {
    clock.stop()
    await database.close()
    await server.stop()
  }
}

async function step(app: TestApp, byMs: number, resendFirst: boolean): Promise<void> {
  const { body } = await app.generate(liveRequest())
  if (resendFirst) await app.resend(body.data)
  const code = (await app.codes(body.data.creditReportId)).at(-1)
  const beganAtMs = app.time.nowMs
  app.time.nowMs += byMs
  const lives = byMs <= LIFETIME_MS && byMs >= -SKEW_MAX_MS
  const { status } = await app.submit(body.data, code)
  must(
    status === (lives ? 200 : 410),
    `after a step of ${byMs} ms the code must ${lives ? 'work' : 'have expired'}, not ${status}`,
  )
  // A decision stays, whatever the clock says later.
  app.time.nowMs = beganAtMs
  await app.sweeper.sweep()
  const again = await app.submit(body.data, code)
  must(again.status === status, 'setting the clock right again must change nothing')
  app.time.nowMs = beganAtMs + 31 * DAY_MS
  await app.sweeper.sweep()
}
