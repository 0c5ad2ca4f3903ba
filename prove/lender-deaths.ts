// The lender's process is killed while checks complete, again and again: every report that was paid for reaches
// `onReport`, by the answer or, after the restart, by the service's webhook.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTestBrowser } from '../testing/proxy-browser.ts'
import { freePort } from '../testing/throwaway-postgres.ts'
import { administer, type BuiltService, startBuiltService } from './cuts/built-service.ts'
import { LENDER, openSession, readCode, readLines } from './cuts/demo-lender.ts'

const COMPLETIONS_AT_FULL_SCALE = 500
const AT_ONCE = 5
/** The process dies this long after the last request of a round at the latest. */
const DEATH_MS_MAX = 80
const TRIES_MAX = 200
const PAUSE_MS = 50
/** A webhook that was not answered is sent again after growing pauses. */
const ARRIVAL_LIMIT_MS = 10 * 60_000

export const about = {
  title: 'Lender’s process killed',
  text: 'The lender’s server is killed at random moments while consumers complete checks. Every paid report reaches onReport, by the response or by webhook, and no check is charged twice.',
  meanings: {
    completions: 'completed checks',
    deaths: 'kills of the lender’s process',
    lost: 'paid reports that never reached onReport',
    'more than once': 'delivered again by another process: idempotent by id',
  },
}

export async function run({ scale }: { scale: number }) {
  const rounds = Math.max(2, Math.round((COMPLETIONS_AT_FULL_SCALE * scale) / AT_ONCE))
  const service = await startBuiltService({ RATE_LIMIT_PER_MINUTE: '1000000', LOG_LEVEL: 'error' })
  const lender = await startLender(service)
  const completed = new Set<string>()
  let unfinished = 0
  try {
    for (let round = 0; round < rounds; round += 1) {
      const checks = Array.from({ length: AT_ONCE }, (_, index) => check(service.url, lender, round * AT_ONCE + index))
      for (const creditReportId of await Promise.all(checks)) {
        if (creditReportId === null) unfinished += 1
        else completed.add(creditReportId)
      }
    }
    await lender.restart()
    const limitMs = Date.now() + ARRIVAL_LIMIT_MS
    const missing = () => [...completed].filter((id) => !lender.arrivals().includes(id))
    while (missing().length > 0 && Date.now() < limitMs) await sleep(PAUSE_MS)
    const lines = await readLines(service.url)
    const charges = lines.filter(({ kind, purpose }) => kind === 'capture' && purpose === 'report')
    const arrivals = lender.arrivals()
    const wrong = {
      unfinished,
      lost: missing().length,
      'charges too many': charges.length - completed.size,
    }
    return {
      ok: Object.values(wrong).every((count) => count === 0),
      counts: {
        completions: completed.size,
        deaths: lender.deaths(),
        ...wrong,
        'more than once': arrivals.length - new Set(arrivals).size,
      },
    }
  } finally {
    await lender.stop()
    await service.stop()
  }
}

type Lender = Awaited<ReturnType<typeof startLender>>

async function startLender(service: BuiltService) {
  const { url, dataDir } = service
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const reportsFile = join(dataDir, 'reports-of-the-lender')
  const address = `${origin}/credit-reports/webhook`
  const printed = administer(service, 'webhook', 'add', LENDER.tenantId, address)
  const secret = /whsec_\S+/.exec(printed)?.[0] ?? ''
  const start = async () => {
    const child = fork('prove/lender-deaths/lender.mjs', {
      env: {
        ...process.env,
        NODE_ENV: 'test',
        SERVICE_URL: url,
        PORT: String(port),
        REPORTS_FILE: reportsFile,
        WEBHOOK_SECRET: secret,
      },
    })
    await once(child, 'message')
    return child
  }
  let child: ChildProcess = await start()
  let deaths = 0
  let restarting: Promise<void> | null = null

  async function kill(): Promise<void> {
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }

  return {
    origin,
    deaths: () => deaths,
    /** Kills it and starts another; callers meanwhile wait for the same one. */
    restart() {
      restarting ??= (async () => {
        await kill()
        deaths += 1
        child = await start()
      })().finally(() => {
        restarting = null
      })
      return restarting
    },
    arrivals: () => (existsSync(reportsFile) ? readFileSync(reportsFile, 'utf8').split('\n').filter(Boolean) : []),
    stop: kill,
  }
}

/** A consumer from details to report, who repeats what got no answer; null when that never ends. */
async function check(url: string, lender: Lender, number: number): Promise<string | null> {
  const browser = createTestBrowser((request) => fetch(request), { origin: lender.origin })
  const headers = { 'Idempotency-Key': crypto.randomUUID(), 'X-Forwarded-For': '198.51.100.1' }
  const isChallenged = number % 2 === 0
  const details = {
    sessionId: await openSession(url),
    mobileNumber: `+4478${String(number * 997 + 10_000_000).slice(-8)}`,
    ...(isChallenged ? {} : { lastName: 'Allow' }),
  }
  if (!isChallenged) void killSoon(lender)
  const begun = await persist(() => browser.generate(details, headers))
  if (begun === null || !isChallenged) return begun?.creditReportId ?? null
  const { creditReportId, challenge } = begun
  const code = await readCode(url, creditReportId)
  const body = { challengeId: challenge?.challengeId, code }
  void killSoon(lender)
  const done = await persist(() => browser.post(`/credit-reports/${creditReportId}/otp-challenge`, body))
  return done?.status === 'complete' ? creditReportId : null
}

async function killSoon(lender: Lender): Promise<void> {
  await sleep(Math.random() * DEATH_MS_MAX)
  await lender.restart()
}

type Answered = { creditReportId: string; status: string; challenge?: { challengeId: string } }

async function persist(send: () => Promise<Response>): Promise<Answered | null> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const answer = await send()
      .then(async (response) => (response.ok ? (await response.json()).data : null))
      .catch(() => null)
    if (answer !== null) return answer
    await sleep(PAUSE_MS)
  }
  return null
}
