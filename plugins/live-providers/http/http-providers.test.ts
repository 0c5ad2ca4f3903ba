// The HTTP adapters against a gateway that misbehaves, over real sockets.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sampleRequest } from '../../../contract/samples.ts'
import type { Fault } from '../../../demo/gateway/faults.ts'
import { type FaultyGateway, startFaultyGateway } from '../../../demo/gateway/gateway.ts'
import { createSilentLog } from '../../../service/log.ts'
import type { Unavailability } from '../../../service/providers/providers.ts'
import { reasonOf, sampleText as text } from '../../../testing/provider-call.ts'
import { FAILURES_MAX } from '../circuit-breaker.ts'
import { createHttpBureau } from './bureau.ts'
import { createHttpRisk } from './risk-and-match.ts'
import { createHttpGateway } from './sms.ts'

const secret = 'gateway-secret'
const log = createSilentLog()
const never = new AbortController().signal
const creditReportId = 'report-1'

let gateway: FaultyGateway
beforeEach(async () => {
  gateway = await startFaultyGateway({ secret })
})
afterEach(() => gateway.close())

const BRIEF_MS = 150

function bureau(timeoutMs?: number, token = secret) {
  const bureaus = ['equifax', 'experian']
  return createHttpBureau({ url: gateway.url, token, bureaus, log, ...(timeoutMs ? { timeoutMs } : {}) })
}

function risk(timeoutMs?: number) {
  return createHttpRisk({ url: gateway.url, token: secret, log, ...(timeoutMs ? { timeoutMs } : {}) })
}

const receiptUrl = 'http://localhost:1/v1/sms/receipts/x'

function sms(timeoutMs?: number, token = secret) {
  const settings = { url: gateway.url, token, from: 'Harbour', receiptSecret: secret }
  return createHttpGateway(settings).createSms({ receiptUrl, log, ...(timeoutMs ? { timeoutMs } : {}) })
}

const twice = (fault: Fault): Fault[] => [fault, fault]

