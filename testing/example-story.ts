// Test support: a story that calls every operation with an example in the OpenAPI document and provokes every refusal.
// Each answer is kept under the method, path and status of its operation.

import { calendarDateOf } from '../contract/calendar-date.ts'
import { BUREAUS } from '../contract/credit-report.ts'
import { sampleAddress, sampleRequest } from '../contract/samples.ts'
import { FORM_STEPS } from '../contract/stats.ts'
import { DAY_MS, MINUTE_MS } from '../kit/clock.ts'
import { ProviderUnavailable } from '../service/providers/providers.ts'
import { ORIGIN, SAM, startTestService } from './portal-service.ts'
import { createTestApp, liveRequest } from './test-app.ts'
import { startWebhookReceiver } from './webhook-receiver.ts'

export type Story = Awaited<ReturnType<typeof playStory>>

const HOME = '/demo-lender/v1'
const REPORTS = `${HOME}/credit-reports`
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const { test: _test, challengeOptions: _options, ...sample } = sampleRequest
// Has accounts that several agencies know.
const consumer = { ...sample, bureaus: [...BUREAUS], email: 'sam@example.com' }
const { lastName, dateOfBirth } = consumer
const { ukAddress } = sampleAddress
const person = { lastName, dateOfBirth, postcodes: ['SW1A 1AA'] }

type Headers = { [name: string]: string }
// biome-ignore lint/suspicious/noExplicitAny: an answer is what the story is about to find out.
type Answer = any

