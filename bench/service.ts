// The cost of the service: reports and codes against its own edge that only validates and echoes, how soon it is ready,
// and how much memory it takes. Each server is a process of its own, and in every round each way of asking has its
// turn.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { absolute, middleTurn } from './measure.ts'
import type { Row, Target } from './row.ts'
import {
  BUILT_SERVICE,
  generateBody,
  openChallenges,
  REPORTS,
  type ServiceProcess,
  startProcess,
  submitTo,
} from './service-process.ts'
import { SERVICE } from './targets.ts'

const ROUNDS = 9
const WARM_UP_ROUNDS = 4
const REQUESTS = 300
const AT_ONCE = 16

const STARTS = 5

export async function run(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-service-'))
  try {
    return [
      await measureStart('start to ready, new folder', (start) => join(folder, `start-${start}`)),
      await measureStart('start to ready, again', () => join(folder, 'start-0')),
      ...(await measureLoad(folder)),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The best of several: what a busy machine adds is not the service's. */
async function measureStart(name: string, folderOf: (start: number) => string): Promise<Row> {
  const times: number[] = []
  for (let start = 0; start < STARTS; start += 1) {
    const service = await startProcess({ script: BUILT_SERVICE, dataDir: folderOf(start) })
    times.push(service.startedInMs)
    await service.stop()
  }
  return absolute(name, Math.min(...times), 'ms', SERVICE.startMs)
}

async function measureLoad(folder: string): Promise<Row[]> {
  const echo = await startProcess({ script: await buildEcho(), dataDir: join(folder, 'echo'), sockets: AT_ONCE })
  const service = await startProcess({ script: BUILT_SERVICE, dataDir: join(folder, 'load'), sockets: AT_ONCE })
  const samples: { [turn: string]: Sample[] } = {}
  try {
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
      for (const { name, server, ask } of await turnsOf(echo, service)) {
        const sample = await measure(server, ask)
        if (round >= 0) samples[name] = [...(samples[name] ?? []), sample]
      }
    }
    const memoryMb = await service.memoryMb()
    return [
      ...PAIRS.flatMap((pair) => compare(pair, samples)),
      absolute('memory under load, peak', memoryMb, 'MB', SERVICE.memoryMb),
    ]
  } finally {
    await echo.stop()
    await service.stop()
  }
}

type Turn = { name: string; server: ServiceProcess; ask(): Promise<unknown> }

async function turnsOf(echo: ServiceProcess, service: ServiceProcess): Promise<Turn[]> {
  const open = await openChallenges(service, REQUESTS)
  const newKey = () => ({ 'Idempotency-Key': crypto.randomUUID() })
  const unknown = { creditReportId: crypto.randomUUID(), challenge: { challengeId: crypto.randomUUID() } }
  return [
    { name: 'echo', server: echo, ask: () => echo.post(REPORTS, generateBody('allow')) },
    { name: 'generate, complete', server: service, ask: () => service.post(REPORTS, generateBody('allow')) },
    { name: 'generate, challenged', server: service, ask: () => service.post(REPORTS, generateBody('challenge')) },
    {
      name: 'generate, with a key',
      server: service,
      ask: () => service.post(REPORTS, generateBody('allow'), newKey()),
    },
    { name: 'echo of a code', server: echo, ask: () => submitTo(echo, unknown) },
    { name: 'submit of a code', server: service, ask: () => submitTo(service, open.pop() ?? unknown) },
  ]
}

/** The measured service, and the echo it is compared with. */
const PAIRS: [name: string, floor: string, target: Target][] = [
  ['generate, complete', 'echo', SERVICE.ofEcho],
  ['generate, challenged', 'echo', SERVICE.ofEcho],
  ['generate, with a key', 'echo', SERVICE.ofEchoWithKey],
  ['submit of a code', 'echo of a code', SERVICE.ofEcho],
]

/** Milliseconds per request. */
type Sample = { cpuMs: number; wallMs: number }

async function measure(server: ServiceProcess, ask: () => Promise<unknown>): Promise<Sample> {
  const cpuBeganMs = await server.cpuMs()
  const wallBeganMs = performance.now()
  let left = REQUESTS
  async function work(): Promise<void> {
    for (; left > 0; ) {
      left -= 1
      await ask()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const wallMs = performance.now() - wallBeganMs
  return { cpuMs: ((await server.cpuMs()) - cpuBeganMs) / REQUESTS, wallMs: wallMs / REQUESTS }
}

/** By the server's own CPU time, which other work on the machine hardly touches; by the clock, for information. */
function compare([name, floor, target]: (typeof PAIRS)[number], samples: { [turn: string]: Sample[] }): Row[] {
  return (['cpuMs', 'wallMs'] as const).map((clock) => {
    const ratesOf = (turns: string) => (samples[turns] ?? []).map((sample) => 1000 / sample[clock])
    return {
      name: clock === 'cpuMs' ? name : `${name}, by the clock`,
      unit: clock === 'cpuMs' ? 'req/CPU s' : 'req/s',
      against: floor,
      ...middleTurn(ratesOf(name), ratesOf(floor)),
      target: clock === 'cpuMs' ? target : null,
    }
  })
}

async function buildEcho(): Promise<string> {
  const outDir = 'node_modules/.cache/bench-service'
  await build({
    configFile: false,
    logLevel: 'error',
    build: { outDir, target: 'node20', ssr: 'testing/echo-service.ts', minify: false },
  })
  return join(outDir, 'echo-service.js')
}
