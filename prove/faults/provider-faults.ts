// F-06 to F-08: the SMS gateway lies and flaps, one bureau fails, all bureaus fail. F-14 to F-16, counted from outside
// a service in another process: the gateway stays away, the name of the bureaus is lost, the bureaus are slow.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from '../../demo/gateway/faults.ts'
import { type FaultyGateway, startFaultyGateway } from '../../demo/gateway/gateway.ts'
import type { GatewayText } from '../../demo/gateway/roles.ts'
import { receiptRequest } from '../../demo/gateway/sms-roles.ts'
import { createRandom } from '../../service/providers/simulated/synthetic-random.ts'
import {
  BRIEF_MS,
  codeIn,
  createLiveApp,
  GATEWAY_SECRET,
  type LiveApp,
  type LiveAppOptions,
} from '../../testing/live-app.ts'
import { liveRequest } from '../../testing/test-app.ts'
import { booksMustBalance, creditsOf, watchWallet } from './ledger-checks.ts'
import { type FaultRun, must, type ReportAnswer, times } from './must.ts'
import { runFirst, type ServiceChild, startChild, strangerOf } from './service-child.ts'

const DAY_MS = 86_400_000
const SEND_LEASE_OVER_MS = 11_000
const BUREAUS = ['equifax', 'experian', 'transunion']

export const providerFaults: readonly FaultRun[] = [
  {
    id: 'F-06',
    what: 'the SMS gateway is slow, down, flapping, or wrong',
    run: (scale) => withLiveApp({ smsTimeoutMs: BRIEF_MS }, (app) => flap(app, times(200, scale))),
  },
  {
    id: 'F-07',
    what: 'one bureau is slow, down, garbled, huge, or about another person',
    run: (scale) => withLiveApp({ timeoutMs: BRIEF_MS }, (app) => failOne(app, times(10, scale))),
  },
  {
    id: 'F-08',
    what: 'every bureau is down',
    run: (scale) => withLiveApp({}, (app) => failAll(app, times(30, scale))),
  },
  {
    id: 'F-14',
    what: 'the SMS gateway is away for ten minutes',
    run: (scale) => withPeers((peers) => outlastGateway(peers, Math.max(AWAY_MS_MIN, AWAY_MS * scale))),
  },
  {
    id: 'F-15',
    what: 'the name of the bureaus is not found for a while',
    run: (scale) => withPeers((peers) => loseName(peers, times(20, scale))),
  },
  {
    id: 'F-16',
    what: 'the bureaus are slow, and callers ask again meanwhile',
    run: (scale) => withPeers((peers) => askSlowBureaus(peers, times(20, scale))),
  },
]

const AWAY_MS = 600_000
const AWAY_MS_MIN = 12_000

type Timeouts = Pick<LiveAppOptions, 'timeoutMs' | 'smsTimeoutMs'>

async function withLiveApp(timeouts: Timeouts, work: (app: LiveApp) => Promise<number>): Promise<number> {
  const app = await createLiveApp({ ...timeouts, environment: { SMS_LIMITS: 'tenant=100000000/1m' } })
  try {
    const tried = await work(app)
    await booksMustBalance(app.database)
    return tried
  } finally {
    await app.close()
  }
}

const SMS_FAULTS: (Fault | null)[] = [
  null,
  { kind: 'slow', ms: 100 },
  { kind: 'status', status: 503 },
  { kind: 'status', status: 429 },
  { kind: 'reset' },
  { kind: 'lost' },
  { kind: 'cut' },
  { kind: 'garbage' },
  { kind: 'hang' },
]

/** Each challenge meets another mood of the gateway; every code that arrived works, and delivered texts alone cost. */
async function flap(app: LiveApp, challenges: number): Promise<number> {
  const random = createRandom('flapping')
  let delivered = 0
  for (let challenge = 0; challenge < challenges; challenge += 1) {
    app.gateway.always('sms', SMS_FAULTS[random.between(0, SMS_FAULTS.length - 1)] ?? null)
    const request = app.stranger()
    const { status, body } = await app.generate(request)
    must(status === 200, `a gateway’s trouble must not fail a generate, which answered ${status}`)
    app.gateway.always('sms', null)
    app.time.nowMs += SEND_LEASE_OVER_MS
    await app.sweeper.sweep()
    const texts = app.gateway.texts.filter(({ to }) => to === request.mobileNumber)
    must(new Set(texts.map(codeIn)).size <= 1, 'a text sent again must carry the same code')
    const [text] = texts
    if (text && random.between(0, 1) === 0) {
      await app.receipt(text, 'delivered')
      delivered += 1
    }
    if (text) {
      const submitted = await app.submit(body.data, codeIn(text))
      must(submitted.body.data.status === 'complete', 'a code that arrived must work')
    }
  }
  app.time.nowMs += DAY_MS + 1
  while ((await app.sweeper.sweep()).unacknowledgedTexts) {}
  const row = await app.database.first(
    `SELECT COUNT(*) AS n FROM wallet_line WHERE kind = 'capture' AND purpose = 'text'`,
  )
  must(Number(row?.n) === delivered, `${delivered} delivered texts must be ${delivered} charges, not ${row?.n}`)
  return challenges
}

