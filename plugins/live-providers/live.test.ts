// Live reports over real sockets, with everything that goes wrong there. What must hold each time: no lender is charged
// for what they did not get, no one gets a report without the challenge it needs, and nothing stays held.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Fault } from '../../demo/gateway/faults.ts'
import { SMS_ROLES } from '../../demo/gateway/sms-roles.ts'
import { topUp } from '../../service/ledger/ledger.ts'
import { createTenant } from '../../service/ledger/tenants.ts'
import { createLog } from '../../service/log.ts'
import { ProviderUnavailable, type SmsProvider } from '../../service/providers/providers.ts'
import { BRIEF_MS, codeIn, createLiveApp, GATEWAY_SECRET, type LiveApp } from '../../testing/live-app.ts'
import { repeated } from '../../testing/repeated.ts'
import { reconcile } from '../statement/reconcile.ts'
import { FAILURES_MAX } from './circuit-breaker.ts'
import { SMS_KINDS } from './sms-gateways.ts'

const BUREAUS = ['equifax', 'experian', 'transunion']
const MINUTE_MS = 60_000
const METRICS_TOKEN = 'a token for metrics'

let app: LiveApp

/** However a test went, the books balance. */
async function closeBalanced(): Promise<void> {
  const books = await reconcile(app.database)
  await app.close()
  expect(books.findings.filter(({ breaches }) => breaches.length > 0)).toEqual([])
}

const anotherPerson: Fault = { kind: 'wrong-person' }

// Every other fault ends as one of these: http/http-providers.test.ts.
const OUTAGES: [string, Fault][] = [
  ['fails', { kind: 'status', status: 503 }],
  ['hangs', { kind: 'hang' }],
  ['refuses', { kind: 'status', status: 403 }],
]

const request = () => ({ ...app.stranger('Allow'), dateOfBirth: '1985-03-27', bureaus: BUREAUS })

describe('bureaus', () => {
  beforeEach(async () => {
    app = await createLiveApp({ environment: { METRICS_TOKEN } })
    await app.database.transaction(async (queries) => {
      await createTenant(queries, { id: 'lenient', name: 'Lenient', nowMs: app.time.nowMs })
      await queries.run(`UPDATE tenant SET require_all_bureaus = 0 WHERE id = 'lenient'`)
      await topUp(queries, { tenantId: 'lenient', credits: 100_000, reference: 'one', nowMs: app.time.nowMs })
    })
  })
  afterEach(closeBalanced)

  test('merge into the same report, whichever answers first', async () => {
    const orders = [
      [0, 60, 120],
      [120, 60, 0],
      [60, 0, 120],
    ]
    const reports = []
    for (const order of orders) {
      for (const [index, ms] of order.entries()) app.gateway.plan(BUREAUS[index] ?? '', { kind: 'slow', ms })
      reports.push((await app.generate(request())).body.data.creditReport)
    }
    expect(reports[1]).toEqual(reports[0])
    expect(reports[2]).toEqual(reports[0])
    expect(reports[0].consumerData.records[0].bureaus.map(({ id }: { id: string }) => id)).toEqual(BUREAUS)
  })

  test('one that is missing does not stop a lender who takes what there is', async () => {
    app.gateway.always('experian', { kind: 'garbage' })
    const { body } = await app.generate(request(), { token: 'lenient' })
    expect(body.data.status).toBe('complete')
    const named = body.data.creditReport.consumerData.records.flatMap(({ bureaus }: { bureaus: { id: string }[] }) =>
      bureaus.map(({ id }) => id),
    )
    expect([...new Set(named)].sort()).toEqual(['equifax', 'transunion'])
    const headers = { Authorization: `Bearer ${METRICS_TOKEN}` }
    const metrics = await app.fetch(new Request('http://service.test/metrics', { headers }))
    expect(await metrics.text()).toContain('crs_bureaus_missing_total{bureau="experian"} 1')
  })

  test('none at all is no report for anybody', async () => {
    const before = await app.books('lenient')
    for (const bureau of BUREAUS) app.gateway.always(bureau, { kind: 'status', status: 500 })
    const { status } = await app.generate(request(), { token: 'lenient' })
    expect(status).toBe(503)
    expect(await app.books('lenient')).toEqual(before)
  })

  test('a request repeated under its key after an outage is answered and charged once', async () => {
    const before = await app.books()
    const again = request()
    app.gateway.always('equifax', { kind: 'status', status: 500 })
    const key = { 'Idempotency-Key': 'after-the-outage' }
    expect((await app.generate(again, key)).status).toBe(503)
    app.gateway.always('equifax', null)
    const [one, two] = [await app.generate(again, key), await app.generate(again, key)]
    expect(one.body.data.status).toBe('complete')
    expect(two.body).toEqual(repeated(one.body))
    expect((await app.books()).balanceCredits).toBe(before.balanceCredits - 500)
  })
})

