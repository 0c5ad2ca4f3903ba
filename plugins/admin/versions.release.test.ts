// This release and the one before share a database, as in a rolling deploy: what one began, the other finishes, both
// ways and on both engines.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CreditReport } from '../../contract/credit-report.ts'
import { type FaultyGateway, startFaultyGateway } from '../../demo/gateway/gateway.ts'
import { codeIn, GATEWAY_SECRET } from '../../testing/live-app.ts'
import { SAM } from '../../testing/portal-service.ts'
import { buildPrevious } from '../../testing/previous-version.ts'
import { repeated } from '../../testing/repeated.ts'
import { createTestBrowser } from '../../testing/service-browser.ts'
import { liveRequest, TEST_SECRET_KEY, testRequest } from '../../testing/test-app.ts'
import { startThrowawayPostgres, type ThrowawayPostgres } from '../../testing/throwaway-postgres.ts'
import { runVersionAdmin, startVersion, type VersionProcess } from '../../testing/version-process.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../testing/webhook-receiver.ts'

const ORIGIN = 'https://service.example'
const REPORTS = '/demo-lender/v1/credit-reports'
const root = process.cwd()
const folder = mkdtempSync(join(tmpdir(), 'versions-'))
let previous = ''
let postgres: ThrowawayPostgres
let gateway: FaultyGateway
beforeAll(async () => {
  const build = `import('./scripts/build.mjs').then(({ buildIfStale }) => buildIfStale())`
  execFileSync(process.execPath, ['-e', build], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  previous = buildPrevious()
  postgres = await startThrowawayPostgres()
  gateway = await startFaultyGateway({ secret: GATEWAY_SECRET })
}, 600_000)
afterAll(async () => {
  await gateway?.close()
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const engines = ['SQLite', 'PostgreSQL'] as const
const ways = ['the previous version to this one', 'this version to the previous one'] as const
const crossings = engines.flatMap((engine) => ways.map((way) => [engine, way] as const))

describe.each(crossings)('on %s, from %s', (engine, way) => {
  let environment: { [name: string]: string }
  let first: VersionProcess
  let second: VersionProcess
  let receiver: WebhookReceiver
  const folderOf = (isFirst: boolean) => (isFirst === (way === ways[0]) ? previous : root)
  const isShared = engine === 'PostgreSQL'

  beforeAll(async () => {
    const http = (name: string) => ({ [`${name}_URL`]: gateway.url, [`${name}_TOKEN`]: GATEWAY_SECRET })
    environment = {
      DATA_DIR: mkdtempSync(join(folder, 'data-')),
      ...(isShared ? { DATABASE_URL: await postgres.createDatabase() } : {}),
      SECRET_KEY: TEST_SECRET_KEY,
      PUBLIC_URL: ORIGIN,
      RATE_LIMIT_PER_MINUTE: '100000',
      ...http('RISK'),
      ...http('BUREAU'),
      ...http('SMS'),
      SMS_PROVIDER: 'http',
      SMS_FROM: 'Harbour',
      SMS_RECEIPT_SECRET: GATEWAY_SECRET,
    }
    receiver = await startWebhookReceiver()
    receiver.state.misbehave = (_request, response) => response.writeHead(503).end()
    first = await startVersion(folderOf(true), environment)
    const added = runVersionAdmin(folderOf(true), environment, ['webhook', 'add', 'demo-lender', receiver.url])
    receiver.state.secret = /whsec_\S+/.exec(added)?.[0] ?? ''
  })
  afterAll(async () => {
    for (const provider of ['risk', 'sms', 'equifax', 'experian', 'transunion']) gateway.always(provider, null)
    await Promise.all([first?.kill(), second?.kill(), receiver?.close()])
  })

  test('every open state is finished, nothing is charged twice and the books balance', async () => {
    const token = await tokenOf(first)
    const call = callerOf(token)

    const challenged = await challenge(first)
    const resent = await challenge(first)
    const inTestMode = (await call(first, REPORTS, testRequest('challenge'))).body.data

    gateway.always('sms', { kind: 'status', status: 503 })
    const untexted = await call(first, REPORTS, await stranger(first))
    gateway.always('sms', null)

    const verified = await challenge(first)
    setBureaus({ kind: 'status', status: 503 })
    expect((await submit(first, verified)).status).toBe(503)
    setBureaus(null)

    const browser = createTestBrowser((request) => now().ask(request), ORIGIN)
    const staying = createTestBrowser((request) => now().ask(request), ORIGIN)
    let now = () => first
    await staying.signIn(...SAM)
    const loginPage = await browser.visit('/v1/oauth/login?returnTo=/v1/my/profile')

    const asking = await challenge(first)
    const heldRequest = await stranger(first, 'Allow')
    // Its webhook is refused once and waits.
    const kept = await call(first, REPORTS, await stranger(first, 'Allow'), { 'Idempotency-Key': 'kept' })
    expect(kept.body.data.status).toBe('complete')
    await until(() => receiver.state.calls > 0 || null)
    receiver.state.misbehave = null
    if (!isShared) await dieAtWork()
    second = await startVersion(folderOf(false), environment)
    now = () => second

    const replayed = await call(second, REPORTS, kept.request, { 'Idempotency-Key': 'kept' })
    expect(replayed.body).toEqual(repeated(kept.body))
    expect((await submit(second, { ...challenged, code: wrong(challenged.code) })).body.data.attemptsRemaining).toBe(2)
    await completes(challenged)
    const before = gateway.texts.length
    expect((await call(second, `${pathOf(resent)}/resend-sms`, resent.challenge)).body.data.smsSentCount).toBe(2)
    await completes({ ...resent, code: codeIn(await until(() => gateway.texts[before])) })
    await completes({ ...inTestMode, code: '123456' })
    await completes(verified)
    await completes({ ...untexted.body.data, code: codeIn(await textTo(untexted.request)) })

    expect((await staying.visit('/v1/my/profile')).response.status).toBe(200)
    const signedIn = await browser.visit(loginPage.url.pathname, { form: { email: SAM[0], password: SAM[1] } })
    expect([signedIn.response.status, signedIn.url.pathname]).toEqual([200, '/v1/my/profile'])

    if (isShared) await dieAtWork()
    const held = await until(async () => {
      const answer = await call(second, REPORTS, heldRequest, { 'Idempotency-Key': 'held' })
      return answer.status === 200 ? answer : null
    })
    expect(held.body.data.status).toBe('complete')
    await until(async () => ((await submit(second, asking)).status === 200 ? true : null))
    await completes(asking)

    const ids = [kept.body.data, challenged, resent, verified, untexted.body.data, asking].map(
      (each) => each.creditReportId,
    )
    await until(() => {
      const delivered = receiver.received.map(({ data }) => data.creditReportId)
      return ids.every((id) => delivered.includes(id)) || null
    })
    await second.kill()
    expect(runVersionAdmin(root, environment, ['verify'])).not.toContain('BROKEN')

    /** Kills the first process while it asks risk for one report, and the bureaus for another whose code was right. */
    async function dieAtWork(): Promise<void> {
      const providers = ['risk', 'equifax'] as const
      const before = providers.map((provider) => gateway.calls(provider))
      for (const provider of providers) gateway.always(provider, { kind: 'hang' })
      const lost = Promise.allSettled([
        call(first, REPORTS, heldRequest, { 'Idempotency-Key': 'held' }),
        submit(first, asking),
      ])
      await until(() => providers.every((provider, index) => gateway.calls(provider) > Number(before[index])) || null)
      await first.kill()
      await lost
      for (const provider of providers) gateway.always(provider, null)
    }

    /** The code is right there too, the report is a report, it was paid for once, and both versions read it alike. */
    async function completes(challenge: Challenged): Promise<void> {
      const { status, body } = await submit(second, challenge)
      expect({ status, data: body.data }).toMatchObject({ status: 200, data: { status: 'complete' } })
      const { creditReport } = body.data
      expect(CreditReport.safeParse(creditReport).error).toBeUndefined()
      const path = `/demo-lender/v1/wallet/lines?creditReportId=${challenge.creditReportId}`
      const { lines }: { lines: { kind: string; purpose: string }[] } = (await call(second, path)).body.data
      const captures = lines.filter(({ kind, purpose }) => kind === 'capture' && purpose === 'report')
      expect(captures).toHaveLength(challenge.creditReportId === inTestMode.creditReportId ? 0 : 1)
      if (!isShared || first.isOver()) return
      expect((await call(first, pathOf(challenge))).body.data.creditReport).toEqual(creditReport)
    }

    async function challenge(version: VersionProcess): Promise<Challenged> {
      const { request, body } = await call(version, REPORTS, await stranger(version))
      return { ...body.data, code: codeIn(await textTo(request)) }
    }

    function submit(version: VersionProcess, { code, ...started }: Challenged) {
      return call(version, `${pathOf(started)}/otp-challenge`, { ...started.challenge, code })
    }
  })
})

type Challenged = { creditReportId: string; challenge: { challengeId: string }; code: string }
const pathOf = ({ creditReportId }: { creditReportId: string }) => `${REPORTS}/${creditReportId}`
const wrong = (code: string) => (code === '000000' ? '000001' : '000000')

function setBureaus(fault: Parameters<FaultyGateway['always']>[1]): void {
  for (const bureau of ['equifax', 'experian', 'transunion']) gateway.always(bureau, fault)
}

let consumers = 0

/** A person whom no limit has seen before, on a device the version has seen. */
async function stranger(version: VersionProcess, lastName = 'Example') {
  consumers += 1
  const headers = { 'Content-Type': 'text/plain' }
  const url = `${ORIGIN}/v1/fingerprints/device/sessions`
  const minted = await version.ask(new Request(url, { method: 'POST', headers, body: 'cores=4' }))
  return {
    ...liveRequest(lastName),
    sessionId: await minted.text(),
    dateOfBirth: new Date(Date.UTC(1950, 0, consumers)).toISOString().slice(0, 10),
    mobileNumber: `+4477${String(consumers).padStart(4, '0')}0123`,
    ipAddress: `198.51.100.${consumers}`,
  }
}

async function tokenOf(version: VersionProcess): Promise<string> {
  const body = 'grant_type=client_credentials&client_id=demo-lender&client_secret=demo-secret'
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const answer = await version.ask(new Request(`${ORIGIN}/v1/oauth/token`, { method: 'POST', headers, body }))
  return (await answer.json()).access_token
}

/** Calls either version with one token. */
function callerOf(token: string) {
  return async <R>(version: VersionProcess, path: string, request?: R, headers: { [name: string]: string } = {}) => {
    const post = request === undefined ? {} : { method: 'POST', body: JSON.stringify(request) }
    const own = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}`, ...headers }
    const answer = await version.ask(new Request(`${ORIGIN}${path}`, { ...post, headers: own }))
    return { request: request as R, status: answer.status, body: await answer.json() }
  }
}

function textTo({ mobileNumber }: { mobileNumber?: string | null | undefined }) {
  return until(() => gateway.texts.find(({ to }) => to === mobileNumber))
}

/** Polls; the test's own time limit ends it. */
async function until<T>(look: () => Promise<T | null | undefined> | T | null | undefined): Promise<T> {
  for (;;) {
    const found = await look()
    if (found !== null && found !== undefined) return found
    await setTimeout(100)
  }
}
