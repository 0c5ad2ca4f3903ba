// PostgreSQL beside SQLite, live, fsync on: what a report costs, challenged and with its bureaus over HTTP, what one
// busy lender gets against many, what distance costs, how it grows with processes, and what one lender's burst does to
// the others. Every way of asking has its turn in each round.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { startGatewayChild } from '../testing/gateway-child.ts'
import type { Load, LoadResult } from '../testing/load-service.ts'
import { startThrowawayPostgres } from '../testing/throwaway-postgres.ts'
import { absolute, median, middleTurn } from './measure.ts'
import type { Row } from './row.ts'
import { ENGINES } from './targets.ts'

const ROUNDS = 5
const REQUESTS = 400
const AT_ONCE = 32
const ROUND_TRIP_MS = 2
const PROCESSES = [1, 2, 4]
const BURST = 300
const QUIET_REQUESTS = 15

const ONE = { lenders: 1, requests: REQUESTS, atOnce: AT_ONCE }
const MANY = { ...ONE, lenders: 64 }
const GATEWAY_SECRET = 'a secret shared with the gateway'
const QUIET = { lenders: 1, requests: QUIET_REQUESTS, atOnce: 1 }
const DISTURBED = { ...QUIET, burst: BURST }

export async function run(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-engines-'))
  const server = await startThrowawayPostgres({ fsync: true })
  const gateway = await startGatewayChild({ secret: GATEWAY_SECRET, bureaus: [], slowMs: 0 })
  const distant = createDelay(ROUND_TRIP_MS / 2)
  const running: Loaded[] = []
  try {
    const script = await buildLoad()
    const start = async (environment: { [name: string]: string }) => {
      const loaded = await startLoaded(script, environment)
      running.push(loaded)
      return loaded
    }
    const url = await server.createDatabase()
    const sqlite = await start({ DATA_DIR: folder })
    const postgres: Loaded[] = []
    while (postgres.length < Math.max(...PROCESSES)) postgres.push(await start({ DATABASE_URL: url }))
    const far = await start({ DATABASE_URL: await distant.to(await server.createDatabase()) })
    const http = { GATEWAY_URL: gateway.url, GATEWAY_TOKEN: GATEWAY_SECRET }
    const sqliteHttp = await start({ DATA_DIR: join(folder, 'http'), ...http })
    const postgresHttp = await start({ DATABASE_URL: await server.createDatabase(), ...http })
    // Every process has compiled its code before any is measured.
    for (const { bear } of running) for (const load of [ONE, MANY]) await bear(load)
    return await measure({ sqlite, postgres, far, sqliteHttp, postgresHttp })
  } finally {
    for (const { stop } of running) await stop()
    distant.close()
    await gateway.kill()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Servers = { sqlite: Loaded; postgres: Loaded[]; far: Loaded; sqliteHttp: Loaded; postgresHttp: Loaded }

async function measure({ sqlite, postgres, far, sqliteHttp, postgresHttp }: Servers): Promise<Row[]> {
  const [near] = postgres
  if (near === undefined) return []
  const results: { [name: string]: Figure[] } = {}
  for (let round = 0; round < ROUNDS; round += 1) {
    const turn = async (name: string, load: Load, ...services: Loaded[]) => {
      const figure = await bearTogether(services, load)
      results[name] = [...(results[name] ?? []), figure]
    }
    await turn('sqlite many', MANY, sqlite)
    await turn('postgres many', MANY, near)
    await turn('sqlite one', ONE, sqlite)
    await turn('far one', ONE, far)
    await turn('sqlite http', MANY, sqliteHttp)
    await turn('postgres http', MANY, postgresHttp)
    for (const count of PROCESSES) {
      await turn(`one on ${count}`, ONE, ...postgres.slice(0, count))
      await turn(`many on ${count}`, MANY, ...postgres.slice(0, count))
    }
    for (const [engine, service] of [
      ['sqlite', sqlite],
      ['postgres', near],
    ] as const) {
      await turn(`${engine} quiet`, QUIET, service)
      await turn(`${engine} disturbed`, DISTURBED, service)
    }
  }
  const figuresOf = (turns: string, figure: keyof Figure) => (results[turns] ?? []).map((one) => one[figure])
  const compare = (figure: keyof Figure, ours: string, floor: string) =>
    middleTurn(figuresOf(ours, figure), figuresOf(floor, figure))
  const farPerSecond = median(figuresOf('far one', 'perSecond'))
  return [
    {
      name: 'PostgreSQL, 64 lenders',
      unit: 'req/CPU s',
      against: 'SQLite',
      ...compare('perCpuSecond', 'postgres many', 'sqlite many'),
      target: ENGINES.cpuOfSqlite,
    },
    {
      name: 'PostgreSQL, 64 lenders, by the clock',
      unit: 'req/s',
      against: 'SQLite',
      ...compare('perSecond', 'postgres many', 'sqlite many'),
      // With bureaus that answer at once this measures PostgreSQL's writing alone.
      target: ENGINES.clockOfSqlite,
    },
    {
      name: 'PostgreSQL, three bureaus over HTTP',
      unit: 'req/CPU s',
      against: 'SQLite',
      ...compare('perCpuSecond', 'postgres http', 'sqlite http'),
      target: ENGINES.cpuOfSqlite,
    },
    {
      name: 'PostgreSQL, three bureaus over HTTP, by the clock',
      unit: 'req/s',
      against: 'SQLite',
      ...compare('perSecond', 'postgres http', 'sqlite http'),
      target: ENGINES.httpClockOfSqlite,
    },
    {
      name: 'PostgreSQL, one lender',
      unit: 'req/s',
      against: '64 lenders',
      ...compare('perSecond', 'one on 1', 'many on 1'),
      target: ENGINES.oneOfMany,
    },
    {
      name: 'SQLite, one lender',
      unit: 'req/s',
      against: '64 lenders',
      ...compare('perSecond', 'sqlite one', 'sqlite many'),
    },
    absolute(`one lender, ${ROUND_TRIP_MS} ms from PostgreSQL`, farPerSecond, 'req/s', ENGINES.farPerSecond),
    ...PROCESSES.slice(1).flatMap((count) => [
      // A queue at the wallet's row would hold up one lender alone: what processors and disk cost, 64 lenders pay as
      // well.
      {
        name: `one lender, ${count} processes`,
        unit: 'req/s',
        against: `64 lenders, ${count} processes`,
        ...compare('perSecond', `one on ${count}`, `many on ${count}`),
        target: ENGINES.oneOfMany,
      },
      {
        name: `one lender, ${count} processes`,
        unit: 'req/s',
        against: 'one process',
        ...compare('perSecond', `one on ${count}`, 'one on 1'),
        target: ENGINES.moreProcesses,
      },
      {
        name: `one lender, ${count} processes`,
        unit: 'req/CPU s',
        against: 'one process',
        ...compare('perCpuSecond', `one on ${count}`, 'one on 1'),
      },
      {
        name: `64 lenders, ${count} processes`,
        unit: 'req/s',
        against: 'one process',
        ...compare('perSecond', `many on ${count}`, 'many on 1'),
      },
    ]),
    ...(['sqlite', 'postgres'] as const).map((engine) => ({
      name: `a lender beside another’s burst of ${BURST}, ${engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}, p50`,
      unit: 'ms',
      against: 'alone',
      ...compare('medianMs', `${engine} disturbed`, `${engine} quiet`),
      target: ENGINES.besideBurst,
    })),
  ]
}

type Figure = { perSecond: number; perCpuSecond: number; medianMs: number }

/** The load shared among the services. */
async function bearTogether(services: readonly Loaded[], load: Load): Promise<Figure> {
  const share = { ...load, requests: load.requests / services.length, atOnce: Math.ceil(load.atOnce / services.length) }
  const results = await Promise.all(services.map(({ bear }) => bear(share)))
  const sum = (figure: keyof LoadResult) => results.reduce((total, result) => total + result[figure], 0)
  return {
    perSecond: (load.requests * 1_000) / Math.max(...results.map(({ wallMs }) => wallMs)),
    perCpuSecond: (load.requests * 1_000) / sum('cpuMs'),
    medianMs: sum('medianMs') / results.length,
  }
}

type Loaded = { bear(load: Load): Promise<LoadResult>; stop(): Promise<void> }

async function startLoaded(script: string, environment: { [name: string]: string }): Promise<Loaded> {
  const child = fork(script, { env: { ...process.env, NODE_ENV: 'test', ...environment } })
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the service ended with ${code}`)))
  ended.catch(() => {})
  const answer = async (): Promise<LoadResult> => (await Promise.race([once(child, 'message'), ended]))[0]
  await answer()
  return {
    bear(load) {
      child.send(load)
      return answer()
    },
    async stop() {
      if (!child.connected) return
      child.send('stop')
      await once(child, 'exit')
    },
  }
}

/** A PostgreSQL that is further away: everything takes so much longer each way. */
function createDelay(delayMs: number) {
  const servers: ReturnType<typeof createServer>[] = []
  const pass = (from: Socket, to: Socket) => {
    from.on('data', (chunk) => setTimeout(() => to.write(chunk), delayMs))
    // Behind what is still on its way.
    from.on('close', () => setTimeout(() => to.destroy(), delayMs))
    from.on('error', () => {})
  }
  return {
    async to(url: string): Promise<string> {
      const target = new URL(url)
      const { port, hostname } = target
      const server = createServer((near) => {
        const away = connect(Number(port), hostname)
        for (const socket of [near, away]) socket.setNoDelay(true)
        pass(near, away)
        pass(away, near)
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      servers.push(server)
      const address = server.address()
      return Object.assign(target, { port: String(typeof address === 'object' ? address?.port : 0) }).href
    },
    close() {
      for (const server of servers) server.close()
    },
  }
}

async function buildLoad(): Promise<string> {
  const outDir = 'node_modules/.cache/bench-engines'
  await build({
    configFile: false,
    logLevel: 'error',
    build: { outDir, target: 'node20', ssr: 'testing/load-service.ts', minify: false },
  })
  return join(outDir, 'load-service.js')
}