describe('a bureau', () => {
  beforeEach(async () => {
    app = await createLiveApp({ timeoutMs: BRIEF_MS })
  })
  afterEach(closeBalanced)

  test.each([...OUTAGES, ['answers about another person', anotherPerson] satisfies [string, Fault]])(
    'that %s costs nothing and gives no report',
    async (_what, fault) => {
      const before = await app.books()
      app.gateway.always('experian', fault)
      const { status, body, headers } = await app.generate(request())
      expect(status).toBe(503)
      expect(body.code).toBe('unavailable')
      expect(headers.get('Retry-After')).not.toBeNull()
      expect(await app.books()).toEqual(before)
    },
  )
})

test('a bureau that fails is the only one blamed for it', async () => {
  const lines: string[] = []
  app = await createLiveApp({ log: createLog({ to: { write: (line) => lines.push(line) } }) })
  app.gateway.always('experian', { kind: 'hang' })
  app.gateway.always('transunion', { kind: 'hang' })
  app.gateway.plan('equifax', { kind: 'garbage' })
  expect((await app.generate(request())).status).toBe(503)
  const blamed = lines.flatMap((line) => /"provider":"(\w+)".*"event":"provider call failed"/.exec(line)?.[1] ?? [])
  expect(blamed).toEqual(['equifax'])
  await closeBalanced()
})

describe('a bureau that keeps failing', () => {
  beforeEach(async () => {
    app = await createLiveApp()
  })
  afterEach(closeBalanced)

  test('is left alone for a while, and others go on', async () => {
    app.gateway.always('equifax', { kind: 'garbage' })
    const ask = (bureau: string) => app.generate({ ...app.stranger('Allow'), bureaus: [bureau] })
    for (let report = 0; report < FAILURES_MAX + 5; report += 1) expect((await ask('equifax')).status).toBe(503)
    expect(app.gateway.calls('equifax')).toBe(FAILURES_MAX)
    expect((await ask('experian')).status).toBe(200)
  })
})

describe('risk', () => {
  beforeEach(async () => {
    app = await createLiveApp({ timeoutMs: BRIEF_MS })
  })
  afterEach(closeBalanced)

  const unknownDecision: Fault = { kind: 'altered', alter: (body) => ({ ...Object(body), decision: 'approve' }) }

  test.each([...OUTAGES, ['gives an unknown decision', unknownDecision] satisfies [string, Fault]])(
    'that %s means no: nothing is charged, no bureau asked, no text sent',
    async (_what, fault) => {
      const before = await app.books()
      const asked = app.gateway.calls('equifax')
      app.gateway.always('risk', fault)
      const { status, body } = await app.generate(app.stranger('Allow'))
      expect(status).toBe(503)
      expect(body).not.toHaveProperty('data')
      expect(await app.books()).toEqual(before)
      expect(app.gateway.calls('equifax')).toBe(asked)
    },
  )
})

describe.each(SMS_KINDS)('texts through a gateway that speaks %s', (sms) => {
  const { provider } = SMS_ROLES[sms]
  beforeEach(async () => {
    app = await createLiveApp({ sms })
  })
  afterEach(closeBalanced)

  async function sweepAfter(ms: number): Promise<void> {
    app.time.nowMs += ms
    await app.sweeper.sweep()
  }

  test('carry the tenant’s name and site, and live as long as their code', async () => {
    await app.database.run(`UPDATE tenant SET checkout_host = 'shop.example' WHERE id = 'demo-lender'`)
    const { text, code } = await app.challenged()
    expect(text.body).toBe(
      `${code} is your code for a credit check with Wrenfield. Never share it, not even with us.\n\n@shop.example #${code}`,
    )
    expect(text.validSeconds).toBe(300)
  })

  test('leave once the gateway is back, with what is left of their time and the same code', async () => {
    app.gateway.always(provider, { kind: 'status', status: 503 })
    const { status, body } = await app.generate(app.stranger())
    expect(status).toBe(200)
    expect(app.gateway.texts).toHaveLength(0)
    app.gateway.always(provider, null)
    await sweepAfter(11_000)
    await sweepAfter(11_000)
    expect(app.gateway.texts).toHaveLength(1)
    const [text] = app.gateway.texts
    expect(text?.validSeconds).toBe(289)
    const submitted = await app.submit(body.data, text ? codeIn(text) : '')
    expect(submitted.body.data.status).toBe('complete')
  })

  test('leave at the last moment of their code, to live for a second', async () => {
    app.gateway.always(provider, { kind: 'status', status: 503 })
    await app.generate(app.stranger())
    app.gateway.always(provider, null)
    await sweepAfter(5 * MINUTE_MS)
    expect(app.gateway.texts.map(({ validSeconds }) => validSeconds)).toEqual([1])
  })

  test('are not sent once their code has expired', async () => {
    app.gateway.always(provider, { kind: 'status', status: 503 })
    await app.generate(app.stranger())
    app.gateway.always(provider, null)
    await sweepAfter(5 * MINUTE_MS + 1)
    expect(app.gateway.texts).toHaveLength(0)
  })

  test('whose answer was lost are sent once', async () => {
    app.gateway.plan(provider, { kind: 'lost' })
    const { body } = await app.generate(app.stranger())
    await sweepAfter(11_000)
    expect(app.gateway.texts).toHaveLength(1)
    await app.receipt(app.gateway.texts[0] ?? raise(), 'delivered')
    expect(await app.lines(body.data.creditReportId)).toEqual(['hold report 500', 'hold text 40', 'capture text 40'])
  })

  test('to a number that cannot be reached cost nothing and count as sent', async () => {
    const request = { ...app.stranger(), mobileNumber: '+447700900000' }
    const { body } = await app.generate(request)
    expect(await app.lines(body.data.creditReportId)).toEqual(['hold report 500', 'hold text 40', 'release text 40'])
    expect((await app.resend(body.data)).body.data).toEqual({ smsSentCount: 2, remainingSmsCount: 1 })
  })
})

