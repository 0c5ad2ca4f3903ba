// Three bureaus, a risk service and two SMS gateways on one loopback port. They behave until they are told not to.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { BUREAUS } from '../../contract/credit-report.ts'
import { type Answer, actsFirst, answerBadly, answerWell, type Fault } from './faults.ts'
import { receiptRequest } from './receipts.ts'
import { answerAssessment, answerSearch, type GatewayText, readMessage, readTwilioMessage } from './roles.ts'

/** Everybody it plays. */
export const PROVIDERS = [...BUREAUS, 'risk', 'sms', 'twilio'] as const

type FaultyGatewayOptions = {
  /** What callers must present, and what receipts are signed with. */
  secret: string
  /** Statuses reported for each text as soon as it is taken. @default none: the test reports them itself */
  reports?: readonly string[]
  clock?: () => number
}

export interface FaultyGateway {
  readonly url: string
  /** What the provider does with its next calls, one each; afterwards it behaves again. */
  plan(provider: string, ...faults: Fault[]): void
  /** What the provider does with every call no plan covers; null behaves. */
  always(provider: string, fault: Fault | null): void
  /** How often the provider was called. */
  calls(provider: string): number
  /** Every text taken, each once however often it was asked for under one id. */
  readonly texts: readonly GatewayText[]
  /** Reports what became of a text, properly signed; resolves to the service's status. */
  report(text: GatewayText, status: string): Promise<number>
  close(): Promise<void>
}

/** `provider` is one of `PROVIDERS`, or any other bureau's name. */
export async function startFaultyGateway({
  secret,
  reports = [],
  clock = Date.now,
}: FaultyGatewayOptions): Promise<FaultyGateway> {
  const plans = new Map<string, Fault[]>()
  const habits = new Map<string, Fault | null>()
  const called = new Map<string, number>()
  const texts: GatewayText[] = []

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    const route = routeOf(request.url ?? '')
    if (route === null || request.method !== 'POST') return answerWell(response, { status: 404, body: {} })
    called.set(route.provider, (called.get(route.provider) ?? 0) + 1)
    if (!mayCall(request, route)) return answerWell(response, { status: 401, body: {} })
    const fault = plans.get(route.provider)?.shift() ?? habits.get(route.provider) ?? null
    const answer = actsFirst(fault) ? act(route, body, request) : { status: 500, body: {} }
    if (fault === null) answerWell(response, answer)
    else answerBadly(response, answer, fault)
  }

  function mayCall({ headers }: IncomingMessage, { provider, account }: Route): boolean {
    const basic = `Basic ${Buffer.from(`${account}:${secret}`).toString('base64')}`
    return headers.authorization === (provider === 'twilio' ? basic : `Bearer ${secret}`)
  }

  function act({ provider }: Route, body: Buffer, request: IncomingMessage): Answer {
    switch (provider) {
      case 'risk':
        return answerAssessment(parse(body))
      case 'sms':
        return takeText(readMessage(parse(body), gatewayIdOf(texts.length)), request.headers['idempotency-key'])
      case 'twilio':
        return takeText(readTwilioMessage(new URLSearchParams(body.toString()), gatewayIdOf(texts.length)))
      default:
        return answerSearch(provider, parse(body))
    }
  }

  function takeText(text: GatewayText | null, idempotencyKey?: string | string[]): Answer {
    if (text === null) return { status: 400, body: { code: 21_211 } }
    const known = idempotencyKey && texts.find(({ messageId }) => messageId === idempotencyKey)
    if (!known) {
      texts.push(text)
      for (const status of reports) report(text, status).catch(() => {})
    }
    const { gatewayId, messageId } = known || text
    return {
      status: 201,
      body: { sid: gatewayId, messageId, status: text.provider === 'twilio' ? 'queued' : 'accepted' },
    }
  }

  async function report(text: GatewayText, status: string): Promise<number> {
    const response = await fetch(receiptRequest(text, status, { secret, nowMs: clock() }))
    await response.body?.cancel()
    return response.status
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the gateway has no port')

  return {
    url: `http://127.0.0.1:${address.port}`,
    plan: (provider, ...faults) => plans.set(provider, faults),
    always: (provider, fault) => habits.set(provider, fault),
    calls: (provider) => called.get(provider) ?? 0,
    texts,
    report,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Route = { provider: string; account: string }

function routeOf(url: string): Route | null {
  const { pathname } = new URL(url, 'http://gateway')
  const [, bureau] = /^\/bureaus\/([a-z0-9-]+)\/searches$/.exec(pathname) ?? []
  if (bureau) return { provider: bureau, account: '' }
  const [, account] = /^\/2010-04-01\/Accounts\/(\w+)\/Messages\.json$/.exec(pathname) ?? []
  if (account) return { provider: 'twilio', account }
  if (pathname === '/assessments') return { provider: 'risk', account: '' }
  return pathname === '/messages' ? { provider: 'sms', account: '' } : null
}

function gatewayIdOf(serial: number): string {
  return `SM${serial.toString(16).padStart(32, '0')}`
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return null
  }
}
