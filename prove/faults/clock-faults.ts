// F-09: the clock is set, by a second or a day, forwards or back, in the middle of a challenge. The service reads no
// clock but its own, so the database's cannot matter. F-18: the same in a running service, counted from outside.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSilentLog } from '../../service/log.ts'
import { startServerClock } from '../../service/server-clock.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import { createTestApp, liveRequest, type TestApp } from '../../testing/test-app.ts'
import { startThrowawayPostgres } from '../../testing/throwaway-postgres.ts'
import { booksMustBalance, watchWallet } from './ledger-checks.ts'
import { type FaultRun, must } from './must.ts'
import { runFirst, type ServiceChild, signIn, startChild, strangerOf } from './service-child.ts'

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
  {
    id: 'F-18',
    what: 'the clock of a running service is set forwards and back',
    run: () => withRunning(setClockOften),
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

// From outside.

const REPORTS = '/demo-lender/v1/credit-reports'

/** `set`: from now on the service's clock is so much ahead. */
type Running = { service: ServiceChild; set(aheadMs: number): Promise<void> }

async function withRunning(work: (running: Running) => Promise<number>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'clock-'))
  const asked = join(folder, 'ahead-ms')
  const shown = `${asked}.set`
  writeFileSync(asked, '0')
  const service = await startChild(
    { DATA_DIR: folder, SEARCHES_PER_PERSON_PER_DAY: '1000000' },
    runFirst(settableClock(asked, shown)),
  )
  try {
    return await work({
      service,
      async set(aheadMs) {
        writeFileSync(asked, String(aheadMs))
        while (!existsSync(shown) || readFileSync(shown, 'utf8') !== String(aheadMs)) await sleep(20)
      },
    })
  } finally {
    await service.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

const settableClock = (asked: string, shown: string) => `
  import { readFileSync, writeFileSync } from 'node:fs'
  const RealDate = Date
  const realNow = Date.now
  let aheadMs = 0
  globalThis.Date = class extends RealDate {
    constructor(...given) {
      if (given.length === 0) super(Date.now())
      else super(...given)
    }
    static now() {
      return realNow() + aheadMs
    }
  }
  setInterval(() => {
    aheadMs = Number(readFileSync('${asked}', 'utf8'))
    writeFileSync('${shown}', String(aheadMs))
  }, 20).unref()`

/** One report per key and one charge per report, on either side of each step; a code works as long as its challenge. */
async function setClockOften({ service, set }: Running): Promise<number> {
  const wallet = await watchWallet(service.url)
  const steps = STEPS_MS.filter((step) => step <= HOUR_MS).flatMap((step) => [step, -step])
  const call = async (path: string, body: object, key?: string) => {
    const headers = { Authorization: `Bearer ${await signIn(service.url)}` }
    return service.call(path, body, key === undefined ? headers : { ...headers, 'Idempotency-Key': key })
  }
  const bought = new Map<string, string>()
  async function mustGive(key: string): Promise<void> {
    const { status, body } = await call(REPORTS, liveRequest('Allow'), key)
    must(status === 200 && body.data.status === 'complete', `${key}: a report must be given, not ${status}`)
    const { creditReportId } = body.data
    must((bought.get(key) ?? creditReportId) === creditReportId, `${key}: one key must give one report`)
    bought.set(key, creditReportId)
  }

  let completed = 0
  for (const [number, aheadMs] of steps.entries()) {
    const keys = [`before-${aheadMs}`, `while-${aheadMs}`]
    const request = { ...strangerOf(number), sessionId: await service.openSession() }
    const begun = await call(REPORTS, request, `open-${aheadMs}`)
    must(begun.status === 200, `before a step of ${aheadMs} ms a check was answered ${begun.status}`)
    const { creditReportId, challenge } = begun.body.data
    const code = await service.codeOf(creditReportId)
    const submit = () => call(`${REPORTS}/${creditReportId}/otp-challenge`, { ...challenge, code })
    await mustGive(keys[0] ?? '')
    await set(aheadMs)
    const { status } = await submit()
    const lives = aheadMs < LIFETIME_MS && aheadMs >= -SKEW_MAX_MS
    must(status === (lives ? 200 : 410), `${aheadMs} ms ahead the code was answered ${status}`)
    for (const key of keys) await mustGive(key)
    await set(0)
    for (const key of keys) await mustGive(key)
    must((await submit()).status === status, 'setting the clock right again must change nothing')
    if (lives) completed += 1
  }
  await wallet.mustHaveBought({ reports: bought.size + completed, texts: steps.length })
  return steps.length
}
