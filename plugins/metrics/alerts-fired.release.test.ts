// Each alert rule, fired by the fault it is for: a service that has the fault, scraped by a real Prometheus (Debian:
// apt install prometheus).
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { startNodeServer } from '../../service/http/node-server.ts'
import { deriveKeys } from '../../service/keys.ts'
import { createLiveApp, type LiveApp, type LiveAppOptions } from '../../testing/live-app.ts'
import { TEST_SECRET_KEY } from '../../testing/test-app.ts'
import { freePort, startThrowawayPostgres } from '../../testing/throwaway-postgres.ts'
import { startVersion } from '../../testing/version-process.ts'
import { startWebhookReceiver } from '../../testing/webhook-receiver.ts'
import { addEndpoint } from '../webhooks/endpoints.ts'
import { createMetrics } from './metrics.ts'

const RULES = readFileSync('deploy/alerts.yml', 'utf8')
const METRICS_TOKEN = 'a token that only Prometheus has'
const HOUR_MS = 3_600_000
/** Longer than a rate and a `for`, as they are here. */
const QUIET_ROUNDS = 20
/** Ends a row that hangs: on a busy machine scrapes fail now and then, and every one that fails delays an alert. */
const PATIENCE_MS = 300_000

/** Called when the row is over, the last first. */
type Cleanups = (() => unknown)[]

type Fault = {
  what: string
  /** Every alert that fires, and no other. */
  fires: string[]
  /**
   * Starts a service that has the fault; resolves to the port Prometheus scrapes and to what happens while it watches.
   */
  start(cleanups: Cleanups): Promise<{ port: number; begin?: () => unknown; repeat?: () => unknown }>
}