/** `paths`: those of the document, as `/{tenantId}/v1/wallet`. */
export async function playStory(paths: readonly string[]) {
  const service = await startTestService({ SEARCHES_PER_PERSON_PER_DAY: '100' })
  const receiver = await startWebhookReceiver()
  let checks = 0
  const answers = new Map<string, Answer[]>()
  const refusals: Answer[] = []
  // A path with fewer variables comes first: `resend-failed` is no delivery's id.
  const variables = (path: string) => path.split('{').length
  const ranked = paths.toSorted((one, other) => variables(one) - variables(other))
  const patterns = ranked.map((path) => [path, new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)] as const)
  const pathOf = (url: string) => patterns.find(([, pattern]) => pattern.test(new URL(url).pathname))?.[0]

  async function ask(route: string, body: unknown, headers: Headers): Promise<Answer> {
    const [method = '', path = ''] = route.split(' ')
    const given = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    const request = new Request(`${ORIGIN}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...given,
    })
    const response = await service.fetch(request, { incoming: { socket: { remoteAddress: '203.0.113.7' } } })
    const text = await response.text()
    if (!response.headers.get('Content-Type')?.startsWith('application/json')) return text
    const answer = JSON.parse(text)
    // Real agencies leave it out.
    for (const { creditReport } of [answer.data ?? {}, ...(answer.data?.creditReports ?? [])])
      delete creditReport?.simulated
    if (response.status >= 400) refusals.push(answer)
    const key = `${method.toLowerCase()} ${pathOf(request.url)} ${response.status}`
    answers.set(key, [...(answers.get(key) ?? []), answer])
    return answer.data ?? answer
  }

  const browser = service.browser()
  await browser.signIn(...SAM, '/console')
  const anyone = (route: string, body?: unknown, headers: Headers = {}) => ask(route, body, headers)
  const shop = async (route: string, body?: unknown, headers: Headers = {}) => {
    const token = await service.tokenOf('demo-lender', 'demo-secret')
    return ask(route, body, { Authorization: `Bearer ${token}`, ...headers })
  }
  const sam = (route: string, body?: unknown) => ask(route, body, { Cookie: browser.cookies(), Origin: ORIGIN })

  await playChecks()
  await playMoney()
  await playPeople()
  await playPrograms()
  await playLinks()
  await playRefusals()
  return {
    answersTo: (key: string): readonly unknown[] => answers.get(key) ?? [],
    refusals: refusals as readonly unknown[],
    async stop() {
      await receiver.close()
      await service.stop()
    },
  }

  /** Each to another phone on another network, as limits of texts ask. */
  async function generate(surname = lastName): Promise<Answer> {
    checks += 1
    const own = { mobileNumber: `+4477009001${checks + 10}`, ipAddress: `203.0.${checks}.7` }
    const sessionId = await anyone('POST /v1/fingerprints/device/sessions', 'cores=4', { 'Content-Type': 'text/plain' })
    return shop(`POST ${REPORTS}`, { ...consumer, ...own, lastName: surname, sessionId })
  }

  async function codeOf({ creditReportId }: Answer): Promise<string> {
    const texts: { body: string; creditReportId: string }[] = await anyone('GET /demo/sms')
    return /\d{6}/.exec(texts.find((text) => text.creditReportId === creditReportId)?.body ?? '')?.[0] ?? ''
  }

  function submit({ creditReportId, challenge }: Answer, code: string): Promise<Answer> {
    return shop(`POST ${REPORTS}/${creditReportId}/otp-challenge`, { ...challenge, code })
  }

  async function playChecks(): Promise<void> {
    receiver.state.secret = (await shop(`POST ${HOME}/webhooks`, { url: receiver.url })).signingSecret
    await generate('Allow')
    const blocked = await generate('Block')
    const failed = await generate()
    const wrong = (await codeOf(failed)) === '000000' ? '000001' : '000000'
    for (let attempts = 0; attempts < 3; attempts += 1) await submit(failed, wrong)
    const expired = await generate()
    service.time.nowMs += 5 * MINUTE_MS + 1
    const complete = await generate()
    await submit(complete, await codeOf(complete))
    const open = await generate()
    await shop(`POST ${REPORTS}/${open.creditReportId}/resend-sms`, open.challenge)
    const pending = await generate('Block')
    // As it stands while risk is asked.
    await service.database.run(
      `UPDATE credit_report SET status = 'pending', ending = NULL, ended_at_ms = NULL, lease_until_ms = ? WHERE id = ?`,
      service.time.nowMs + MINUTE_MS,
      pending.creditReportId,
    )
    for (const { creditReportId } of [complete, open, pending, blocked, failed, expired]) {
      await shop(`GET ${REPORTS}/${creditReportId}`)
      await shop(`GET ${REPORTS}/${creditReportId}/timeline`)
    }
    await shop(`POST ${REPORTS}/${complete.creditReportId}/open`, { dateOfBirth })
    await shop(`GET ${REPORTS}?limit=3`)
    await shop(`GET ${REPORTS}?status=complete&limit=1`)
    await shop(`POST ${HOME}/people/export`, person)
    await shop(`POST ${HOME}/people/export`, { ...person, lastName: 'Block' })
    const steps = FORM_STEPS.map((step) => ({ step, count: 2, seconds: 3 }))
    await shop(`POST ${HOME}/steps`, { test: false, steps })
    service.stats.count({ tenantId: 'demo-lender', test: false }, 'text-refused-sender')
    service.stats.count({ tenantId: 'demo-lender', test: false }, 'turned-away-funds')
    await service.stats.flush()
    const [from, to] = [service.time.nowMs - DAY_MS, service.time.nowMs].map(calendarDateOf)
    await shop(`GET ${HOME}/stats?from=${from}&to=${to}`)
  }

  async function playMoney(): Promise<void> {
    await generate()
    await shop(`GET ${HOME}/wallet`)
    await shop(`GET ${HOME}/wallet/lines?limit=20`)
    await shop(`GET ${HOME}/wallet/statement?month=${new Date(service.time.nowMs).toISOString().slice(0, 7)}&limit=3`)
    await shop(`GET ${HOME}/wallet/holds?limit=1`)
    const caps = { report: { hour: 100_000, day: null }, text: { hour: null, day: null } }
    await sam(`PATCH ${HOME}/wallet/caps`, caps)
    await sam(`PATCH ${HOME}/wallet/caps`, { ...caps, report: { hour: 200_000, day: null } })
    await generate('Allow')
    await shop(`GET ${HOME}/wallet/caps`)
    await sam(`PUT ${HOME}/wallet/low-balance`, { thresholdCredits: 50_000 })
    await shop(`GET ${HOME}/wallet/low-balance`)
  }

  async function playPeople(): Promise<void> {
    await sam('GET /v1/my/profile')
    await sam('GET /v1/my/tenants')
    await sam('POST /v1/my/tenants/select', { tenantId: 'demo-lender' })
    // The second round checks what the first has linked.
    for (let rounds = 0; rounds < 3; rounds += 1) await service.sweeper.sweep()
    await shop(`GET ${HOME}/audit?limit=10`)
    await shop(`GET ${HOME}/audit/heads?limit=20`)
  }

  async function playLinks(): Promise<void> {
    const returnUrl = 'https://shop.example/checks'
    const page = {
      name: 'Larkfield Cars',
      accentColour: '#0b5cad',
      privacyUrl: `${returnUrl}/privacy`,
      returnUrls: [returnUrl],
    }
    await shop(`PUT ${HOME}/hosted-page`, page)
    await shop(`PUT ${HOME}/hosted-page/logo`, '', { 'Content-Type': 'image/png' })
    await shop(`GET ${HOME}/hosted-page`)
    await shop(`POST ${HOME}/links`, {})
    // The list shows the newest.
    service.time.nowMs += 1
    const { linkId } = await shop(`POST ${HOME}/links`, { externalReference: 'application-1042', returnUrl })
    // As the page of the link asks for it.
    const sessionId = await anyone('POST /v1/fingerprints/device/sessions', 'cores=4', { 'Content-Type': 'text/plain' })
    await shop(`POST ${REPORTS}`, { ...consumer, lastName: 'Allow', sessionId }, { 'X-Request-Id': linkId })
    await service.database.run('UPDATE hosted_link SET opened_at_ms = created_at_ms WHERE id = ?', linkId)
    await shop(`GET ${HOME}/links/${linkId}`)
    await shop(`GET ${HOME}/links?limit=1`)
    await shop(`DELETE ${HOME}/links/${linkId}`)
  }

  async function playPrograms(): Promise<void> {
    const made = await sam(`POST ${HOME}/clients`, { name: 'Webshop', scopes: ['credit-reports', 'wallet'] })
    const own = `grant_type=client_credentials&client_id=${made.clientId}&client_secret=${made.clientSecret}`
    await anyone('POST /v1/oauth/token', own, FORM)
    await anyone('POST /v1/oauth/token', `${own}&scope=audit`, FORM)
    await sam(`POST ${HOME}/clients/${made.clientId}/secrets`, {})
    await sam(`GET ${HOME}/clients`)
    await sam(`GET ${HOME}/clients/${made.clientId}`)
    const { webhooks } = await shop(`GET ${HOME}/webhooks`)
    const [{ id }] = webhooks
    await shop(`GET ${HOME}/webhooks/${id}`)
    receiver.state.misbehave = (_request, response) => response.writeHead(500).end()
    // A round ends with the first events that fail.
    while ((await service.webhooks.sendDue()) > 0);
    receiver.state.misbehave = null
    await shop(`POST ${HOME}/webhooks/${id}/test`)
    await shop(`GET ${HOME}/webhook-deliveries?limit=none`)
    await shop(`GET ${HOME}/refusals`)
    await shop(`POST ${HOME}/webhooks/${id}/secret`)
    const { deliveries } = await shop(
      `GET ${HOME}/webhook-deliveries?limit=1&status=queued&type=credit-report.completed`,
    )
    await shop(`GET ${HOME}/webhook-deliveries/${deliveries[0].id}`)
    await shop(`POST ${HOME}/webhook-deliveries/${deliveries[0].id}/resend`)
    await shop(`POST ${HOME}/webhook-deliveries/resend-failed`)
    await anyone('GET /.well-known/jwks.json')
    await anyone('GET /.well-known/oauth-authorization-server')
    await anyone('GET /healthz')
    await anyone('GET /readyz')
    await anyone('POST /v1/oauth/token', own.replace('client_credentials', 'password'), FORM)
    await anyone('POST /v1/oauth/token', 'grant_type=a&grant_type=b', FORM)
    for (let guesses = 0; guesses < 11; guesses += 1) await anyone('POST /v1/oauth/token', `${own}x`, FORM)
  }

  async function playRefusals(): Promise<void> {
    const open = await generate()
    const { creditReportId } = open
    await anyone(`GET ${HOME}/wallet`)
    await anyone('GET /nothing')
    await shop('GET /other-lender/v1/wallet')
    await shop(`DELETE ${HOME}/wallet`)
    await shop(`GET ${REPORTS}/${creditReportId.replace(/.$/, 'z')}`)
    await submit({ creditReportId, challenge: { challengeId: 'none' } }, '000000')
    await shop(`POST ${REPORTS}`, {
      ...consumer,
      addresses: [{ ...sampleAddress, ukAddress: { ...ukAddress, postcode: 'x' } }],
    })
    await shop(`POST ${REPORTS}`, { ...consumer, firstName: undefined })
    await shop(`POST ${REPORTS}`, 'x'.repeat(65_537))
    await shop(`POST ${REPORTS}`, 'x', { 'Content-Type': 'text/plain' })
    await sam(`PATCH ${HOME}/wallet/caps`, { report: { hour: null, day: 0 }, text: { hour: null, day: null } })
    await generate()
    await sam(`PATCH ${HOME}/wallet/caps`, { report: { hour: null, day: null }, text: { hour: null, day: null } })
    await shop(`DELETE ${REPORTS}/${creditReportId}`)
    const late = await generate()
    service.time.nowMs += 20 * MINUTE_MS
    await submit(late, await codeOf(late))
    await browser.ask('/v1/oauth/refresh', { method: 'POST', headers: { Origin: ORIGIN } })
    await sam(`PATCH ${HOME}/wallet/caps`, { report: { hour: null, day: 0 }, text: { hour: null, day: null } })
    const broken = await generate('Allow')
    await service.database.run(
      'UPDATE sealed_report SET content = wrapped_key WHERE report_id = ?',
      broken.creditReportId,
    )
    await shop(`GET ${REPORTS}/${broken.creditReportId}`)
    await shop(`POST ${HOME}/people/erase`, person)
    await refuseElsewhere()
  }

  /** The part that needs a service with other settings or providers. */
  async function refuseElsewhere(): Promise<void> {
    const failing = { assess: () => Promise.reject(new ProviderUnavailable('risk', 'time-out')) }
    const silent = { assess: () => new Promise<never>(() => {}) }
    const limited = await createTestApp({ environment: { RATE_LIMIT_PER_MINUTE: '1' }, providers: { risk: failing } })
    const key = { 'Idempotency-Key': 'twice' }
    const slow = await createTestApp({ providers: { risk: silent } })
    void slow.generate(liveRequest(), key).catch(() => {})
    refusals.push(
      (await limited.generate(liveRequest())).body,
      (await limited.call('/demo-lender/v1/wallet')).body,
      (await slow.generate(liveRequest(), key)).body,
      (await slow.generate(liveRequest('Allow'), { token: 'empty-lender' })).body,
    )
    await Promise.all([limited.close(), slow.close()])
  }
}
