// Three bureaus, a risk service and every SMS gateway on one loopback port, with faults on request.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { BUREAUS } from '../../contract/credit-report.ts'
import { type Answer, actsFirst, answerBadly, answerWell, type Fault } from './faults.ts'
import { answerAssessment, answerSearch, type GatewayText, parseBody } from './roles.ts'
import { receiptRequest, SMS_ROLES } from './sms-roles.ts'

const SMS_KINDS = Object.keys(SMS_ROLES) as GatewayText['kind'][]

/** Every provider it plays. */
export const PROVIDERS = [...BUREAUS, 'risk', ...SMS_KINDS.map((kind) => SMS_ROLES[kind].provider)]

/** Numbers that no gateway can reach. */
const REFUSED_NUMBER = /0000$/

type FaultyGatewayOptions = {
  /** The secret that callers must present, and that receipts are signed with. */
  secret: string
  /** Statuses reported for each text as soon as it is taken. @default none: the test reports them itself */
  reports?: readonly string[]
  clock?: () => number
}

export interface FaultyGateway {
  readonly url: string
  /** The provider's behaviour for its next calls, one each; afterwards it behaves again. */
  plan(provider: string, ...faults: Fault[]): void
  /** The provider's behaviour for every call without a plan; null behaves. */
  always(provider: string, fault: Fault | null): void
  /** The number of calls to the provider. */
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
    const expected = route.sms ? SMS_ROLES[route.sms].authorization(secret, route.account) : `Bearer ${secret}`
    if (request.headers.authorization !== expected) return answerWell(response, { status: 401, body: {} })
    const fault = plans.get(route.provider)?.shift() ?? habits.get(route.provider) ?? null
    const answer = actsFirst(fault) ? act(route, body, request) : { status: 500, body: {} }
    if (fault === null) answerWell(response, answer)
    else answerBadly(response, answer, fault)
  }

  function act({ provider, sms }: Route, body: Buffer, request: IncomingMessage): Answer {
    if (sms) return takeText(sms, body, request.headers['idempotency-key'])
    return provider === 'risk' ? answerAssessment(parseBody(body)) : answerSearch(provider, parseBody(body))
  }

  function takeText(kind: GatewayText['kind'], body: Buffer, idempotencyKey?: string | string[]): Answer {
    const { readText, taken } = SMS_ROLES[kind]
    const read = readText(body)
    if (read === null || REFUSED_NUMBER.test(read.to)) return { status: 400, body: { code: 21_211 } }
    const known = idempotencyKey && texts.find(({ messageId }) => messageId === idempotencyKey)
    const text = known || { kind, gatewayId: gatewayIdOf(texts.length), ...read }
    if (!known) {
      texts.push(text)
      for (const status of reports) report(text, status).catch(() => {})
    }
    const { gatewayId, messageId } = text
    return { status: 201, body: { sid: gatewayId, messageId, status: taken } }
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

type Route = { provider: string; sms?: GatewayText['kind']; account: string }

function routeOf(url: string): Route | null {
  const { pathname } = new URL(url, 'http://gateway')
  const [, bureau] = /^\/bureaus\/([a-z0-9-]+)\/searches$/.exec(pathname) ?? []
  if (bureau) return { provider: bureau, account: '' }
  if (pathname === '/assessments') return { provider: 'risk', account: '' }
  for (const sms of SMS_KINDS) {
    const { provider, path } = SMS_ROLES[sms]
    const called = path.exec(pathname)
    if (called) return { provider, sms, account: called[1] ?? '' }
  }
  return null
}

function gatewayIdOf(serial: number): string {
  return `SM${serial.toString(16).padStart(32, '0')}`
}