describe('a bureau', () => {
  test('is asked for what it needs and answers with masked accounts', async () => {
    const answer = await bureau().query('equifax', sampleRequest, creditReportId, never)
    expect(answer.bureau).toBe('equifax')
    expect(answer.records.length).toBeGreaterThan(0)
    for (const { accountNumber } of answer.records) expect(accountNumber).toMatch(/^\*+\d{1,4}$/)
  })

  test('an account number sent in full goes no further than its last digits', async () => {
    gateway.plan('equifax', { kind: 'altered', alter: (body) => unmask(body) })
    const answer = await bureau().query('equifax', sampleRequest, creditReportId, never)
    expect(answer.records[0]?.accountNumber).toBe('****5678')
  })

  test('says that it has no file only in so many words, about this report', async () => {
    const none = (reference: string): Fault => ({ kind: 'altered', alter: () => ({ reference, file: 'none' }) })
    gateway.plan('equifax', none(creditReportId))
    const answer = await bureau().query('equifax', sampleRequest, creditReportId, never)
    expect(answer).toEqual({ bureau: 'equifax', noFile: true, records: [], searches: [] })
    gateway.plan('equifax', none('another report'))
    expect(await reasonOf(bureau().query('equifax', sampleRequest, creditReportId, never))).toBe('wrong-person')
  })

  test.each<[string, Fault[], number]>([
    ['an error', [{ kind: 'status', status: 503 }], 2],
    ['too many requests', [{ kind: 'status', status: 429 }], 2],
    ['a reset', [{ kind: 'reset' }], 2],
    ['a lost answer', [{ kind: 'lost' }], 2],
    ['an answer cut short', [{ kind: 'cut' }], 2],
    ['slowness within its time', [{ kind: 'slow', ms: 50 }], 1],
  ])('answers after %s', async (_what, faults, calls) => {
    gateway.plan('equifax', ...faults)
    await expect(bureau().query('equifax', sampleRequest, creditReportId, never)).resolves.toBeTruthy()
    expect(gateway.calls('equifax')).toBe(calls)
  })

  test.each<[string, Fault[], Unavailability, number]>([
    ['two errors', twice({ kind: 'status', status: 500 }), 'error-status', 2],
    ['two resets', twice({ kind: 'reset' }), 'disconnected', 2],
    [
      'a redirect, which is not followed',
      twice({ kind: 'redirect', to: 'http://169.254.169.254/' }),
      'error-status',
      2,
    ],
    ['a refusal', [{ kind: 'status', status: 422 }], 'rejected', 1],
    ['a page instead of data', [{ kind: 'garbage' }], 'garbage', 1],
    ['data of another shape', [{ kind: 'nonsense' }], 'garbage', 1],
    ['an endless answer', [{ kind: 'huge' }], 'too-large', 1],
    ['an answer that unpacks endlessly', [{ kind: 'bomb' }], 'too-large', 1],
    ['an answer nested two million deep', [{ kind: 'deep' }], 'garbage', 1],
    [
      'another surname',
      [altered('person', { firstName: 'Sam', lastName: 'Other', dateOfBirth: '1985-03-27' })],
      'wrong-person',
      1,
    ],
    [
      'another birthday',
      [altered('person', { firstName: 'Sam', lastName: 'Example', dateOfBirth: '1985-03-28' })],
      'wrong-person',
      1,
    ],
    ['another reference', [altered('reference', 'report-2')], 'wrong-person', 1],
    ['an account of a date that does not exist', [alteredAccount({ startDate: '2023-02-30' })], 'garbage', 1],
    ['an account of half a penny', [alteredAccount({ balance: { amount: 0.5, currency: 'GBP' } })], 'garbage', 1],
    ['an account with a NUL in it', [alteredAccount({ companyName: 'a\0b' })], 'garbage', 1],
    ['an account of a thousand letters', [alteredAccount({ companyName: 'a'.repeat(1000) })], 'garbage', 1],
  ])('is unavailable after %s', async (_what, faults, reason, calls) => {
    gateway.plan('equifax', ...faults)
    expect(await reasonOf(bureau().query('equifax', sampleRequest, creditReportId, never))).toBe(reason)
    expect(gateway.calls('equifax')).toBe(calls)
  })

  const LONGEST = 'a'.repeat(200)
  const money = (amount: number, currency = 'GBP') => ({ amount, currency })

  test.each<[string, object]>([
    ['a name of two hundred letters', { companyName: LONGEST }],
    ['no payment and ten thousand', { numberOfPayments: 0, repaymentPeriod: 10_000 }],
    ['the largest debt, and as much in credit', { balance: money(10 ** 12), startBalance: money(-(10 ** 12)) }],
    ['another currency', { payment: money(1, 'EUR') }],
  ])('may report an account of %s', async (_what, fields) => {
    gateway.plan('equifax', alteredAccount(fields))
    const { records } = await bureau().query('equifax', sampleRequest, creditReportId, never)
    expect(records.length).toBeGreaterThan(0)
    for (const record of records) expect(record).toMatchObject(fields)
  })

  test.each<[string, object]>([
    ['a name of one letter more', { companyName: `${LONGEST}a` }],
    ['no name', { companyName: '' }],
    ['one payment more', { repaymentPeriod: 10_001 }],
    ['less than no payment', { numberOfPayments: -1 }],
    ['a penny more', { balance: money(10 ** 12 + 1) }],
    ['a penny less', { startBalance: money(-(10 ** 12) - 1) }],
    ['a currency that is none', { payment: money(1, 'gbp') }],
  ])('may not report an account of %s', async (_what, fields) => {
    gateway.plan('equifax', alteredAccount(fields))
    expect(await reasonOf(bureau().query('equifax', sampleRequest, creditReportId, never))).toBe('garbage')
  })

  test.each<[string, (body: { [field: string]: unknown }, count: number) => object, number]>([
    ['accounts', ({ accounts }, count) => ({ accounts: Array(count).fill(firstOf(accounts)) }), 1_000],
    ['searches', ({ searches }, count) => ({ searches: Array(count).fill(firstOf(searches)) }), 1_000],
    ['months at addresses', (_body, count) => ({ monthsAtAddresses: Array(count).fill(1) }), 100],
  ])('may report so many %s, and not one more', async (_what, fieldsOf, most) => {
    const sending = (count: number): Fault => ({
      kind: 'altered',
      alter: (body) => ({ ...asObject(body), ...fieldsOf(asObject(body), count) }),
    })
    gateway.plan('equifax', sending(most), sending(most + 1))
    await expect(bureau().query('equifax', sampleRequest, creditReportId, never)).resolves.toBeTruthy()
    expect(await reasonOf(bureau().query('equifax', sampleRequest, creditReportId, never))).toBe('garbage')
  })

  test('a title and months that it leaves out are not in its answer either', async () => {
    const without: Fault = {
      kind: 'altered',
      alter: (body) => ({ ...asObject(changeAccounts(body, { title: '' })), monthsAtAddresses: undefined }),
    }
    gateway.plan('equifax', without)
    const answer = await bureau().query('equifax', sampleRequest, creditReportId, never)
    expect(answer).not.toHaveProperty('monthsAtAddresses')
    for (const record of answer.records) expect(record).not.toHaveProperty('title')
  })

  test.each<Fault>([{ kind: 'hang' }, { kind: 'drip' }, { kind: 'slow', ms: 10_000 }])(
    'is given up when its time is over ($kind)',
    async (fault) => {
      gateway.plan('equifax', fault)
      expect(await reasonOf(bureau(BRIEF_MS).query('equifax', sampleRequest, creditReportId, never))).toBe('time-out')
      expect(gateway.calls('equifax')).toBeLessThanOrEqual(1)
    },
  )

  test('that does not answer is unreachable', async () => {
    await gateway.close()
    expect(await reasonOf(bureau().query('equifax', sampleRequest, creditReportId, never))).toBe('unreachable')
    gateway = await startFaultyGateway({ secret })
  })

  test('with the wrong token is not asked twice', async () => {
    const query = bureau(undefined, 'wrong').query('equifax', sampleRequest, creditReportId, never)
    expect(await reasonOf(query)).toBe('rejected')
    expect(gateway.calls('equifax')).toBe(1)
  })

  test('one that is not configured is never asked', async () => {
    expect(await reasonOf(bureau().query('unknown', sampleRequest, creditReportId, never))).toBe('rejected')
  })

  test.each<[string, Fault]>([
    ['refuses', { kind: 'status', status: 422 }],
    [
      'has no person of that name for',
      altered('person', { firstName: 'Sam', lastName: 'Other', dateOfBirth: '1985-03-27' }),
    ],
  ])('is asked about the next consumer, however many it %s', async (_what, fault) => {
    const provider = bureau()
    gateway.plan('equifax', ...Array<Fault>(FAILURES_MAX + 1).fill(fault))
    for (let consumer = 0; consumer <= FAILURES_MAX; consumer += 1) {
      await reasonOf(provider.query('equifax', sampleRequest, creditReportId, never))
    }
    await expect(provider.query('equifax', sampleRequest, creditReportId, never)).resolves.toBeTruthy()
  })

  test('that keeps failing is left alone, and the others are not', async () => {
    const provider = bureau()
    gateway.always('equifax', { kind: 'garbage' })
    for (let failure = 0; failure < FAILURES_MAX; failure += 1) {
      await reasonOf(provider.query('equifax', sampleRequest, creditReportId, never))
    }
    expect(await reasonOf(provider.query('equifax', sampleRequest, creditReportId, never))).toBe('circuit-open')
    expect(gateway.calls('equifax')).toBe(FAILURES_MAX)
    await expect(provider.query('experian', sampleRequest, creditReportId, never)).resolves.toBeTruthy()
  })

  test('a caller who gives up hears its own reason, and the bureau is not blamed', async () => {
    const provider = bureau()
    gateway.always('equifax', { kind: 'hang' })
    for (let failure = 0; failure <= FAILURES_MAX; failure += 1) {
      const reason = new Error('the consumer left')
      const signal = AbortSignal.abort(reason)
      await expect(provider.query('equifax', sampleRequest, creditReportId, signal)).rejects.toBe(reason)
    }
    gateway.always('equifax', null)
    await expect(provider.query('equifax', sampleRequest, creditReportId, never)).resolves.toBeTruthy()
  })
})