const BUREAU_FAULTS: Fault[] = [
  { kind: 'hang' },
  { kind: 'status', status: 500 },
  { kind: 'reset' },
  { kind: 'garbage' },
  { kind: 'nonsense' },
  { kind: 'huge' },
  { kind: 'deep' },
  { kind: 'wrong-person' },
]

async function failOne(app: LiveApp, rounds: number): Promise<number> {
  let tried = 0
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, fault] of BUREAU_FAULTS.entries()) {
      const before = await creditsOf(app)
      const bureau = BUREAUS[(round + index) % BUREAUS.length] ?? 'equifax'
      app.gateway.plan(bureau, fault, fault)
      const { status } = await app.generate({ ...app.stranger('Allow'), bureaus: BUREAUS })
      must(status === 503, `a report without a bureau it needs must be refused, not answered with ${status}`)
      must((await creditsOf(app)) === before, 'what was not delivered must not be charged or held')
      app.gateway.plan(bureau)
      // Good days in between, so that no circuit opens and every fault is met.
      for (let day = 0; day < 2; day += 1) {
        const { body } = await app.generate({ ...app.stranger('Allow'), bureaus: BUREAUS })
        must(body.data?.status === 'complete', 'the next report must be complete')
      }
      tried += 1
    }
  }
  return tried
}

async function failAll(app: LiveApp, reports: number): Promise<number> {
  for (const bureau of BUREAUS) app.gateway.always(bureau, { kind: 'status', status: 500 })
  const before = await creditsOf(app)
  for (let report = 0; report < reports; report += 1) {
    const { status } = await app.generate({ ...app.stranger('Allow'), bureaus: BUREAUS })
    must(status === 503, 'without bureaus there is no report')
  }
  must((await creditsOf(app)) === before, 'nothing may be charged or held')
  must(app.gateway.texts.length === 0, 'no text may be sent for a report that cannot be had')
  const called = app.gateway.calls('equifax')
  must(called <= 2 * reports && called <= 22, `an open circuit must spare the bureau, which was called ${called} times`)
  return reports
}

// From outside.

const REPORTS = '/demo-lender/v1/credit-reports'
const CONSUMERS = 20
/** A challenge that has had no text for so long is over. */
const LIFETIME_MS = 300_000
const SLOW_MS = 3_000
const ASKED_AGAIN_MS = 700
/** An open circuit tries again, and a report that was begun is free for its retry. */
const BACK_WITHIN_MS = 120_000
const BUREAU_NAME = 'bureau.localhost'

type Peers = { service: ServiceChild; gateway: FaultyGateway; setNameLost(isLost: boolean): void }

async function withPeers(work: (peers: Peers) => Promise<number>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'peers-'))
  const lost = join(folder, 'name-lost')
  const setNameLost = (isLost: boolean) => (isLost ? writeFileSync(lost, '') : rmSync(lost, { force: true }))
  const gateway = await startFaultyGateway({ secret: GATEWAY_SECRET })
  const bureau = new URL(gateway.url)
  bureau.hostname = BUREAU_NAME
  const environment = {
    DATA_DIR: folder,
    BUREAU_URL: bureau.origin,
    BUREAU_TOKEN: GATEWAY_SECRET,
    SMS_PROVIDER: 'http',
    SMS_URL: gateway.url,
    SMS_FROM: 'Harbour',
    SMS_TOKEN: GATEWAY_SECRET,
    SMS_RECEIPT_SECRET: GATEWAY_SECRET,
    SMS_LIMITS: 'tenant=100000000/1m',
    SEARCHES_PER_PERSON_PER_DAY: '1000000',
  }
  const service = await startChild(environment, runFirst(nameServer(lost)))
  try {
    return await work({ service, gateway, setNameLost })
  } finally {
    await service.kill()
    await gateway.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Knows the bureaus' name as long as there is no such file. */
const nameServer = (lost: string) => `
  import dns from 'node:dns'
  import { existsSync } from 'node:fs'
  const { lookup } = dns
  dns.lookup = (name, options, found) => {
    if (name !== '${BUREAU_NAME}') lookup(name, options, found)
    else if (existsSync('${lost}')) found(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }))
    else if (options.all) found(null, [{ address: '127.0.0.1', family: 4 }])
    else found(null, '127.0.0.1', 4)
  }`

/** Consumers arrive all the time. Each gets its report in the end, over a text. */
async function outlastGateway({ service, gateway }: Peers, awayMs: number): Promise<number> {
  const wallet = await watchWallet(service.url)
  gateway.always('sms', { kind: 'reset' })
  const consumers = Array.from({ length: CONSUMERS }, async (_, number) => {
    await sleep((number * awayMs) / CONSUMERS)
    await completeByText({ service, gateway }, number)
  })
  const all = Promise.all(consumers)
  await Promise.race([all, sleep(awayMs / 2)])
  gateway.always('sms', { kind: 'hang' })
  await Promise.race([all, sleep(awayMs / 2)])
  must(gateway.texts.length === 0, 'the gateway must have been away, or nothing was shown')
  gateway.always('sms', null)
  await all
  for (const text of gateway.texts) await reportDelivered(service, text)
  await wallet.mustHaveBought({ reports: CONSUMERS, texts: gateway.texts.length })
  return CONSUMERS
}

/** Begins again when the challenge is over before a text has come. */
async function completeByText({ service, gateway }: Pick<Peers, 'service' | 'gateway'>, number: number): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const request = { ...strangerOf(number), sessionId: await service.openSession() }
    const begunAtMs = performance.now()
    const known = gateway.texts.length
    const { creditReportId, challenge } = await untilDone(service, request, `text-${number}-${tries}`)
    while (performance.now() - begunAtMs < LIFETIME_MS) {
      const text = gateway.texts.slice(known).findLast(({ to }) => to === request.mobileNumber)
      if (text === undefined) {
        await sleep(200)
        continue
      }
      const path = `${REPORTS}/${creditReportId}/otp-challenge`
      const { body } = await service.call(path, { ...challenge, code: codeIn(text) })
      must(body.data?.status === 'complete', `a code that arrived must work, but it ended as ${body.data?.status}`)
      return
    }
  }
}