const faults: Fault[] = [
  {
    what: 'nothing: consumers are checked, texts arrive, lenders take their webhooks',
    fires: [],
    async start(cleanups) {
      const { app, port } = await startSite(cleanups)
      const receiver = await startWebhookReceiver()
      cleanups.push(() => receiver.close())
      const added = await addWebhook(app, receiver.url)
      receiver.state.secret = added?.secret ?? ''
      async function repeat() {
        await app.generate(app.stranger('Allow'))
        const { started, text, code } = await app.challenged()
        await app.receipt(text, 'delivered')
        expect((await app.submit(started, code)).status).toBe(200)
        expect((await app.call('/demo-lender/v1/wallet')).status).toBe(200)
      }
      async function begin() {
        for (let round = 0; round < QUIET_ROUNDS; round += 1) await Promise.all([repeat(), pause(1_000)])
      }
      return { port, begin, repeat }
    },
  },
  {
    what: 'the process is killed',
    fires: ['ServiceDown'],
    async start(cleanups) {
      const service = await startProcess(cleanups)
      return { port: service.port, begin: () => service.kill() }
    },
  },
  {
    what: 'the clock of the machine is three seconds behind the database’s',
    fires: ['BackupOld', 'ClockOff'],
    async start(cleanups) {
      const folder = readdirSync('/usr/lib').find((each) => existsSync(`/usr/lib/${each}/faketime/libfaketime.so.1`))
      const preload = { LD_PRELOAD: `/usr/lib/${folder}/faketime/libfaketime.so.1`, FAKETIME: '-3s' }
      const { DATABASE_URL } = await startServer(cleanups)
      const clock = { ...preload, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
      return { port: (await startProcess(cleanups, { DATABASE_URL, ...clock })).port }
    },
  },
  {
    what: 'PostgreSQL is gone, under traffic',
    fires: ['ErrorsHigh', 'GenerateFailing', 'ServiceNotReady'],
    async start(cleanups) {
      const { server, DATABASE_URL } = await startServer(cleanups)
      // Production's: with the patience of tests, metrics would wait for PostgreSQL longer than Prometheus waits for
      // them.
      const environment = { DATABASE_TIMEOUT_MS: '1500' }
      const { app, port } = await startSite(cleanups, { databaseUrl: DATABASE_URL, environment })
      const repeat = () => Promise.all([app.generate(app.stranger('Allow')), app.call('/demo-lender/v1/wallet')])
      await repeat()
      return { port, begin: () => server.kill(), repeat }
    },
  },
  {
    what: 'another session holds a lock, and requests take every connection',
    fires: ['DatabaseConnectionsShort'],
    async start(cleanups) {
      const { DATABASE_URL } = await startServer(cleanups)
      const environment = { DATABASE_CONNECTIONS_MAX: '2' }
      const { app, port } = await startSite(cleanups, { databaseUrl: DATABASE_URL, environment })
      const other = new pg.Client({ connectionString: DATABASE_URL })
      await other.connect()
      const waiting: Promise<unknown>[] = []
      cleanups.push(() => Promise.all(waiting))
      cleanups.push(() => other.end())
      async function begin() {
        await other.query('BEGIN; LOCK TABLE credit_report IN ACCESS EXCLUSIVE MODE')
        for (let count = 0; count < 4; count += 1) waiting.push(app.generate(app.stranger('Allow')))
      }
      return { port, begin }
    },
  },
  {
    what: 'a bureau answers with errors',
    fires: ['GenerateFailing', 'ProviderFailing'],
    async start(cleanups) {
      const { app, port } = await startSite(cleanups)
      return { port, begin: () => breakBureaus(app), repeat: () => app.generate(app.stranger('Allow')) }
    },
  },
  {
    what: 'a bureau answers with errors once the code was right',
    fires: ['CodeFailing', 'ProviderFailing'],
    async start(cleanups) {
      const { app, port } = await startSite(cleanups)
      const { started, code } = await app.challenged()
      return { port, begin: () => breakBureaus(app), repeat: () => app.submit(started, code) }
    },
  },
  {
    what: 'a bureau takes six seconds',
    fires: ['GenerateSlow'],
    async start(cleanups) {
      const { app, port } = await startSite(cleanups)
      const answers: Promise<unknown>[] = []
      cleanups.push(() => Promise.all(answers))
      app.gateway.always('experian', { kind: 'slow', ms: 6_000 })
      return { port, repeat: () => void answers.push(app.generate(app.stranger('Allow'))) }
    },
  },
  {
    what: 'more requests than there are places',
    fires: ['GenerateFailing', 'RequestsShed'],
    async start(cleanups) {
      const environment = { REQUESTS_RUNNING_MAX: '1', REQUESTS_WAITING_MAX: '0' }
      const { app, port } = await startSite(cleanups, { environment })
      return { port, repeat: () => Promise.all([1, 2, 3].map(() => app.generate(app.stranger('Allow')))) }
    },
  },
  {
    what: 'the SMS gateway takes no text',
    fires: ['ProviderFailing', 'TextsStuck'],
    async start(cleanups) {
      const { app, port } = await startSite(cleanups)
      app.gateway.always('sms', { kind: 'status', status: 500 })
      async function begin() {
        await app.generate(app.stranger())
        app.time.nowMs += 150_000
      }
      return { port, begin, repeat: () => app.generate(app.stranger()) }
    },
  },
  {
    what: 'texts do not arrive',
    fires: ['TextsUndelivered'],
    async start(cleanups) {
      const { app, port } = await startSite(cleanups)
      return { port, repeat: async () => app.receipt((await app.challenged()).text, 'undelivered') }
    },
  },
  {
    what: 'networks refuse the sender of texts',
    fires: ['TextSenderRefused', 'TextsUndelivered'],
    async start(cleanups) {
      const refusing = { send: async () => ({ refused: 'sender', code: '30042' }) as const }
      const { app, port } = await startSite(cleanups, { wrapSms: () => refusing })
      return { port, repeat: () => app.generate(app.stranger()) }
    },
  },
  {
    what: 'the server of a lender takes no webhook',
    fires: ['WebhooksStuck'],
    async start(cleanups) {
      const { app, port } = await startSite(cleanups)
      await addWebhook(app, `http://127.0.0.1:${await freePort()}/webhook`)
      async function begin() {
        await app.generate(app.stranger('Allow'))
        app.time.nowMs += 7 * HOUR_MS
      }
      return { port, begin }
    },
  },
  {
    what: 'a lender calls in a loop',
    fires: ['LimitsMet'],
    async start(cleanups) {
      const { app, port } = await startSite(cleanups, { environment: { RATE_LIMIT_PER_MINUTE: '1' } })
      return { port, repeat: () => app.call('/demo-lender/v1/wallet') }
    },
  },
  {
    what: 'a task of the sweeper has failed since the start',
    fires: ['SweeperStopped'],
    async start(cleanups) {
      const { app, port } = await startSite(cleanups, { startedMsAgo: 121_000 })
      await app.database.run('ALTER TABLE idempotency RENAME TO idempotency_away')
      return { port }
    },
  },
  {
    what: 'more keys expire than the sweeper can delete',
    fires: ['SweeperBehind'],
    async start(cleanups) {
      const { app, port } = await startSite(cleanups)
      const repeat = () =>
        app.database.run(
          `INSERT INTO idempotency (scope, fingerprint, report_id, created_at_ms)
           WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 3000)
           SELECT 'scope-' || ? || '-' || n, '', '', 0 FROM counted`,
          randomUUID(),
        )
      return { port, repeat }
    },
  },
  {
    what: 'a lender spends, and has 4,000 credits left',
    fires: ['TenantOutOfCredits'],
    async start(cleanups) {
      const { app, port } = await startSite(cleanups)
      const token = await app.newTenant(4_500)
      return { port, begin: () => app.generate(app.stranger('Allow'), { token }) }
    },
  },
  {
    what: 'a balance is changed by hand',
    fires: ['BooksBroken'],
    async start(cleanups) {
      const { app, port } = await startSite(cleanups)
      const change = `UPDATE wallet SET balance_credits = balance_credits + 1 WHERE tenant_id = 'demo-lender'`
      async function begin() {
        await app.database.run(change)
        // The books are compared once a minute.
        app.time.nowMs += 60_000
      }
      return { port, begin }
    },
  },
  {
    what: 'the daily check of the audit trail found something',
    fires: ['AuditBroken'],
    async start(cleanups) {
      const { app, port } = await startSite(cleanups)
      const found = `INSERT INTO audit_head
          (tenant_id, position, hash, deleted_position, deleted_hash, jws, verified_at_ms, verified_problem)
        VALUES ('gone', 1, '', 0, '', '', ?, 'event 1 was changed')`
      return { port, begin: () => app.database.run(found, app.time.nowMs) }
    },
  },
  {
    what: 'the content of a report is overwritten',
    fires: ['ReportsUnreadable'],
    async start(cleanups) {
      const { app, port } = await startSite(cleanups)
      const { creditReportId } = (await app.generate(app.stranger('Allow'))).body.data
      const overwrite = `UPDATE sealed_report SET content = x'00' WHERE report_id = ?`
      return { port, begin: () => app.database.run(overwrite, creditReportId) }
    },
  },
  {
    what: 'a backup was never made',
    fires: ['BackupOld'],
    start: (cleanups) => startSite(cleanups, { isBackedUp: false }),
  },
  {
    what: 'the last backup was 27 hours ago',
    fires: ['BackupOld'],
    async start(cleanups) {
      const { app, port } = await startSite(cleanups)
      function begin() {
        app.time.nowMs += 27 * HOUR_MS
      }
      return { port, begin }
    },
  },
]

describe.concurrent('Prometheus fires', () => {
  test.for(faults)('$fires when: $what', { timeout: 2 * PATIENCE_MS }, async ({ start, fires }, { expect }) => {
    const cleanups: Cleanups = []
    try {
      const { port, begin, repeat } = await start(cleanups)
      const prometheus = await startPrometheus(cleanups, port)
      // A counter counts from its first scrape on.
      await expect.poll(prometheus.hasScraped, { timeout: PATIENCE_MS }).toBe(true)
      await begin?.()
      const deadlineMs = Date.now() + PATIENCE_MS
      let fired: string[] | null = null
      do {
        await repeat?.()
        await pause(250)
        fired = await prometheus.firing()
      } while (Date.now() < deadlineMs && String(fired) !== String(fires))
      expect(fired).toEqual(fires)
    } finally {
      for (const cleanUp of cleanups.reverse()) await cleanUp()
    }
  })
})

test('every rule has its fault', () => {
  const names = [...RULES.matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
  expect([...new Set(faults.flatMap(({ fires }) => fires))].toSorted()).toEqual(names.toSorted())
})

type SiteOptions = LiveAppOptions & { isBackedUp?: boolean; startedMsAgo?: number }

/** The service as one process runs it, with providers that misbehave on command and a clock that can be set. */
async function startSite(cleanups: Cleanups, options: SiteOptions = {}): Promise<{ app: LiveApp; port: number }> {
  const { isBackedUp = true, startedMsAgo = 0, ...rest } = options
  const metrics = createMetrics({ process: true })
  metrics.watch('clock_offset_seconds', 'Watched', () => 0)
  const environment = { METRICS_TOKEN, ...rest.environment }
  const app = await createLiveApp({ ...rest, environment, metrics })
  cleanups.push(() => app.close())
  runClock(app.time)
  if (isBackedUp) await app.database.run('INSERT INTO backup_time (id, at_ms) VALUES (1, ?)', app.time.nowMs)
  app.time.nowMs -= startedMsAgo
  cleanups.push(app.sweeper.start(), app.webhooks.start())
  const server = await startNodeServer({ fetch: app.fetch, host: '127.0.0.1', port: 0, timing: { drainMs: 0 } })
  cleanups.push(() => server.stop())
  return { app, port: server.port }
}

/** Lets a clock that stands still go with the machine's; it can still be set. */
function runClock(time: { nowMs: number }): void {
  let aheadMs = 0
  Object.defineProperty(time, 'nowMs', {
    get: () => Date.now() + aheadMs,
    set: (nowMs: number) => {
      aheadMs = nowMs - Date.now()
    },
  })
}

/** The built service. */
async function startProcess(cleanups: Cleanups, environment: { [name: string]: string } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'alerts-service-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  const settings = { METRICS_TOKEN, SECRET_KEY: TEST_SECRET_KEY, DATA_DIR: folder, ...environment }
  const service = await startVersion('.', settings)
  cleanups.push(() => service.kill())
  return service
}

async function startServer(cleanups: Cleanups) {
  const server = await startThrowawayPostgres()
  cleanups.push(() => server.stop())
  return { server, DATABASE_URL: await server.createDatabase() }
}

function breakBureaus({ gateway }: LiveApp): void {
  for (const bureau of ['equifax', 'experian', 'transunion']) gateway.always(bureau, { kind: 'status', status: 500 })
}

function addWebhook(app: LiveApp, url: string) {
  const keys = deriveKeys(app.config.secretKeys).webhooks
  return addEndpoint(app.database, keys, { tenantId: 'demo-lender', url, nowMs: app.time.nowMs })
}

/** With the files of deploy/. Only times are shorter: a scrape every three seconds, fifteen of a rate, one of `for`. */
async function startPrometheus(cleanups: Cleanups, target: number) {
  const folder = mkdtempSync(join(tmpdir(), 'prometheus-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  const config = readFileSync('deploy/prometheus.yml', 'utf8')
    .replaceAll('_interval: 15s', '_interval: 3s')
    .replace('127.0.0.1:4100', `127.0.0.1:${target}`)
  writeFileSync(join(folder, 'prometheus.yml'), config)
  writeFileSync(join(folder, 'metrics-token'), METRICS_TOKEN)
  const rules = RULES.replace(/\[\d+[mh]\]/g, '[15s]').replace(/for: \d+m/g, 'for: 1s')
  writeFileSync(join(folder, 'alerts.yml'), rules)
  const address = `127.0.0.1:${await freePort()}`
  const files = [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`]
  const prometheus = spawn('prometheus', [...files, `--web.listen-address=${address}`, '--log.level=error'], {
    stdio: 'inherit',
  })
  const ended = once(prometheus, 'exit')
  cleanups.push(async () => {
    prometheus.kill('SIGKILL')
    await ended
  })

  /** Null while it does not answer. */
  async function ask(path: string) {
    const answer = await fetch(`http://${address}/api/v1/${path}`).catch(() => null)
    return answer?.ok ? (await answer.json()).data : null
  }
  return {
    hasScraped: async () => (await ask('query?query=up'))?.result[0]?.value[1] === '1',
    /** The names of the alerts that fire, once every rule was evaluated. */
    async firing(): Promise<string[] | null> {
      const rules: Rule[] = (await ask('rules'))?.groups[0]?.rules ?? []
      if (rules.length === 0 || rules.some(({ health }) => health !== 'ok')) return null
      return rules
        .filter(({ state }) => state === 'firing')
        .map(({ name }) => name)
        .toSorted()
    },
  }
}

type Rule = { name: string; state: string; health: string }
