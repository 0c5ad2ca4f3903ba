// F-01 to F-05: the database goes away, stands still, is full of others, moves, or takes no writes. F-17: the service's
// own connections are all in use.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createTestApp, liveRequest, type TestApp } from '../../testing/test-app.ts'
import { startThrowawayPostgres, type ThrowawayPostgres } from '../../testing/throwaway-postgres.ts'
import { booksMustBalance, completeReports } from './ledger-checks.ts'
import { type FaultRun, isQuick, must, times } from './must.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

const PAUSE_MS = 10_000
const PARALLEL = 20
/** Twenty on one wallet of a busy machine may take more than one try. */
const TRIES_MAX = 10
/** A report whose worker could not let go of it is free again after this. */
const LEASE_OVER_MS = 31_000

export const databaseFaults: readonly FaultRun[] = [
  {
    id: 'F-01',
    what: 'the database is killed before, during and after commits',
    run: (scale) =>
      withDatabase(scale, async ({ app, server, limits, mustNotBeReady }) => {
        const rounds = times(10, scale)
        for (let round = 0; round < rounds; round += 1) {
          const answers = ask(app, `killed-${round}`)
          await Promise.race(round % 2 === 0 ? [answers[0], pauseFor(round * 3)] : [pauseFor(round * 5)])
          await server.kill()
          await everyAnswerIsCivil(answers, limits)
          await everyAnswerIsCivil(ask(app, `down-${round}`, { count: 5 }), limits)
          if (round === 0) await mustNotBeReady()
          await server.start()
          await recovers(app, `killed-${round}`, limits)
        }
        must((await completeReports(app.database)) === rounds * PARALLEL, 'one report per key, whatever was retried')
        return rounds * PARALLEL
      }),
  },
  {
    id: 'F-02',
    what: 'the database hangs for ten seconds',
    run: (scale) =>
      withDatabase(scale, async ({ app, wire, limits, mustNotBeReady }) => {
        const before = process.memoryUsage().rss
        const endsAtMs = performance.now() + Math.max(3_000, PAUSE_MS * Math.min(1, scale))
        wire.swallow()
        let asked = 0
        while (performance.now() < endsAtMs) {
          await everyAnswerIsCivil(ask(app, `still-${asked}`), limits)
          asked += PARALLEL
        }
        await mustNotBeReady()
        const grownBytes = process.memoryUsage().rss - before
        must(isQuick(scale) || grownBytes < 50_000_000, 'requests must not pile up in memory')
        wire.pass()
        await recovers(app, 'still-0', limits)
        return asked
      }),
  },
  {
    id: 'F-03',
    what: 'another client holds every connection',
    run: (scale) =>
      withDatabase(scale, async ({ app, url, wire, limits, mustNotBeReady }) => {
        const hogs = await hogConnections(url, () => wire.resetAll())
        await mustNotBeReady()
        await everyAnswerIsCivil(ask(app, 'crowded'), limits)
        await Promise.all(hogs.map((hog) => hog.end().catch(() => {})))
        await recovers(app, 'crowded', limits)
        return hogs.length
      }),
  },
  {
    id: 'F-04',
    what: 'the database moves: every connection breaks in the middle',
    run: (scale) =>
      withDatabase(scale, async ({ app, wire, limits }) => {
        const rounds = times(20, scale)
        let refused = 0
        for (let round = 0; round < rounds; round += 1) {
          const answers = ask(app, `moved-${round}`)
          await pauseFor(round * 2)
          wire.resetAll()
          await everyAnswerIsCivil(answers, limits)
          refused += (await Promise.all(answers)).filter(({ status }) => status === 503).length
          await recovers(app, `moved-${round}`, limits)
        }
        must(refused > 0, 'some request must have met the break, or nothing was shown')
        must((await completeReports(app.database)) === rounds * PARALLEL, 'one report per key, whatever was retried')
        return rounds
      }),
  },
  {
    id: 'F-05',
    what: 'the database takes no writes',
    run: (scale) =>
      withDatabase(scale, async ({ app, url, wire, limits, mustNotBeReady }) => {
        const setReadOnly = async (on: 'on' | 'off') => {
          await onServer(
            url,
            `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = ${on}`,
          )
          wire.resetAll()
          // The pool learns of a broken connection when the break arrives.
          await sleep(50)
        }
        await setReadOnly('on')
        const answers = await Promise.all(ask(app, 'full'))
        must(
          answers.every(({ status }) => status === 503),
          'nothing may pretend to have been written',
        )
        await mustNotBeReady()
        await setReadOnly('off')
        must((await completeReports(app.database)) === 0, 'nothing may be half written')
        await recovers(app, 'full', limits)
        return answers.length
      }),
  },
  {
    id: 'F-17',
    what: 'every connection of the service waits for a lock',
    run: (scale) =>
      withDatabase(
        scale,
        async ({ app, url, limits }) => {
          const rounds = times(10, scale)
          let refused = 0
          for (let round = 0; round < rounds; round += 1) {
            const answers = await whileLocked(url, () => Promise.all(ask(app, `pool-${round}`)))
            await everyAnswerIsCivil(
              answers.map(async (answer) => answer),
              limits,
            )
            refused += answers.filter(({ status }) => status === 503).length
            await recovers(app, `pool-${round}`, limits)
          }
          must(refused > 0, 'some request must have found no connection, or nothing was shown')
          must((await completeReports(app.database)) === rounds * PARALLEL, 'one report per key, whatever was retried')
          return rounds
        },
        { DATABASE_CONNECTIONS_MAX: '2' },
      ),
  },
]

