// The cost of the fingerprint script to a page: against an empty page, against the least any script with one round trip
// can cost, and against the libraries lenders use today. Every load is a fresh context, and in every round the variants
// take turns in a new order.
//
//   page opens ── settles ── counters read ── script added ──▶ answer ── settles ── counters read again
//                            └──────────────── what is counted ─────────────────────┘
//
// Starting a page costs the browser more than any of the scripts, and never the same twice, so it is left out.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { type Browser, type CDPSession, chromium } from '@playwright/test'
import { wholeBrowserLaunchOptions } from '../scripts/ensure-browser.mjs'
import { fetchPeers } from '../scripts/fetch-peers.mjs'
import { openSite, type Variant } from './fingerprint/site.ts'
import { absolute, compare, median, shuffled } from './measure.ts'
import { PHONE_SCREEN, slowProcessor, slowToAPhone } from './phone.ts'
import type { Row } from './row.ts'
import { FINGERPRINT } from './targets.ts'

/**
 * Time the main thread ran is steady; time that passed is not, and takes more rounds, which are short without the
 * peers.
 */
const COST_ROUNDS = 11
const WAIT_ROUNDS = 41
const REST_MS = 200
/** Between the quarters of the floor's waits. */
const SPREAD_MAX = 1.5

const PROFILES = [
  { name: 'desktop', wait: FINGERPRINT.desktopWait },
  { name: 'phone', wait: FINGERPRINT.phoneWait },
] as const

/** The length of a long task, as browsers define it. */
const LONG_TASK_MS = 50

const PEERS = ['@fingerprintjs/fingerprintjs@5.2.0', '@thumbmarkjs/thumbmarkjs@1.11.0']
const PEER_NAMES = { fingerprintjs: 'FingerprintJS', thumbmarkjs: 'ThumbmarkJS' } as const
type Peer = keyof typeof PEER_NAMES

/** Time of the main thread, in all and on scripts alone. */
type Cost = { cpuMs: number; scriptMs: number }

export async function run(): Promise<Row[]> {
  const files = peerFiles()
  const peers = Object.keys(files) as Peer[]
  const site = await openSite(files)
  const browser = await chromium.launch(wholeBrowserLaunchOptions())
  try {
    const answer = await fetch(site.device, { headers: { 'Accept-Encoding': 'br' } })
    const script = { value: Number(answer.headers.get('Content-Length')), unit: 'B' }
    const rows = [absolute('script, brotli', script.value, script.unit, FINGERPRINT.scriptBytes)]
    for (const peer of peers) {
      const floor = brotliCompressSync(readFileSync(files[peer] ?? '')).length
      rows.push(compare('script, brotli', { ...script, against: PEER_NAMES[peer], floor }))
    }
    for (const profile of PROFILES) rows.push(...(await measureProfile(browser, site.page, peers, profile)))
    return rows
  } finally {
    await browser.close()
    await site.stop()
  }
}

type Profile = (typeof PROFILES)[number]

async function measureProfile(browser: Browser, address: string, peers: Peer[], profile: Profile): Promise<Row[]> {
  const { name, wait } = profile
  const screen = name === 'phone' ? PHONE_SCREEN : null
  const [slowToWork, slowToWait] = name === 'phone' ? [slowProcessor, slowToAPhone] : [atFullSpeed, atFullSpeed]
  const costs = await takeTurns(['blank', 'floor', 'ours', ...peers], COST_ROUNDS, (variant) =>
    withPage(browser, { address, screen, slow: slowToWork }, (page) => readCost(page, variant)),
  )
  const waits = await takeTurns(['floor', 'ours'], WAIT_ROUNDS, (variant) =>
    withPage(browser, { address, screen, slow: slowToWait }, ({ start }) => start(variant)),
  )
  const above = (variant: Variant, figure: keyof Cost) =>
    median(costs(variant).map((one) => one[figure])) - median(costs('blank').map((one) => one[figure]))

  const isQuiet = isSteady(waits('floor'))
  const cpu = `main thread above a blank page, ${name}`
  const cpuMs = { value: above('ours', 'cpuMs'), unit: 'ms' }
  return [
    ...peers.map((peer) =>
      compare(cpu, {
        ...cpuMs,
        against: PEER_NAMES[peer],
        floor: above(peer, 'cpuMs'),
        target: peer === 'fingerprintjs' ? FINGERPRINT.cpuOfFingerprintJs : null,
      }),
    ),
    compare(cpu, { ...cpuMs, against: 'one bare POST', floor: above('floor', 'cpuMs') }),
    // All of it together is shorter than one long task, so none of it can be one.
    compare(`all it runs, ${name}`, {
      value: above('ours', 'scriptMs'),
      unit: 'ms',
      against: 'one long task',
      floor: LONG_TASK_MS,
      target: FINGERPRINT.ofLongTask,
    }),
    compare(`start to callback, ${name}${isQuiet ? '' : ', machine busy'}`, {
      value: median(waits('ours')),
      unit: 'ms',
      against: 'one bare POST',
      floor: median(waits('floor')),
      target: isQuiet ? wait : null,
    }),
  ]
}

