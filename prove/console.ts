// A lender's people read the console over a million checks, and take its files away, while checks go on beside them:
// on both engines.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DAY_MS } from '../kit/clock.ts'
import { fillReports } from '../testing/fill-reports.ts'
import { SAM } from '../testing/portal-service.ts'
import { createTestBrowser, type TestBrowser } from '../testing/service-browser.ts'
import { liveRequest } from '../testing/test-app.ts'
import { startThrowawayPostgres } from '../testing/throwaway-postgres.ts'
import { administer, type BuiltService, startBuiltService } from './cuts/built-service.ts'
import { LENDER, readToken, readWallet } from './cuts/demo-lender.ts'
import { isQuick, must } from './faults/must.ts'
import { quantile } from './quantile.ts'

const REPORTS = 1_000_000
const PER_SECOND = 20
/** Turns of a hundred checks, alone and beside each reader. */
const ROUNDS = 7
const TURN_MS = 5_000
/** Until the process of a reader reads. */
const STARTED_MS = 500
/** A check beside a reader may take at most so many times as long as one alone. */
const SLOWER_MAX = 2
const CREDITS = 500_000_000

const month = new Date(Date.now() - 10 * DAY_MS).toISOString().slice(0, 7)
const CSV = `/console/money/statement.csv?month=${month}`
/** One person reads them, each again as soon as it is there. */
const READERS: { [name: string]: string } = {
  Today: '/console',
  checks: '/console/checks',
  statement: `/console/money/statement?month=${month}`,
  'statement.csv': CSV,
  'audit search': '/console/audit?who=Una',
  'audit.csv': '/console/audit.csv',
  'audit.csv of a search': '/console/audit.csv?who=Una',
  'audit.jsonl': '/console/audit.jsonl',
}

export const about = {
  title: 'A million checks in the console',
  text: 'One person reads a page or a file of the console without a pause, over a million checks, while twenty live checks a second run: generate may take at most twice as long as alone, right before (the slowest of a hundred checks, in the middle one of seven turns), on SQLite and PostgreSQL.',
  meanings: {},
}

export async function run({ scale }: { scale: number }) {
  const counts: { [what: string]: number } = { reports: Math.round(REPORTS * scale) }
  const server = await startThrowawayPostgres({ fsync: true })
  let worst = 0
  try {
    const databaseUrl = await server.createDatabase()
    for (const [engine, environment] of [
      ['SQLite', {}],
      ['PostgreSQL', { DATABASE_URL: databaseUrl }],
    ] as const)
      worst = Math.max(worst, await measureEngine(engine, { environment, scale, counts }))
  } finally {
    await server.stop()
  }
  return { ok: isQuick(scale) || worst <= SLOWER_MAX, why: `a check took ${worst} times as long`, counts }
}

type Run = { environment: { DATABASE_URL?: string }; scale: number; counts: { [what: string]: number } }

async function measureEngine(engine: string, { environment, scale, counts }: Run): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'console-'))
  const settings = {
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
    RATE_LIMIT_PER_MINUTE: '100000000',
    SEARCHES_PER_PERSON_PER_DAY: '1000000',
    ...environment,
  }
  try {
    await (await startBuiltService(settings)).stop()
    const reports = Math.round(REPORTS * scale)
    await fillReports({ database: environment.DATABASE_URL ?? join(folder, 'service.db'), reports })
    const service = await startBuiltService(settings)
    try {
      administer(service, 'top-up', LENDER.tenantId, String(CREDITS), '--reference', 'console')
      const caps = ['--report-hour', '--report-day', '--text-hour', '--text-day']
      administer(service, 'caps', LENDER.tenantId, ...caps.flatMap((cap) => [cap, 'none']))
      return await measure(engine, service, { scale, counts })
    } finally {
      await service.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(
  engine: string,
  service: BuiltService,
  { scale, counts }: Pick<Run, 'scale' | 'counts'>,
): Promise<number> {
  const browser = createTestBrowser((request) => fetch(request, { redirect: 'manual' }), service.url)
  await browser.signIn(...SAM, '/console')
  const generate = await createGenerate(service.url)
  const cookie = [...browser.jar.values()].map(({ name, value }) => `${name}=${value}`).join('; ')
  const read = (path: string) => readUntilStopped(service.url + path, cookie)
  // Compiled.
  for (const path of Object.values(READERS)) {
    const reader = read(path)
    await checkFor((TURN_MS * scale) / 2, generate)
    await reader.stop()
  }
  const samples = Object.entries(READERS).map(([name, path]) => ({ name, path, ...noSamples() }))
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { path, alone, ratios, tookMs } of samples) {
      // One right after the other, so that other work on the machine slows both.
      const aloneMs = await checkFor(TURN_MS * scale, generate)
      const reader = read(path)
      await sleep(STARTED_MS)
      const besideMs = await checkFor(TURN_MS * scale, generate)
      tookMs.push(...(await reader.stop()))
      alone.push(...aloneMs)
      ratios.push(Math.max(...besideMs) / Math.max(...aloneMs))
    }
  }
  const allAlone = samples.flatMap(({ alone }) => alone)
  counts[`${engine}: generate alone, p99 ms`] = round1(quantile(allAlone, 0.99))
  let worst = 0
  for (const { name, ratios, tookMs } of samples) {
    const ratio = round1(quantile(ratios, 0.5))
    worst = Math.max(worst, ratio)
    counts[`${engine}: beside ${name}, times alone`] = ratio
    if (tookMs.length > 0) counts[`${engine}: ${name}, p50 ms`] = round1(quantile(tookMs, 0.5))
  }
  counts[`${engine}: whole statement.csv, seconds`] = await readStatement(service, browser)
  return worst
}

