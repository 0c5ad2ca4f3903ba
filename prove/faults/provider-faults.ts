// F-06 to F-08: the SMS gateway lies and flaps, one bureau fails, all bureaus fail.

import type { Fault } from '../../demo/gateway/faults.ts'
import { createRandom } from '../../service/providers/simulated/synthetic-random.ts'
import { BRIEF_MS, codeIn, createLiveApp, type LiveApp, type LiveAppOptions } from '../../testing/live-app.ts'
import { booksMustBalance, creditsOf } from './ledger-checks.ts'
import { type FaultRun, must, times } from './must.ts'

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
]

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
