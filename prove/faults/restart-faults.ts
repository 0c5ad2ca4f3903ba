// F-10 and F-11: the service ends and begins again in the middle of a challenge, one of two at a time, or on a schema
// that is newer than itself.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { version } from '../../packages/credit-report-service/package.json' with { type: 'json' }
import { createMetrics } from '../../plugins/metrics/metrics.ts'
import { topUp } from '../../service/ledger/ledger.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import { createTestApp, liveRequest } from '../../testing/test-app.ts'
import { startThrowawayPostgres } from '../../testing/throwaway-postgres.ts'
import { watchAlerts } from './alerts.ts'
import { booksMustBalance } from './ledger-checks.ts'
import { type FaultRun, isQuick, must, times } from './must.ts'
import { type ServiceChild, startChild } from './service-child.ts'

const REPORTS = '/demo-lender/v1/credit-reports'

export const restartFaults: readonly FaultRun[] = [
  {
    id: 'F-10',
    what: 'the service is killed or stopped in the middle of a challenge',
    async run(scale) {
      let restarts = 0
      const restartsMax = isQuick(scale) ? 1 : Number.POSITIVE_INFINITY
      for (let round = 0; round < times(10, scale); round += 1)
        restarts += await restartDuringChallenge(round, restartsMax)
      if (!isQuick(scale)) restarts += await rollingRestart(times(5, scale))
      return restarts
    },
  },
  {
    id: 'F-11',
    what: 'the schema is newer than the service',
    run: (scale) => runOnNewerSchema(times(50, scale)),
  },
]

/** Attempts, codes and outcomes are the same after every end, whether it was polite or not. */
async function restartDuringChallenge(round: number, restartsMax: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'restart-'))
  let restarts = 0
  let service = await startChild({ DATA_DIR: folder })

  async function restart(): Promise<void> {
    if (restarts >= restartsMax) return
    if ((round + restarts) % 2 === 0) await service.kill()
    else must((await service.terminate()) === 0, 'a service asked to stop must end with 0')
    service = await startChild({ DATA_DIR: folder })
    restarts += 1
  }

  try {
    const started = await beginChallenge(service)
    const submit = async (code: string) => {
      const { creditReportId, challenge } = started
      return (await service.call(`${REPORTS}/${creditReportId}/otp-challenge`, { ...challenge, code })).body.data
    }
    must((await submit('wrong')).attemptsRemaining === 2, 'a first wrong code leaves two')
    await restart()
    must((await submit('wrong')).attemptsRemaining === 1, 'what was guessed before a restart still counts')
    await restart()
    must((await submit(started.code)).status === 'complete', 'a code texted before the restarts still works')
    await restart()
    must((await submit(started.code)).status === 'complete', 'a complete report is still complete')
    await service.kill()
    const database = await openTestDatabase({ databaseUrl: null, dataDir: folder }, 'operator')
    await booksMustBalance(database)
    await database.close()
  } finally {
    await service.kill()
    rmSync(folder, { recursive: true, force: true })
  }
  return restarts
}

async function beginChallenge(service: ServiceChild) {
  const sessionId = await service.openSession()
  const { body } = await service.call(REPORTS, { ...liveRequest(), sessionId })
  const { creditReportId, challenge } = body.data
  return { creditReportId, challenge, code: await service.codeOf(creditReportId) }
}

/**
 * Two services share a database behind a balancer that only knows what `/readyz` says and never asks twice; each is
 * stopped without a word to the balancer, and replaced. No caller notices.
 */
