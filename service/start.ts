import { statSync } from 'node:fs'
import { join } from 'node:path'
import { isLoopbackHost } from '../kit/network.ts'
import {
  type Check,
  findObstacles,
  findSettingObstacles,
  refuse,
  requireNoObstacles,
  serviceChecks,
} from '../plugins/admin/production-checks.ts'
import { createMetrics } from '../plugins/metrics/metrics.ts'
import { type Config, httpUrl } from './config.ts'
import { type AppOptions, createApp } from './handler.ts'
import { startNodeServer } from './http/node-server.ts'
import { refuseOtherHosts } from './http/own-hosts.ts'
import type { Log } from './log.ts'
import { serviceTables } from './schema.ts'
import { startServerClock } from './server-clock.ts'
import type { Database } from './store/database.ts'
import type { Migration } from './store/migration.ts'
import { openDatabase } from './store/open-database.ts'
import { DATABASE_FILE } from './store/sqlite.ts'

export type StartOptions = {
  config: Config
  log: Log
  /** Tables of what is mounted beside the machine API. @default none */
  tables?: readonly Migration[]
  /** What production asks of them before it starts. @default nothing more */
  checks?: readonly Check[]
} & Pick<AppOptions, 'mounts' | 'providers' | 'phone'>

export type RunningService = {
  /** Where it listens, as a browser on this machine would write it. */
  url: string
  /** Finishes the requests in progress, then closes the database. */
  stop(): Promise<void>
}

/** The service as one process runs it: database, parts, sweeper, socket. Leaves nothing open when it cannot start. */
export async function startService({
  config: given,
  log,
  tables = [],
  checks = [],
  ...options
}: StartOptions): Promise<RunningService> {
  const config = given.port === 0 ? await withFreePort(given) : given
  const hadLog = config.databaseUrl === null && hasLog(config.dataDir)
  const allChecks = [...serviceChecks, ...checks]
  if (config.production) await requireNoneYet(config, allChecks)
  const database = await openDatabase(config, { migrations: [...serviceTables, ...tables] })
  try {
    if (config.production) await requireNoObstacles(allChecks, { config, database })
    // The likeliest reason: `service.db` was put there from a copy without its log, or beside another's.
    if (hadLog && (await isEmpty(database))) log.warn('database has no tenants, though a write-ahead log lay beside it')
    let isDraining = false
    const metrics = createMetrics({ process: true })
    const clock = await startServerClock({ database, log })
    metrics.watchClock(clock.offsetMs)
    const refusal = () => (isDraining ? 'draining' : clock.isOff() ? 'clock' : null)
    const app = await createApp({ ...options, config, database, log, metrics, clock: clock.now, refusal })
    const server = await startNodeServer({
      fetch: isLoopbackHost(config.host) ? refuseOtherHosts(app.fetch, config.publicUrl) : app.fetch,
      host: config.host,
      port: config.port,
      timing: { drainMs: config.drainMs },
    })
    const stopSweeper = app.sweeper.start()
    const stopWebhooks = app.webhooks.start()
    const stopStats = app.stats.start()
    return {
      url: httpUrl(config.host, server.port),
      async stop() {
        isDraining = true
        await server.stop()
        await Promise.all([stopSweeper(), stopWebhooks()])
        await stopStats()
        clock.stop()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Before anything is migrated, or sent to a database over a network: what the settings say, and what a database that is there already says. */
async function requireNoneYet(config: Config, checks: readonly Check[]): Promise<void> {
  refuse(findSettingObstacles(config))
  // Not there yet, or out of reach: opening it in earnest says so.
  const reader = await openDatabase(config, { migrations: [], role: 'reader' }).catch(() => null)
  if (reader === null) return
  try {
    // Tables of the release before may be missing: asked again once they are there.
    const obstacles = await findObstacles(checks, { config, database: reader }).catch(() => [])
    refuse(obstacles)
  } finally {
    await reader.close()
  }
}

function hasLog(dataDir: string): boolean {
  try {
    return statSync(join(dataDir, `${DATABASE_FILE}-wal`)).size > 0
  } catch {
    // No such file, or no such folder; opening the database says so in its own words.
    return false
  }
}

async function isEmpty(database: Database): Promise<boolean> {
  return (await database.first('SELECT 1 AS one FROM tenant LIMIT 1')) === null
}

/** Chosen before it listens, because tokens and redirects name the address from the first request on. */
async function withFreePort(config: Config): Promise<Config> {
  const options = { host: config.host, port: 0, timing: { drainMs: 0 } }
  const { port, stop } = await startNodeServer({ fetch: () => new Response(), ...options })
  await stop()
  return { ...config, port, publicUrl: config.publicUrl.replace(/:0$/, `:${port}`) }
}