type Stage = {
  app: TestApp
  server: ThrowawayPostgres
  wire: TcpProxy
  url: string
  limits: Limits
  /** While the database cannot serve, the service says so. */
  mustNotBeReady(): Promise<void>
}

/** Time limits: until a caller hears that the database cannot serve, and until it serves again once it can. */
type Limits = { refusedWithinMs: number; recoveredWithinMs: number }
const LIMITS: Limits = { refusedWithinMs: 2_200, recoveredWithinMs: 5_500 }
const QUICK_LIMITS: Limits = { refusedWithinMs: 60_000, recoveredWithinMs: 60_000 }

/** A service on a PostgreSQL server of its own, with a wire between them that can be cut. */
async function withDatabase(
  scale: number,
  work: (stage: Stage) => Promise<number>,
  settings: { [name: string]: string } = {},
): Promise<number> {
  const server = await startThrowawayPostgres()
  const url = await server.createDatabase()
  const wire = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(url).port) })
  const wired = new URL(url)
  wired.port = String(wire.port)
  // Production's timeout, not that of tests, which waits for slow machines.
  const environment = { DATABASE_TIMEOUT_MS: '1500', ...settings }
  const app = await createTestApp({ databaseUrl: wired.href, environment })
  async function mustNotBeReady(): Promise<void> {
    const { status } = await app.fetch(new Request('http://service.test/readyz'))
    must(status === 503, 'a service without a database must say it is not ready')
  }
  try {
    const limits = isQuick(scale) ? QUICK_LIMITS : LIMITS
    const tried = await work({ app, server, wire, url, mustNotBeReady, limits })
    await booksMustBalance(app.database)
    return tried
  } finally {
    await app.close()
    await wire.close()
    await server.stop()
  }
}

type Answer = { status: number; ms: number }

function ask(app: TestApp, key: string, { count = PARALLEL, token = 'demo-lender' } = {}): Promise<Answer>[] {
  return Array.from({ length: count }, async (_, index) => {
    const startedMs = performance.now()
    const { status } = await app.generate(liveRequest('Allow'), { token, 'Idempotency-Key': `${key}-${index}` })
    return { status, ms: performance.now() - startedMs }
  })
}

async function everyAnswerIsCivil(answers: Promise<Answer>[], { refusedWithinMs }: Limits): Promise<void> {
  for (const { status, ms } of await Promise.all(answers)) {
    must(status === 200 || status === 503 || status === 409, `an answer must be 200, 409 or 503, not ${status}`)
    must(status !== 503 || ms < refusedWithinMs, `503 must come within two seconds, not after ${Math.round(ms)} ms`)
  }
}

/** The database is back: soon afterwards every request of before, repeated under its key, is answered once. */
async function recovers(app: TestApp, key: string, { recoveredWithinMs }: Limits): Promise<void> {
  const deadlineMs = performance.now() + recoveredWithinMs
  for (let probe = 0; ; probe += 1) {
    const [first] = await Promise.all(ask(app, `probe-${key}-${probe}`, { count: 1, token: 'other-lender' }))
    if (first?.status === 200) break
    must(performance.now() < deadlineMs, 'the service must serve again within five seconds')
    await pauseFor(100)
  }
  app.time.nowMs += LEASE_OVER_MS
  for (let tries = 0; ; tries += 1) {
    const again = await Promise.all(ask(app, key))
    if (again.every(({ status }) => status === 200)) return
    const statuses = again.map(({ status }) => status).join(' ')
    must(tries < TRIES_MAX, `repeated under its key, a request must be answered, not ${statuses}`)
    app.time.nowMs += LEASE_OVER_MS
  }
}

/** Takes every connection the server has to give, the service's own included. */
async function hogConnections(url: string, freeOthers: () => void): Promise<pg.Client[]> {
  const hogs: pg.Client[] = []
  for (let refused = 0; refused < 3; ) {
    const hog = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 })
    hog.on('error', () => {})
    try {
      await hog.connect()
      hogs.push(hog)
    } catch {
      refused += 1
      freeOthers()
      await pauseFor(20)
    }
  }
  return hogs
}

/** Another client holds the lender's wallet meanwhile. */
async function whileLocked<T>(url: string, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`BEGIN; SELECT 1 FROM wallet WHERE tenant_id = 'demo-lender' FOR UPDATE`)
    return await work()
  } finally {
    await client.end()
  }
}

/** Through another database of the server, which is not affected by what is done to ours. */
async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: new URL('/postgres', url).href })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

function pauseFor(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
