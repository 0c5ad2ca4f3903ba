// Texts through Twilio against a gateway that misbehaves, over real sockets.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Fault } from '../../../demo/gateway/faults.ts'
import { type FaultyGateway, startFaultyGateway } from '../../../demo/gateway/gateway.ts'
import { createLog, createSilentLog, type Log } from '../../../service/log.ts'
import { reasonOf, sampleText as text } from '../../../testing/provider-call.ts'
import { readTwilioGateway } from './gateway.ts'

const secret = 'gateway-secret'
const never = new AbortController().signal
const BRIEF_MS = 150
const receiptUrl = 'http://localhost:1/v1/sms/receipts/x'

let gateway: FaultyGateway
beforeEach(async () => {
  gateway = await startFaultyGateway({ secret })
})
afterEach(() => gateway.close())

type Settings = { from?: string; log?: Log }

function twilio(timeoutMs?: number, authToken = secret, { from = 'Harbour', log = createSilentLog() }: Settings = {}) {
  const secrets: { [name: string]: string } = { TWILIO_ACCOUNT_SID: 'AC01', TWILIO_AUTH_TOKEN: authToken }
  const { createSms } = readTwilioGateway({
    url: gateway.url,
    from,
    secret: (name) => secrets[name] ?? '',
    needed: () => expect.unreachable(),
  })
  return createSms({ receiptUrl, log, ...(timeoutMs ? { timeoutMs } : {}) })
}

describe('a Twilio-compatible gateway', () => {
  test('takes a text with our id in the address of its receipts', async () => {
    await expect(twilio().send(text, never)).resolves.toBe('accepted')
    expect(gateway.texts).toMatchObject([{ ...expected(), receiptUrl: `${receiptUrl}?messageId=message-1` }])
  })

  test.each<[string, Fault[]]>([
    ['a busy moment', [{ kind: 'status', status: 429 }]],
    ['an error', [{ kind: 'status', status: 500 }]],
  ])('is asked again after %s', async (_what, faults) => {
    gateway.plan('twilio', ...faults)
    await expect(twilio().send(text, never)).resolves.toBe('accepted')
    expect(gateway.calls('twilio')).toBe(2)
  })

  test.each<Fault>([{ kind: 'lost' }, { kind: 'cut' }, { kind: 'garbage' }])(
    'is not asked again when the text may have left ($kind)',
    async (fault) => {
      gateway.plan('twilio', fault)
      await expect(twilio().send(text, never)).resolves.toBe('accepted')
      expect(gateway.texts).toHaveLength(1)
      expect(gateway.calls('twilio')).toBe(1)
    },
  )

  test.each([502, 504])('is not asked again when something in between lost its answer (%i)', async (status) => {
    gateway.plan('twilio', { kind: 'status', status })
    await expect(twilio().send(text, never)).resolves.toBe('accepted')
    expect(gateway.calls('twilio')).toBe(1)
  })

  test.each<Fault>([{ kind: 'slow', ms: 60_000 }, { kind: 'drip' }, { kind: 'hang' }])(
    'is asked once when it takes too long ($kind), because the text may have left',
    async (fault) => {
      gateway.plan('twilio', fault)
      await expect(twilio(BRIEF_MS).send(text, never)).resolves.toBe('accepted')
      expect(gateway.calls('twilio')).toBeLessThanOrEqual(1)
    },
  )

  test('a text we stopped waiting for may have left', async () => {
    gateway.plan('twilio', { kind: 'hang' })
    await expect(twilio().send(text, AbortSignal.timeout(BRIEF_MS))).resolves.toBe('accepted')
  })

  test('refuses a number it cannot reach', async () => {
    await expect(twilio().send({ ...text, to: '+447700900000' }, never)).resolves.toEqual({
      refused: 'number',
      code: '21211',
    })
  })

  test('that refuses says why in the log, where it gives a code', async () => {
    const lines: string[] = []
    const log = createLog({ to: { write: (line) => lines.push(line) } })
    gateway.plan('twilio', { kind: 'status', status: 400 })
    const refusals = [
      [text.to, { refused: 'other', code: null }],
      ['+447700900000', { refused: 'number', code: '21211' }],
    ] as const
    for (const [to, refusal] of refusals) {
      expect(await twilio(undefined, secret, { log }).send({ ...text, to }, never)).toEqual(refusal)
    }
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { event: 'gateway refused a text', messageId: 'message-1', code: 'unknown' },
      { event: 'gateway refused a text', messageId: 'message-1', code: '21211' },
    ])
  })

  test.each([
    ['a name', 'Harbour', 'From'],
    ['a messaging service', `MG${'0a'.repeat(16)}`, 'MessagingServiceSid'],
    ['what only begins like one', `MG${'0a'.repeat(15)}`, 'From'],
  ])('gets %s as the sender', async (_what, from, field) => {
    const bodies: string[] = []
    const server = createServer(async (request, response) => {
      bodies.push((await buffer(request)).toString())
      response.writeHead(201).end('{"sid":"SM1","status":"queued"}')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { createSms } = readTwilioGateway({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      from,
      secret: () => secret,
      needed: () => expect.unreachable(),
    })
    expect(await createSms({ receiptUrl, log: createSilentLog() }).send(text, never)).toBe('accepted')
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    expect(Object.fromEntries(new URLSearchParams(bodies[0]))).toEqual({
      To: text.to,
      [field]: from,
      Body: text.body,
      ValidityPeriod: '300',
      StatusCallback: `${receiptUrl}?messageId=message-1`,
    })
  })

  test.each<[string, string, 'delivered' | 'refused' | 'accepted']>([
    ['delivered', 'delivered', 'delivered'],
    ['failed', 'failed', 'refused'],
    ['undelivered', 'undelivered', 'refused'],
    ['canceled', 'canceled', 'refused'],
    ['a word of the future', 'pondering', 'accepted'],
  ])('that says %s at once', async (_what, status, outcome) => {
    gateway.plan('twilio', altered('status', status))
    await expect(twilio().send(text, never)).resolves.toBe(outcome)
  })

  test('did not take the text when it cannot be reached, or does not know that token', async () => {
    expect(await reasonOf(twilio(undefined, 'wrong').send(text, never))).toBe('rejected')
    await gateway.close()
    expect(await reasonOf(twilio().send(text, never))).toBe('unreachable')
    gateway = await startFaultyGateway({ secret })
  })
})

function expected() {
  const { messageId, to, body, validSeconds } = text
  return { messageId, to, body, validSeconds }
}

function altered(field: string, value: unknown): Fault {
  return { kind: 'altered', alter: (body) => ({ ...asObject(body), [field]: value }) }
}

function asObject(body: unknown): { [field: string]: unknown } {
  return typeof body === 'object' && body !== null ? { ...body } : {}
}
