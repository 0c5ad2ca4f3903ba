// Consumers of every kind, through the shipped proxy and the shipped service, as many as this machine carries for half
// an hour: no check is lost, nothing breaks, the books are right to the credit, and little memory is enough.
import { setTimeout as sleep } from 'node:timers/promises'
import { startGatewayChild } from '../testing/gateway-child.ts'
import { administer, type BuiltService, startBuiltService } from './cuts/built-service.ts'
import { LENDER, readWallet } from './cuts/demo-lender.ts'
import { type Crowd, createCrowd } from './mixed-load/crowd.ts'
import { startLenderChild } from './mixed-load/lender-child.ts'
import { quantile } from './quantile.ts'

const LOAD_MS = 1_800_000
const PER_SECOND_MAX = 200
/** The share of the machine's maximum that is asked for: a queue that only grows would measure its own length. */
const SHARE_OF_MOST = 0.7
const TRIAL_MS = 15_000
const TRIAL_AT_ONCE = 32
const SECRET = 'a secret shared with the gateway'
const CREDITS = 500_000_000
/** The number of readings of both processes' memory, over the whole load. */
const MEMORY_READINGS = 30
/** All the memory the service has, as in a small container. */
const MEMORY_MB = 256
/** All the heap the lender's server has: one that kept two kilobytes of every check would end for want of it. */
const NODE_OPTIONS = '--max-old-space-size=192'
const MIB = 1_048_576

export const about = {
  title: 'Mixed load',
  text: 'Whole checks through the proxy at a steady rate (200 a second, or 70 % of this machine’s maximum): allowed, blocked, challenged, test mode, wrong codes, invalid details; SQLite with fsync, risk and three bureaus over HTTP.',
  meanings: {
    'a second, at most': 'measured with 32 consumers at once',
    'a second': 'checks started each second',
    'honest 503': 'with Retry-After, then retried',
    astray: 'checks with a wrong end',
    'not handed over': 'live reports that never reached onReport',
    'credits amiss': 'difference between wallet and deliveries',
    'service may have, MB': '0: this machine sets no limit',
    'service, MB': 'resident memory over the run',
    'proxy, MB': 'the same of the lender’s server, with a heap of 192 MB',
  },
}

export async function run({ scale }: { scale: number }) {
  const gateway = await startGatewayChild({ secret: SECRET, bureaus: [], slowMs: 0 })
  const environment = {
    RATE_LIMIT_PER_MINUTE: '1000000',
    LOG_LEVEL: 'error',
    // Consumers' devices come from where they say.
    TRUSTED_HOPS: '1',
    RISK_URL: gateway.url,
    RISK_TOKEN: SECRET,
    BUREAU_URL: gateway.url,
    BUREAU_TOKEN: SECRET,
  }
  const service = await startBuiltService(environment, { memoryMb: MEMORY_MB })
  administer(service, 'top-up', LENDER.tenantId, String(CREDITS), '--reference', 'mixed-load')
  const caps = ['--report-hour', '--report-day', '--text-hour', '--text-day']
  administer(service, 'caps', LENDER.tenantId, ...caps.flatMap((cap) => [cap, 'none']))
  const lender = await startLenderChild(service, { NODE_OPTIONS })
  const crowd = createCrowd(service.url, lender.origin)
  try {
    const before = await readWallet(service.url)
    const most = await findMost(crowd, TRIAL_MS * Math.min(1, scale * 10))
    for (const ms of Object.values(crowd.times)) ms.length = 0
    const perSecond = Math.min(PER_SECOND_MAX, Math.floor(most * SHARE_OF_MOST))
    const loadMs = LOAD_MS * scale
    const memory = watchMemory([() => memoryOf(service), lender.memory], loadMs / MEMORY_READINGS)
    const checks = await arrive(crowd, perSecond, loadMs)
    const [serviceMb = [], proxyMb = []] = memory.stop()
    const after = await readWallet(service.url)
    const { live, tally } = crowd
    const spent = before.balanceCredits - after.balanceCredits - after.heldCredits
    const due = live.size * after.reportPriceCredits + tally.texts * after.textPriceCredits
    const handedOver = lender.reports()
    const wrong = {
      'other 5xx': tally.broken,
      astray: tally.astray,
      'not handed over': [...live].filter((id) => !handedOver.has(id)).length,
      'credits amiss': Math.abs(spent - due) + after.heldCredits,
    }
    return {
      ok: Object.values(wrong).every((count) => count === 0),
      counts: {
        checks,
        'a second, at most': Math.round(most),
        'a second': perSecond,
        ...quantiles(crowd),
        'live reports': live.size,
        'honest 503': tally.refused,
        ...wrong,
        'service may have, MB': service.isLimited ? MEMORY_MB : 0,
        'service, MB': serviceMb,
        'proxy, MB': proxyMb,
      },
    }
  } finally {
    await lender.stop()
    await service.stop()
    await gateway.kill()
  }
}

/** A few consumers at once, each followed by the next: checks a second. */
async function findMost(crowd: Crowd, forMs: number): Promise<number> {
  // Compiled, and with its connections open.
  await Promise.all(Array.from({ length: TRIAL_AT_ONCE }, () => crowd.check()))
  const startedMs = performance.now()
  let done = 0
  async function follow(): Promise<void> {
    while (performance.now() - startedMs < forMs) {
      await crowd.check()
      done += 1
    }
  }
  await Promise.all(Array.from({ length: TRIAL_AT_ONCE }, follow))
  return done / ((performance.now() - startedMs) / 1000)
}

/** So many a second, on time: resolves to how many there were, once all are done. */
async function arrive(crowd: Crowd, perSecond: number, forMs: number): Promise<number> {
  const startedMs = performance.now()
  const under = new Set<Promise<void>>()
  const count = Math.max(1, Math.round((perSecond * forMs) / 1000))
  for (let number = 0; number < count; number += 1) {
    const dueMs = startedMs + (number * 1000) / perSecond
    if (dueMs > performance.now()) await sleep(dueMs - performance.now())
    const check = crowd.check().finally(() => under.delete(check))
    under.add(check)
  }
  await Promise.all(under)
  return count
}

/** Reads each process's memory as often; `stop` gives the readings in megabytes. */
function watchMemory(processes: (() => Promise<number>)[], everyMs: number) {
  const readings: number[][] = processes.map(() => [])
  const timer = setInterval(() => {
    for (const [index, read] of processes.entries()) {
      // A reading that fails is left out: what the crowd meets says more.
      read().then(
        (bytes) => readings[index]?.push(Math.round(bytes / MIB)),
        () => {},
      )
    }
  }, everyMs)
  return {
    stop() {
      clearInterval(timer)
      return readings
    },
  }
}

async function memoryOf({ url }: BuiltService): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^crs_process_resident_memory_bytes (\S+)$/m.exec(text)?.[1])
}

/** Of each step, in whole milliseconds. */
function quantiles({ times }: Crowd): { [name: string]: number } {
  const named = Object.entries(times).flatMap(([step, ms]) => [
    [`${step}, p50 ms`, Math.round(quantile(ms, 0.5))],
    [`${step}, p99 ms`, Math.round(quantile(ms, 0.99))],
  ])
  return Object.fromEntries(named)
}