/**
 * On a machine with other work to do, the floor itself varies more than what is to be seen; then the ratio is only
 * reported.
 */
function isSteady(figures: readonly number[]): boolean {
  const sorted = figures.toSorted((a, b) => a - b)
  const quarter = Math.floor(sorted.length / 4)
  return (sorted.at(-1 - quarter) ?? Number.NaN) <= SPREAD_MAX * (sorted[quarter] ?? Number.NaN)
}

/** The first round warms the disk, the service and the browser, and is not counted. */
async function takeTurns<Figure>(
  variants: readonly Variant[],
  rounds: number,
  measure: (variant: Variant) => Promise<Figure>,
): Promise<(variant: Variant) => Figure[]> {
  const figures = new Map<Variant, Figure[]>()
  for (let round = -1; round < rounds; round++) {
    for (const variant of shuffled(variants)) {
      const figure = await measure(variant)
      if (round >= 0) figures.set(variant, [...(figures.get(variant) ?? []), figure])
    }
  }
  return (variant) => figures.get(variant) ?? []
}

/** A page that has started and come to rest. */
type OpenPage = {
  /** Adds the script; resolves to the milliseconds between its arrival and its answer. */
  start(variant: Variant): Promise<number>
  rest(): Promise<void>
  readCounters(): Promise<Cost>
}

type Device = { address: string; screen: typeof PHONE_SCREEN | null; slow: (devtools: CDPSession) => Promise<void> }

const atFullSpeed = async () => {}

async function withPage<T>(browser: Browser, { address, screen, slow }: Device, use: (page: OpenPage) => Promise<T>) {
  const context = await browser.newContext(screen ? { viewport: screen } : {})
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await slow(devtools)
  // Time the thread really ran, so that a busy machine does not count against anyone.
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.goto(address)
  const rest = () => page.waitForTimeout(REST_MS)
  await rest()
  try {
    return await use({
      rest,
      start: (variant) => page.evaluate<number>(`start(${JSON.stringify(variant)})`),
      async readCounters() {
        const { metrics } = await devtools.send('Performance.getMetrics')
        const figure = (name: string) => (metrics.find((metric) => metric.name === name)?.value ?? Number.NaN) * 1000
        return { cpuMs: figure('TaskDuration'), scriptMs: figure('ScriptDuration') }
      },
    })
  } finally {
    await context.close()
  }
}

async function readCost({ readCounters, start, rest }: OpenPage, variant: Variant): Promise<Cost> {
  const before = await readCounters()
  await start(variant)
  await rest()
  const after = await readCounters()
  return { cpuMs: after.cpuMs - before.cpuMs, scriptMs: after.scriptMs - before.scriptMs }
}

function peerFiles(): { [peer in Peer]?: string } {
  const modules = fetchPeers('fingerprint', PEERS)
  if (!modules) return {}
  return {
    fingerprintjs: join(modules, '@fingerprintjs/fingerprintjs/dist/fp.umd.min.js'),
    thumbmarkjs: join(modules, '@thumbmarkjs/thumbmarkjs/dist/thumbmark.umd.js'),
  }
}