async function rollingRestart(rounds: number): Promise<number> {
  const server = await startThrowawayPostgres()
  const DATABASE_URL = await server.createDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'rolling-'))
  const environment = { DATABASE_URL, DATA_DIR: folder, DRAIN_SECONDS: '2' }
  const running = [await startChild(environment), await startChild(environment)]
  const balancer = startBalancer(running)
  const database = await openTestDatabase({ databaseUrl: DATABASE_URL, dataDir: folder })
  // However many can be asked for on a fast machine, the wallet is not what is tried here.
  await topUp(database, { tenantId: 'demo-lender', credits: CREDITS, reference: 'rolling', nowMs: Date.now() })
  const failures: string[] = []
  let asked = 0
  let over = false

  const load = Array.from({ length: 8 }, async (_, client) => {
    while (!over) {
      const key = { 'Idempotency-Key': `rolling-${client}-${asked}` }
      asked += 1
      const answer = await askOne(balancer.listed(), asked, key)
      if (answer !== 200) failures.push(String(answer))
    }
  })
  for (let round = 0; round < rounds * 2; round += 1) {
    must((await running[0]?.terminate()) === 0, 'a service asked to stop must end with 0')
    running.shift()
    running.push(await startChild(environment))
    await balancer.looked()
  }
  over = true
  await Promise.all(load)
  balancer.stop()
  await Promise.all(running.map((service) => service.kill()))
  await booksMustBalance(database)
  await database.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
  must(failures.length === 0, `a rolling restart must fail no request, but of ${asked} some got ${failures.join(' ')}`)
  return rounds * 2
}

const CREDITS = 100_000_000
const CHECK_EVERY_MS = 500

/** Sends requests to those that said they were ready when it last asked. */
function startBalancer(running: readonly ServiceChild[]) {
  let listed = [...running]
  const look = async () => {
    const asked = [...running]
    const answers = await Promise.all(asked.map((service) => service.isReady()))
    listed = asked.filter((_service, index) => answers[index])
  }
  const timer = setInterval(look, CHECK_EVERY_MS)
  return { listed: () => listed, looked: look, stop: () => clearInterval(timer) }
}

async function askOne(listed: readonly ServiceChild[], turn: number, key: { [name: string]: string }) {
  const answer = listed[turn % listed.length]?.call(REPORTS, liveRequest('Allow'), key)
  return (await answer?.then(({ status }) => status).catch(() => 'a broken connection')) ?? 'no one there'
}

/** A newer release has widened every table while this one serves; this one goes on, starts again, and goes back. */
async function runOnNewerSchema(reports: number): Promise<number> {
  const server = await startThrowawayPostgres()
  const databaseUrl = await server.createDatabase()
  const metrics = createMetrics()
  const app = await createTestApp({ databaseUrl, metrics })
  const mustStaySilent = await watchAlerts(() => metrics.render())
  const ask = (from: typeof app) => from.generate(liveRequest('Allow')).then(({ status }) => status)
  const tables = (
    await app.database.all(`SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`)
  ).map(({ tablename }) => String(tablename))
  const columns = async (change: (table: string) => string) => {
    for (const table of tables) await app.database.run(change(table))
  }
  try {
    const load = Array.from({ length: reports }, () => ask(app))
    await columns((table) => `ALTER TABLE ${table} ADD COLUMN of_the_future TEXT`)
    await app.database.run(
      'INSERT INTO migration (name, version, applied_at_ms) VALUES (?, ?, 0)',
      'of-the-future',
      nextRelease(),
    )
    must(
      (await Promise.all(load)).every((status) => status === 200),
      'a migration under load must fail no request',
    )

    const restarted = await createTestApp({ databaseUrl })
    must((await ask(restarted)) === 200, 'an older service must start on a newer schema')
    await columns((table) => `ALTER TABLE ${table} DROP COLUMN of_the_future`)
    must((await ask(restarted)) === 200, 'and go on when the change is taken back')
    must((await ask(app)) === 200, 'and so must the one that never stopped')
    await restarted.close()
    await mustStaySilent()
    await booksMustBalance(app.database)
  } finally {
    await app.close()
    await server.stop()
  }
  return reports
}

function nextRelease(): string {
  const [major, minor] = version.split('.').map(Number)
  return `${major}.${Number(minor) + 1}.0`
}
