// Strangers flood the service while an honest lender goes on asking. It notices little.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RunningModule, startModule } from '../testing/run-module.ts'
import { testRequest } from '../testing/test-app.ts'
import { type ServiceChild, startChild } from './faults/service-child.ts'

const QUIET_MS = 20_000
const FLOOD_MS = 60_000
/** An honest lender asks so many a second, whether or not it is answered. */
const HONEST_PER_SECOND = 20
const ANSWERED_MIN = 0.99
const SLOWER_MAX = 5
/** Below this a p99 is the scheduler's. */
const FLOOR_MS = 10

export const about = {
  title: 'Flood',
  text: 'Attackers on 32 connections send half bodies, slow headers, wrong passwords, bad tokens and unsigned receipts as fast as they can, while one lender requests twenty reports a second.',
  meanings: {
    answeredPercent: 'of the lender’s requests, at least 99',
    quietP99Ms: 'p99 without the flood',
    floodP99Ms: 'p99 under the flood, at most five times that, or 50 ms',
  },
}

export async function run({ scale }: { scale: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'flood-'))
  const service = await startChild({ DATA_DIR: folder, TRUSTED_HOPS: '1' })
  let strangers: RunningModule | null = null
  try {
    const shorter = Math.max(0.05, Math.min(1, scale))
    await ask(service, 2_000 * shorter) // warms up
    const quiet = await ask(service, QUIET_MS * shorter)
    strangers = await startModule(new URL('flood/attack.ts', import.meta.url), { url: service.url })
    const attacks = await listen(strangers)
    const flood = await ask(service, FLOOD_MS * shorter)
    const answeredPercent = Math.floor((1000 * flood.answered) / flood.asked) / 10
    const [quietP99Ms, floodP99Ms] = [p99(quiet.tookMs), p99(flood.tookMs)]
    const ok = answeredPercent >= 100 * ANSWERED_MIN && floodP99Ms <= SLOWER_MAX * Math.max(FLOOR_MS, quietP99Ms)
    return { ok, counts: { honest: flood.asked, answeredPercent, quietP99Ms, floodP99Ms, ...attacks } }
  } finally {
    await strangers?.kill()
    await service.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The strangers' count of their requests, kept up to date. */
async function listen(strangers: RunningModule): Promise<{ [name: string]: number }> {
  const counts = {}
  const next = async () => {
    const line = await strangers.nextLine()
    if (line !== null) Object.assign(counts, JSON.parse(line))
    return line !== null
  }
  await next()
  const follow = async (): Promise<void> => {
    while (await next());
  }
  void follow()
  return counts
}

/** Asks at a steady pace: a slow answer makes the next request no later. */
async function ask(service: ServiceChild, forMs: number) {
  const tally = { asked: 0, answered: 0, tookMs: [] as number[] }
  const under: Promise<void>[] = []
  const endsAtMs = performance.now() + forMs
  while (performance.now() < endsAtMs) {
    tally.asked += 1
    const askedAtMs = performance.now()
    const answer = service.call('/demo-lender/v1/credit-reports', testRequest('allow'))
    under.push(
      answer.then(
        ({ status }) => {
          if (status === 200) tally.answered += 1
          tally.tookMs.push(performance.now() - askedAtMs)
        },
        () => {},
      ),
    )
    await sleep(1000 / HONEST_PER_SECOND)
  }
  await Promise.all(under)
  return tally
}

function p99(tookMs: readonly number[]): number {
  const sorted = tookMs.toSorted((one, other) => one - other)
  return Math.round(sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0)
}
