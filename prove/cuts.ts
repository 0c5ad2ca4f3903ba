// The line between proxy and service is cut at random bytes, in both directions, while consumers go through whole
// checks. However often a browser has to repeat itself: one report, one charge, no text too many.
import { setTimeout as sleep } from 'node:timers/promises'
import { createTenantProxy, type TenantProxy } from '../tenant-proxy/tenant-proxy.ts'
import { createTestBrowser } from '../testing/proxy-browser.ts'
import { startBuiltService } from './cuts/built-service.ts'
import { LENDER, openSession, readCode, readLines } from './cuts/demo-lender.ts'
import { type Cut, type FaultyRelay, startFaultyRelay } from './cuts/faulty-relay.ts'

const CUTS_AT_FULL_SCALE = 1_000
/** Fewer cuts say little; more checks than this would empty the demo's wallet. */
const CUTS_MIN = 20
const CHECKS_MAX = 1_500
const WORKERS = 4
const CUTS_PER_REQUEST_MAX = 3
const TRIES_MAX = 20
const PAUSE_MS = 10
/** Cuts land anywhere in a request or an answer, or just beyond, on the next one. */
const REACH_BYTES = { asked: 1_800, answered: 6_000 }

export const about = {
  title: 'Connections cut between proxy and service',
  text: 'The connection between proxy and service is cut at random bytes. However often the browser retries, there is one report, one charge and no extra text.',
  meanings: { checks: 'from details to report' },
}

export type Outcome = { ok: boolean; counts: Record<string, number> }

export async function run({ scale }: { scale: number }): Promise<Outcome> {
  const cutsWanted = Math.max(CUTS_MIN, Math.round(CUTS_AT_FULL_SCALE * scale))
  const service = await startBuiltService({ RATE_LIMIT_PER_MINUTE: '1000000', LOG_LEVEL: 'error' })
  const tally: Tally = {
    checks: 0,
    cuts: 0,
    unanswered: 0,
    changedAnswers: 0,
    allowed: new Set(),
    challenged: new Set(),
  }
  try {
    await Promise.all(
      Array.from({ length: WORKERS }, (_, worker) => work({ url: service.url, worker, cutsWanted, tally })),
    )
    const { cuts, checks, unanswered, changedAnswers } = tally
    const wrong = { unanswered, 'answers that changed': changedAnswers, ...(await auditWallet(service.url, tally)) }
    const ok = cuts >= cutsWanted && Object.values(wrong).every((count) => count === 0)
    return { ok, counts: { cuts, checks, ...wrong } }
  } finally {
    await service.stop()
  }
}

type Tally = {
  checks: number
  cuts: number
  /** Requests that never got an answer, however often they were repeated. */
  unanswered: number
  /** Repeats that got another report. */
  changedAnswers: number
  /** Ids of the reports that consumers know of. */
  allowed: Set<string>
  challenged: Set<string>
}

type Work = { url: string; worker: number; cutsWanted: number; tally: Tally }

async function work({ url, worker, cutsWanted, tally }: Work): Promise<void> {
  const relay = await startFaultyRelay({ host: '127.0.0.1', port: Number(new URL(url).port) })
  const proxy = createTenantProxy({
    ...LENDER,
    service: `http://127.0.0.1:${relay.port}`,
    limits: { generatesMax: 1_000_000, writesMax: 1_000_000 },
    onEvent: () => {},
  })
  for (let round = 0; tally.cuts < cutsWanted && tally.checks < CHECKS_MAX; round += 1) {
    const cutsBefore = relay.cuts
    tally.checks += 1
    const consumer = { url, proxy, relay, tally, number: worker * 10_000 + round }
    await (round % 2 === 0 ? allowedCheck(consumer) : challengedCheck(consumer))
    tally.cuts += relay.cuts - cutsBefore
  }
  await relay.stop()
}

type Consumer = { url: string; proxy: TenantProxy; relay: FaultyRelay; tally: Tally; number: number }

async function allowedCheck(consumer: Consumer): Promise<void> {
  const browser = sitDown(consumer)
  const key = keyed()
  const report = await persist(consumer, () => browser.generate({ lastName: 'Allow' }, key))
  if (report) consumer.tally.allowed.add(report.creditReportId)
}

async function challengedCheck(consumer: Consumer): Promise<void> {
  const { url, tally, number } = consumer
  const browser = sitDown(consumer)
  const details = {
    sessionId: await openSession(url),
    mobileNumber: `+4478${String(number * 997 + 10_000_000).slice(-8)}`,
  }
  const keys = { generate: keyed(), resend: keyed() }
  const begun = await persist(consumer, () => browser.generate(details, keys.generate))
  if (!begun) return
  const {
    creditReportId,
    challenge: { challengeId },
  } = begun
  tally.challenged.add(creditReportId)
  const path = `/credit-reports/${creditReportId}`
  await persist(consumer, () => browser.post(`${path}/resend-sms`, { challengeId }, keys.resend))
  const code = await readCode(url, creditReportId)
  const done = await persist(consumer, () => browser.post(`${path}/otp-challenge`, { challengeId, code }))
  if (done?.status !== 'complete') tally.unanswered += 1
}

function sitDown({ proxy, number }: Consumer) {
  const browser = createTestBrowser(proxy)
  browser.address = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`
  return browser
}

function keyed() {
  return { 'Idempotency-Key': crypto.randomUUID() }
}

/** Sends until an answer comes through the cuts, then once more over a whole line: it must be the same answer. */
async function persist({ relay, tally }: Consumer, send: () => Promise<Response>) {
  relay.plan(Array.from({ length: 1 + Math.floor(Math.random() * CUTS_PER_REQUEST_MAX) }, randomCut))
  const first = await untilAnswered(send)
  relay.plan([])
  const again = await untilAnswered(send)
  if (!first || !again) tally.unanswered += 1
  else if (first.creditReportId !== again.creditReportId || first.status !== again.status) tally.changedAnswers += 1
  return first
}

async function untilAnswered(send: () => Promise<Response>) {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const response = await send()
    if (response.status === 200) return (await response.json()).data
    await sleep(PAUSE_MS)
  }
  return null
}

function randomCut(): Cut {
  const direction = Math.random() < 0.5 ? 'asked' : 'answered'
  const afterBytes = Math.floor(Math.random() * REACH_BYTES[direction])
  return { direction, afterBytes, how: Math.random() < 0.5 ? 'reset' : 'close' }
}

/** Compares every line of every report in the ledger with the reports that consumers know of. */
async function auditWallet(url: string, { allowed, challenged }: Tally): Promise<Record<string, number>> {
  const lines = await readLines(url)
  const known = new Set([...allowed, ...challenged])
  const counts = { 'unknown reports': 0, 'charges missing': 0, 'charges too many': 0, 'texts too many': 0 }
  for (const line of lines) if (line.creditReportId && !known.has(line.creditReportId)) counts['unknown reports'] += 1
  for (const creditReportId of known) {
    const own = lines.filter((line) => line.creditReportId === creditReportId)
    const charges = own.filter(({ kind, purpose }) => kind === 'capture' && purpose === 'report').length
    const texts = own.filter(({ kind, purpose }) => kind === 'hold' && purpose === 'text').length
    if (charges < 1) counts['charges missing'] += 1
    if (charges > 1) counts['charges too many'] += 1
    if (texts > (challenged.has(creditReportId) ? 2 : 0)) counts['texts too many'] += 1
  }
  return counts
}