describe('risk', () => {
  const question = { creditReportId, tenantId: 'demo-lender', consumer: sampleRequest, device: null }

  test.each(['Allow', 'Block', 'Example'])('decides about a person called %s', async (lastName) => {
    const consumer = { ...sampleRequest, lastName }
    const decision = { Allow: 'allow', Block: 'block', Example: 'challenge' }[lastName]
    await expect(risk().assess({ ...question, consumer }, never)).resolves.toBe(decision)
  })

  test.each<[string, Fault[], Unavailability]>([
    ['errors', twice({ kind: 'status', status: 500 }), 'error-status'],
    ['a page', [{ kind: 'garbage' }], 'garbage'],
    ['an unknown decision', [altered('decision', 'approve')], 'garbage'],
    ['a decision in capitals', [altered('decision', 'ALLOW')], 'garbage'],
    ['a decision about another report', [altered('reference', 'report-2')], 'wrong-person'],
    ['a refusal', [{ kind: 'status', status: 403 }], 'rejected'],
  ])('has not decided after %s', async (_what, faults, reason) => {
    gateway.plan('risk', ...faults)
    expect(await reasonOf(risk().assess(question, never))).toBe(reason)
  })

  test('is asked again after a cut connection', async () => {
    gateway.plan('risk', { kind: 'reset' })
    await expect(risk().assess(question, never)).resolves.toBe('challenge')
  })

  test('that hangs has not decided', async () => {
    gateway.always('risk', { kind: 'hang' })
    expect(await reasonOf(risk(BRIEF_MS).assess(question, never))).toBe('time-out')
  })
})