async function reportDelivered(service: ServiceChild, text: GatewayText): Promise<void> {
  const signed = receiptRequest(text, 'delivered', { secret: GATEWAY_SECRET, nowMs: Date.now() })
  const url = service.url + new URL(signed.url).pathname
  const { ok } = await fetch(url, { method: 'POST', headers: signed.headers, body: await signed.text() })
  must(ok, 'a receipt must be taken')
}

async function loseName({ service, gateway, setNameLost }: Peers, reports: number): Promise<number> {
  const wallet = await watchWallet(service.url)
  const request = { ...liveRequest('Allow'), bureaus: BUREAUS }
  await untilDone(service, request, 'known')
  setNameLost(true)
  // Connections of before need no name.
  for (const bureau of BUREAUS) gateway.always(bureau, { kind: 'reset' })
  await service.call(REPORTS, request, { 'Idempotency-Key': 'last-connections' })
  for (const bureau of BUREAUS) gateway.always(bureau, null)
  for (let report = 0; report < reports; report += 1) {
    const { status } = await service.call(REPORTS, request, { 'Idempotency-Key': `name-${report}` })
    must(status === 503, `without a bureau’s name a report must be refused with 503, not ${status}`)
  }
  await wallet.mustHaveBought({ reports: 1, texts: 0 })
  setNameLost(false)
  for (let report = 0; report < reports; report += 1) await untilDone(service, request, `name-${report}`)
  await wallet.mustHaveBought({ reports: 1 + reports, texts: 0 })
  return reports
}

async function askSlowBureaus({ service, gateway }: Peers, reports: number): Promise<number> {
  const wallet = await watchWallet(service.url)
  for (const bureau of BUREAUS) gateway.always(bureau, { kind: 'slow', ms: SLOW_MS })
  const request = { ...liveRequest('Allow'), bureaus: BUREAUS }
  const ids = await Promise.all(
    Array.from({ length: reports }, async (_, report) => {
      const ask = () => untilDone(service, request, `slow-${report}`)
      const answers = [ask(), sleep(ASKED_AGAIN_MS).then(ask), sleep(2 * ASKED_AGAIN_MS).then(ask)]
      return (await Promise.all(answers)).map(({ creditReportId }) => creditReportId)
    }),
  )
  for (const of of ids) must(new Set(of).size === 1, 'one key must give one report, however often it is asked for')
  for (const bureau of BUREAUS)
    must(gateway.calls(bureau) === reports, `${bureau} must be searched ${reports} times, not ${gateway.calls(bureau)}`)
  await wallet.mustHaveBought({ reports, texts: 0 })
  return reports
}

/** Asks again, under the same key, as long as it is refused for now. */
async function untilDone(service: ServiceChild, request: object, key: string): Promise<ReportAnswer> {
  const deadlineMs = performance.now() + BACK_WITHIN_MS
  for (;;) {
    const { status, body } = await service.call(REPORTS, request, { 'Idempotency-Key': key })
    if (status === 200) return body.data
    must(status === 503 || status === 409, `an answer must be 200, 409 or 503, not ${status}`)
    must(performance.now() < deadlineMs, `repeated under its key, a request must be answered, not with ${status}`)
    await sleep(500)
  }
}