/** Milliseconds of each check without the reader, the ratio of each turn, and milliseconds of each page or file. */
const noSamples = () => ({ alone: [] as number[], ratios: [] as number[], tookMs: [] as number[] })

/** Every line of the month is in the file, to the credit. */
async function readStatement(service: BuiltService, browser: TestBrowser): Promise<number> {
  const beganMs = performance.now()
  const lines = (await (await browser.ask(CSV)).text()).trimEnd().split('\r\n')
  const seconds = round1((performance.now() - beganMs) / 1000)
  const credits = (line: string | undefined) => Number(line?.split(',').at(-1))
  const { balanceCredits, heldCredits } = await readWallet(service.url)
  must(
    month < new Date().toISOString().slice(0, 7) || credits(lines.at(-1)) === balanceCredits + heldCredits,
    'the statement does not end with the balance',
  )
  const sum = lines.slice(2, -1).reduce((total, line) => total + Number(line.split(',').at(5)), credits(lines[1]))
  must(sum === credits(lines.at(-1)), 'the lines of the statement do not add up')
  return seconds
}

type Generate = () => Promise<void>

async function createGenerate(url: string): Promise<Generate> {
  const token = await readToken(url)
  return async () => {
    const answer = await fetch(`${url}/${LENDER.tenantId}/v1/credit-reports`, {
      method: 'POST',
      headers: { ...token, 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID() },
      body: JSON.stringify(liveRequest('Allow')),
    })
    const body = await answer.text()
    must(answer.status === 200, `a generate was answered ${answer.status}: ${body}`)
  }
}

type Reader = { stop(): Promise<number[]> }

/** Starts so many checks a second, on time; the milliseconds that each took. */
async function checkFor(forMs: number, generate: Generate): Promise<number[]> {
  const startedMs = performance.now()
  const took: number[] = []
  const running: Promise<void>[] = []
  for (let number = 0; number < Math.max(1, (PER_SECOND * forMs) / 1000); number += 1) {
    const dueMs = startedMs + (number * 1000) / PER_SECOND
    if (dueMs > performance.now()) await sleep(dueMs - performance.now())
    const beganMs = performance.now()
    running.push(generate().then(() => void took.push(performance.now() - beganMs)))
  }
  await Promise.all(running)
  return took
}

/** In a process of its own, as a browser is; resolves to the milliseconds of each page or file that was read whole. */
function readUntilStopped(url: string, cookie: string): Reader {
  const child = spawn(process.execPath, ['prove/console/reader.mjs', url, cookie], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let took = ''
  let failure = ''
  child.stdout.on('data', (chunk) => {
    took += chunk
  })
  child.stderr.on('data', (chunk) => {
    failure += chunk
  })
  const closed = once(child, 'close')
  return {
    async stop() {
      child.kill('SIGKILL')
      await closed
      must(failure === '', failure)
      return took.split('\n').slice(0, -1).map(Number)
    },
  }
}

function round1(value: number): number {
  return Math.round(value * 10) / 10
}