describe('a gateway with idempotency keys', () => {
  test('takes a text with its validity and where to report', async () => {
    await expect(sms().send(text, never)).resolves.toBe('accepted')
    expect(gateway.texts).toMatchObject([{ ...expected(), from: 'Harbour', receiptUrl }])
  })

  test('takes a text once, although its first answer was lost', async () => {
    gateway.plan('sms', { kind: 'lost' })
    await expect(sms().send(text, never)).resolves.toBe('accepted')
    await expect(sms().send(text, never)).resolves.toBe('accepted')
    expect(gateway.texts).toHaveLength(1)
    expect(gateway.calls('sms')).toBe(3)
  })

  test('may say at once that it was delivered, or never will be', async () => {
    gateway.plan('sms', altered('status', 'delivered'), altered('status', 'failed'))
    await expect(sms().send(text, never)).resolves.toBe('delivered')
    await expect(sms().send(text, never)).resolves.toBe('refused')
  })

  test('refuses a number it cannot reach', async () => {
    await expect(sms().send({ ...text, to: '+447700900000' }, never)).resolves.toBe('refused')
  })

  test.each<[string, Fault[], Unavailability]>([
    ['errors', twice({ kind: 'status', status: 503 }), 'error-status'],
    ['answers something in between lost', twice({ kind: 'status', status: 502 }), 'disconnected'],
    ['answers lost twice', twice({ kind: 'lost' }), 'disconnected'],
    ['a page', [{ kind: 'garbage' }], 'garbage'],
    ['an answer about another text', [altered('messageId', 'message-2')], 'garbage'],
  ])('can be asked again after %s, and sends one text', async (_what, faults, reason) => {
    gateway.plan('sms', ...faults)
    expect(await reasonOf(sms().send(text, never))).toBe(reason)
    await expect(sms().send(text, never)).resolves.toBe('accepted')
    expect(gateway.texts).toHaveLength(1)
  })

  test.each<[number, 'refused' | 'rejected']>([
    [400, 'refused'],
    [401, 'rejected'],
    [403, 'rejected'],
    [404, 'refused'],
    [409, 'rejected'],
    [410, 'refused'],
    [422, 'refused'],
  ])('that answers %i: the text is %s', async (status, outcome) => {
    gateway.plan('sms', { kind: 'status', status })
    const sent = sms().send(text, never)
    if (outcome === 'refused') expect(await sent).toBe('refused')
    else expect(await reasonOf(sent)).toBe('rejected')
  })

  test('with wrong credentials refuses no number', async () => {
    expect(await reasonOf(sms(undefined, 'wrong').send(text, never))).toBe('rejected')
  })
})

function expected() {
  const { messageId, to, body, validSeconds } = text
  return { messageId, to, body, validSeconds }
}

function altered(field: string, value: unknown): Fault {
  return { kind: 'altered', alter: (body) => ({ ...asObject(body), [field]: value }) }
}

function alteredAccount(fields: object): Fault {
  return { kind: 'altered', alter: (body) => changeAccounts(body, fields) }
}

function unmask(body: unknown): unknown {
  return changeAccounts(body, { accountNumber: '1234 5678' })
}

function changeAccounts(body: unknown, fields: object): unknown {
  const { accounts } = asObject(body)
  return { ...asObject(body), accounts: Array.isArray(accounts) ? accounts.map((one) => ({ ...one, ...fields })) : [] }
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined
}

function asObject(body: unknown): { [field: string]: unknown } {
  return typeof body === 'object' && body !== null ? { ...body } : {}
}
