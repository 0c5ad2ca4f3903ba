import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../kit/clock.ts'
import { isLoopbackHost } from '../kit/network.ts'
import { ConfigError } from '../kit/setting-reader.ts'
import { type Config, httpUrl } from './config.ts'
import { createHandler, type HandlerOptions } from './handler.ts'
import { refuseOtherHosts, startNodeServer } from './http/node-server.ts'
import type { Log } from './log.ts'
import type { Plugin } from './plugin.ts'
import { coreTables } from './schema.ts'
import { startServerClock } from './server-clock.ts'
import type { Database } from './store/database.ts'
import type { Migration } from './store/migration.ts'
import { type OpenDatabase, openEmbedded } from './store/open-database.ts'
import { DATABASE_FILE } from './store/sqlite.ts'
import { silent } from './telemetry.ts'

/** The parts that plugins are made from. */
export type PluginParts = { config: Config; database: Database; clock: Clock; log: Log }

export type StartOptions = {
  config: Config
  log: Log
  /** @default SQLite */
  openDatabase?: OpenDatabase
  /** The tables of the plugins. @default none */
  tables?: readonly Migration[]
  /** @default none */
  createPlugins?: (parts: PluginParts) => readonly Plugin[]
  /**
   * Throws a `ConfigError` with what keeps the service from starting. `database` is null before it is opened, and a
   * reader where there is one.
   */
  check?: (database: Database | null) => Promise<void>
} & Pick<HandlerOptions, 'providers' | 'phone' | 'telemetry'>

export type RunningService = {
  /** The address it listens at, as a browser on this machine would write it. */
  url: string
  /** Finishes the requests in progress, then closes the database. */
  stop(): Promise<void>
}

/** The service as one process runs it: database, plugins, sweeper, socket. Leaves nothing open when it cannot start. */
export async function startService(options: StartOptions): Promise<RunningService> {
  const { log, openDatabase = openEmbedded, tables = [], createPlugins = () => [], telemetry = silent } = options
  const config = options.config.port === 0 ? await withFreePort(options.config) : options.config
  const hadLog = config.databaseUrl === null && hasLog(config.dataDir)
  await checkBefore(config, options)
  const database = await openDatabase(config, { migrations: [...coreTables, ...tables] })
  try {
    await options.check?.(database)
    // The likeliest cause is a `service.db` that was copied without its log, or put beside another's.
    if (hadLog && (await isEmpty(database))) log.warn('database has no tenants, though a write-ahead log lay beside it')
    let isDraining = false
    const clock = await startServerClock({ database, log })
    const offset = 'The time by which the database’s clock is ahead of this machine’s'
    telemetry.watch('clock_offset_seconds', offset, () => clock.offsetMs() / 1000)
    const refusal = () => (isDraining ? 'draining' : clock.isOff() ? 'clock' : null)
    const plugins = createPlugins({ config, database, clock: clock.now, log })
    const { providers, phone } = options
    const app = await createHandler(
      {
        config,
        database,
        log,
        telemetry,
        clock: clock.now,
        refusal,
        ...(providers && { providers }),
        ...(phone && { phone }),
      },
      plugins,
    )
    const server = await startNodeServer({
      fetch: isLoopbackHost(config.host) ? refuseOtherHosts(app.fetch, config.publicUrl) : app.fetch,
      host: config.host,
      port: config.port,
      timing: { drainMs: config.drainMs },
    })
    const stopSweeper = app.sweeper.start()
    const stopPlugins = app.start()
    return {
      url: httpUrl(config.host, server.port),
      async stop() {
        isDraining = true
        await server.stop()
        await stopSweeper()
        await stopPlugins()
        clock.stop()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Before anything is migrated, or sent to a database over a network: what a database that is there already says. */
async function checkBefore(config: Config, { openDatabase = openEmbedded, check }: StartOptions): Promise<void> {
  if (check === undefined) return
  await check(null)
  // The database does not exist yet or is out of reach: opening it below gives the reason.
  const reader = await openDatabase(config, { migrations: [], role: 'reader' }).catch(() => null)
  if (reader === null) return
  // A table may be missing: checked again once it is there.
  await check(reader)
    .catch((error) => {
      if (error instanceof ConfigError) throw error
    })
    .finally(() => reader.close())
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