test.each(SMS_KINDS)('a gateway that hangs (%s) spoils no code that arrived before', async (sms) => {
  app = await createLiveApp({ sms, smsTimeoutMs: 2 * BRIEF_MS })
  const { started, code } = await app.challenged()
  app.gateway.always(SMS_ROLES[sms].provider, { kind: 'hang' })
  expect((await app.resend(started)).status).toBe(200)
  expect((await app.submit(started, code)).body.data.status).toBe('complete')
  await closeBalanced()
})

describe('a crash between the gateway’s yes and ours', () => {
  /** Says yes to the gateway and dies before anybody can write it down. */
  function forgetful(sms: SmsProvider): SmsProvider {
    let crashes = 1
    return {
      async send(message, signal) {
        const outcome = await sms.send(message, signal)
        crashes -= 1
        if (crashes >= 0) throw new ProviderUnavailable('sms', 'disconnected')
        return outcome
      },
    }
  }

  test.each([
    ['sends one text where the gateway knows our id', 'http', 1],
    ['sends at worst the same code once more where it does not', 'twilio', 2],
  ] as const)('%s, and charges once', async (_what, sms, sent) => {
    app = await createLiveApp({ sms, wrapSms: forgetful })
    const { body } = await app.generate(app.stranger())
    app.time.nowMs += 11_000
    await app.sweeper.sweep()
    expect(app.gateway.texts).toHaveLength(sent)
    expect(new Set(app.gateway.texts.map(codeIn)).size).toBe(1)
    for (const text of app.gateway.texts) await app.receipt(text, 'delivered')
    expect(await app.lines(body.data.creditReportId)).toEqual(['hold report 500', 'hold text 40', 'capture text 40'])
    await closeBalanced()
  })
})

test('the log names providers, reports and texts, and never a person, a number or a code', async () => {
  const lines: string[] = []
  const log = createLog({ to: { write: (line) => lines.push(line) } })
  app = await createLiveApp({ log })
  const { started, text, code } = await app.challenged()
  await app.receipt(text, 'delivered')
  await app.receipt({ ...text, messageId: 'nobody-knows-this' }, 'delivered')
  app.gateway.plan('sms', { kind: 'garbage' })
  await app.resend(started)
  app.gateway.plan('equifax', anotherPerson)
  await app.generate(app.stranger('Allow'))
  await app.generate({ ...app.stranger(), mobileNumber: '+18765550123' })
  const written = lines.join('')
  for (const event of ['provider call failed', 'report abandoned', 'text handed over', 'text refused', 'receipt']) {
    expect(written).toContain(`"event":"${event}"`)
  }
  const secrets = [
    code,
    text.to,
    '18765550123',
    'Example',
    'Sam',
    'Somebody-Else',
    '1985-03-27',
    'SW1A',
    GATEWAY_SECRET,
  ]
  for (const secret of secrets) expect(written).not.toContain(secret)
  expect(written).not.toContain('nobody-knows-this')
  await closeBalanced()
})

test('the log warns of the text that reaches four fifths of a lender’s day, and of no other', async () => {
  const lines: string[] = []
  const log = createLog({ to: { write: (line) => lines.push(line) } })
  app = await createLiveApp({ log, environment: { SMS_LIMITS: 'tenant=5/24h' } })
  const warnings: number[] = []
  for (let text = 0; text < 5; text += 1) {
    await app.challenged()
    warnings.push(lines.filter((line) => line.includes('"event":"texts near the limit of the day"')).length)
  }
  expect(warnings).toEqual([0, 0, 0, 1, 1])
  await closeBalanced()
})

function raise(): never {
  throw new Error('there is no text')
}
