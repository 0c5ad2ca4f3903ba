// The requests that leave a line in the audit trail, and those that do not, on both engines.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sampleRequest } from '../../contract/samples.ts'
import { createSilentLog } from '../../service/log.ts'
import type { Database } from '../../service/store/database.ts'
import { runTestAdmin } from '../../testing/admin.ts'
import { environmentOf, onEachEngine } from '../../testing/engines.ts'
import { ORIGIN, SAM, startTestService, type TestService } from '../../testing/portal-service.ts'
import { hashQuickly } from '../../testing/quick-passwords.ts'
import { liveRequest } from '../../testing/test-app.ts'
import type { AuditKeptHeadRow, AuditRow } from './tables.ts'

hashQuickly()

const REPORTS = '/demo-lender/v1/credit-reports'
const PERSON = { actor_kind: 'person', actor_name: 'Sam Lee', actor_email: SAM[0] }

onEachEngine('audited requests', (place) => {
  let service: TestService
  let token: string
  let before = 0
  const logged: { name: string; fields: unknown }[] = []

  beforeAll(async () => {
    const log = { ...createSilentLog(), info: (name: string, fields: unknown) => void logged.push({ name, fields }) }
    service = await startTestService(environmentOf(await place()), {}, log)
    token = await service.tokenOf('demo-lender', 'demo-secret')
  })
  afterAll(() => service.stop())
  beforeEach(async () => {
    before =
      (await service.database.first<{ last: number }>('SELECT COALESCE(MAX(sequence), 0) AS last FROM audit_event'))
        ?.last ?? 0
  })

  /** The lines written during this test. */
  const lines = () =>
    service.database.all<AuditRow>('SELECT * FROM audit_event WHERE sequence > ? ORDER BY sequence', before)

  async function call(path: string, body?: unknown, headers: { [name: string]: string } = {}) {
    const response = await service.fetch(
      new Request(ORIGIN + path, {
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
        headers: { 'Content-Type': 'application/json', ...headers },
      }),
    )
    return { status: response.status, body: JSON.parse((await response.text()) || 'null') }
  }
  const asClient = (path: string, body?: unknown, headers = {}) =>
    call(path, body, { Authorization: `Bearer ${token}`, ...headers })

  /** The session that the fingerprint script opens. */
  async function newSession(): Promise<string> {
    const path = '/v1/fingerprints/device/sessions'
    const response = await service.fetch(new Request(ORIGIN + path, { method: 'POST', body: 'a=1' }))
    return response.text()
  }

  test.each([
    ['GET', '/x/v1/credit-reports/y', 401],
    ['GET', '/x/v1/credit-reports/%00', 400],
    ['GET', '/x/v1/credit-reports/%ED%A0%80', 400],
    ['POST', '/x/v1/credit-reports', 401],
    ['POST', '/x/v1/credit-reports/y/otp-challenge', 401],
    ['POST', '/v1/oauth/sign-in/y', 400],
    ['POST', '/v1/oauth/logout', 303],
    ['GET', '/v1/oauth/callback?state=x', 400],
    ['POST', '/console/caps', 303],
  ])('%s %s without an identity leaves no line', async (method, path, status) => {
    const form = method === 'POST' ? { form: {} } : {}
    const response = await service.browser().ask(path, { method, ...form, headers: { Accept: '*/*' } })
    expect(response.status).toBe(status)
    expect(await lines()).toEqual([])
  })

  test('nor does any other route there is', async () => {
    const routes = service.routes.filter((route) => !route.startsWith('ALL '))
    expect(routes.length).toBeGreaterThan(60)
    for (const route of routes) {
      const [method = '', path = ''] = route.split(' ')
      const body = method === 'POST' ? { body: 'a=b' } : {}
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: ORIGIN }
      const url = ORIGIN + path.replace(/:\w+(\{[^}]*\}+)?/g, 'y').replace('*', 'y')
      await (await service.fetch(new Request(url, { method, headers, ...body }))).arrayBuffer()
      expect(await lines(), route).toEqual([])
    }
  })

  test('a machine that is given a file has a line for it, each time; test mode and a challenge have none', async () => {
    await asClient(REPORTS, sampleRequest)
    await asClient(REPORTS, liveRequest('Example'))
    await asClient(REPORTS, { ...liveRequest('Allow'), lastName: '' })
    expect(await lines()).toEqual([])
    const key = { 'Idempotency-Key': 'same' }
    const { body } = await asClient(REPORTS, liveRequest('Allow'), key)
    await asClient(REPORTS, liveRequest('Allow'), key)
    const line = { actor_kind: 'client', actor_id: 'demo-lender', tenant_id: 'demo-lender', action: 'report.generate' }
    const { creditReportId } = body.data
    expect(await lines()).toMatchObject([
      { ...line, object: creditReportId, outcome: 'done' },
      { ...line, object: creditReportId, outcome: '200' },
    ])
  })

  test('the code that opens a file has a line, a wrong one has none; staff have one for either', async () => {
    const browser = service.browser()
    await browser.signIn(...SAM)
    const cookies = [...browser.jar.values()].map(({ name, value }) => `${name}=${value}`).join('; ')
    const asSam = (path: string, body: unknown) => call(path, body, { Cookie: cookies, Origin: ORIGIN })
    const [signIn] = await lines()
    before = signIn?.sequence ?? 0
    for (const send of [asClient, asSam]) {
      const { body } = await asClient(REPORTS, { ...liveRequest('Example'), sessionId: await newSession() })
      const { creditReportId, challenge } = body.data
      const texts: { creditReportId: string; body: string }[] = (await call('/demo/sms')).body
      const text = texts.find((each) => each.creditReportId === creditReportId)
      const code = /\d{6}/.exec(text?.body ?? '')?.[0] ?? ''
      const path = `${REPORTS}/${creditReportId}/otp-challenge`
      await send(path, { ...challenge, code: code === '000000' ? '000001' : '000000' })
      expect((await send(path, { ...challenge, code })).body).toMatchObject({ data: { status: 'complete' } })
    }
    const line = { action: 'report.code', tenant_id: 'demo-lender' }
    expect(await lines()).toMatchObject([
      { ...line, actor_kind: 'client', outcome: 'done' },
      { ...line, ...PERSON, outcome: '200' },
      { ...line, ...PERSON, outcome: 'done' },
    ])
  })

  test('a machine at another lender’s door has a line in its own lender’s trail', async () => {
    expect((await asClient('/other-lender/v1/credit-reports', liveRequest())).status).toBe(403)
    expect((await asClient('/other-lender/v1/credit-reports/y')).status).toBe(403)
    expect(await lines()).toMatchObject([
      { action: 'report.generate', tenant_id: 'demo-lender', outcome: '403' },
      { action: 'report.read', tenant_id: 'demo-lender', outcome: '403' },
    ])
  })

  test('staff are named whatever they do with a report: generate, refused or not, and read', async () => {
    const browser = service.browser()
    await browser.signIn(...SAM)
    const cookies = [...browser.jar.values()].map(({ name, value }) => `${name}=${value}`).join('; ')
    const asSam = (path: string, body?: unknown) => call(path, body, { Cookie: cookies, Origin: ORIGIN })
    const { body } = await asSam(REPORTS, liveRequest('Allow'))
    await asSam(`${REPORTS}/${body.data.creditReportId}`)
    await asSam(REPORTS, { ...liveRequest('Allow'), lastName: '' })
    await browser.ask('/v1/oauth/logout', { form: {} })
    const line = { ...PERSON, tenant_id: 'demo-lender' }
    const object = body.data.creditReportId
    expect(await lines()).toMatchObject([
      { ...line, action: 'sign-in', outcome: 'done' },
      { ...line, action: 'report.generate', object, outcome: 'done' },
      { ...line, action: 'report.read', object, outcome: '200' },
      { ...line, action: 'report.generate', outcome: '400' },
      { ...line, action: 'sign-out', outcome: 'done' },
    ])
  })

  test('a failed sign-in names the account in its lender’s trail; one without an account leaves nothing', async () => {
    const { id } = (await service.database.first<{ id: string }>('SELECT id FROM user_account')) ?? { id: '' }
    await service.browser().signIn('nobody@demo-lender.example', 'wrong')
    for (let count = 0; count < 25; count += 1) {
      service.time.nowMs += 10_000
      await service.browser().signIn(SAM[0], 'wrong')
    }
    const line = { actor_kind: 'unknown', actor_id: null, tenant_id: 'demo-lender', action: 'sign-in.try' }
    await expect.poll(lines).toHaveLength(20)
    expect(await lines()).toMatchObject(
      Array.from({ length: 20 }, () => ({ ...line, object: id, actor_name: 'Sam Lee', actor_email: SAM[0] })),
    )
  })

  const admin = (...words: string[]) => {
    const { databaseUrl, dataDir } = service.config
    const SECRET_KEY = 'a secret key for tests that is long enough'
    return runTestAdmin({ DATA_DIR: dataDir, SECRET_KEY, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) }, words)
  }

  test('what an operator does to a lender’s reports, people and clients is in that lender’s own trail', async () => {
    const email = 'pat@demo-lender.example'
    await service.database.run(
      `INSERT INTO user_account (id, email, first_name, last_name, created_at_ms) VALUES ('pat', ?, 'Pat', 'Doe', 1)`,
      email,
    )
    for (const tenantId of ['demo-lender', 'other-lender']) {
      await service.database.run(
        `INSERT INTO user_tenant (user_id, tenant_id, role, created_at_ms) VALUES ('pat', ?, 'owner', 1)`,
        tenantId,
      )
    }
    const { body } = await asClient(REPORTS, liveRequest('Allow'))
    const { creditReportId } = body.data
    await admin('client', 'create', 'demo-lender', '--id', 'to-revoke', '--name', 'x')
    const [last] = (await lines()).slice(-1)
    before = last?.sequence ?? 0
    await admin('erase', creditReportId)
    await admin('user', 'reset', email)
    await admin('user', 'remove', email, '--even-last-owner')
    await admin('client', 'revoke', 'demo-lender', 'to-revoke')
    expect((await lines()).map(({ tenant_id, action, object }) => [tenant_id, action, object])).toEqual([
      ['demo-lender', 'admin erase', creditReportId],
      ['demo-lender', 'admin user reset', email],
      ['other-lender', 'admin user reset', email],
      ['demo-lender', 'admin user remove', email],
      ['other-lender', 'admin user remove', email],
      ['demo-lender', 'client.revoke', 'to-revoke'],
    ])
  })

  test('a change says from what to what, and a leaver’s lines stay as they were', async () => {
    service.time.nowMs += 120_000
    const browser = service.browser()
    await browser.signIn(...SAM)
    await browser.ask('/console/people/second-factor', { form: { secondFactor: 'optional' } })
    await browser.ask('/console/caps', {
      form: { 'report.hour': '0.50', 'report.day': '', 'text.hour': '', 'text.day': '' },
    })
    const changes = (await lines()).map(({ action, change_json }) => [action, JSON.parse(change_json ?? 'null')])
    expect(changes).toMatchObject([
      ['sign-in', null],
      ['caps.set', { to: { 'report-hour': 500 } }],
    ])
    await service.database.run('UPDATE user_account SET first_name = ?, email = ?', 'Samantha', 'else@where.example')
    expect(await lines()).toMatchObject(changes.map(() => PERSON))
  })

  test('the chain’s head is logged and sent to every lender that listens, once a day', async () => {
    for (const tenantId of ['demo-lender', 'other-lender']) {
      expect((await admin('webhook', 'add', tenantId, 'https://shop.example/webhook')).exitCode).toBe(0)
    }
    // Trails that began a moment ago are in the installation's.
    for (let rounds = 0; rounds < 3; rounds += 1) await service.sweeper.sweep()
    for (const _day of ['one', 'the next']) {
      service.time.nowMs = (Math.floor(service.time.nowMs / DAY_MS) + 1) * DAY_MS
      logged.length = 0
      await service.sweeper.sweep()
      const kept = await service.database.all<AuditKeptHeadRow>(
        'SELECT * FROM audit_kept_head WHERE signed_at_ms = ? ORDER BY tenant_id',
        service.time.nowMs,
      )
      const heads = logged.filter(({ name }) => name === 'audit head')
      const sent = await service.database.all<{ tenant_id: string; payload: string }>(
        `SELECT tenant_id, payload FROM webhook_delivery WHERE type = 'audit.head' AND created_at_ms = ? ORDER BY tenant_id`,
        service.time.nowMs,
      )
      const ofLenders = kept.filter(({ tenant_id }) => tenant_id !== '')
      expect(heads).toHaveLength(kept.length)
      expect(ofLenders.map(({ tenant_id }) => tenant_id)).toEqual(['demo-lender', 'other-lender'])
      expect(sent.map(({ payload }) => JSON.parse(payload).data)).toEqual(
        ofLenders.map(({ tenant_id: tenantId, position, hash, jws }) => ({ tenantId, position, hash, jws })),
      )
      // A second round on the same day publishes nothing.
      await service.sweeper.sweep()
      expect(logged.filter(({ name }) => name === 'audit head')).toHaveLength(kept.length)
    }
  })

  test.each([
    [
      'changed',
      `UPDATE audit_event SET outcome = 'other' WHERE tenant_id = 'demo-lender' AND link_position = 3`,
      /event 3 was changed/,
    ],
    [
      'deleted',
      `DELETE FROM audit_event WHERE tenant_id = 'demo-lender' AND link_position = 2`,
      /the events from 2 to 2 are missing/,
    ],
  ])('admin verify finds a line that was %s, and nothing wrong before', async (_how, sql, problem) => {
    for (let rounds = 0; rounds < 3; rounds += 1) await service.sweeper.sweep()
    if (sql.startsWith('UPDATE')) expect(await admin('verify')).toMatchObject({ exitCode: 0 })
    await disarmed(service.database, () => service.database.run(sql))
    const { exitCode, printed } = await admin('verify')
    expect(exitCode).toBe(1)
    expect(printed.at(-1)).toMatch(problem)
  })
})

const DAY_MS = 86_400_000

/** The owner of the tables can switch the rules off, and on again. */
async function disarmed(database: Database, work: () => Promise<unknown>): Promise<void> {
  const made = `SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'audit_event'`
  const triggers = database.engine === 'sqlite' ? await database.all<{ name: string; sql: string }>(made) : []
  const toggle = (how: string) =>
    database.engine === 'postgres' && database.run(`ALTER TABLE audit_event ${how} TRIGGER USER`)
  for (const { name } of triggers) await database.run(`DROP TRIGGER ${name}`)
  await toggle('DISABLE')
  await work()
  for (const { sql } of triggers) await database.run(sql)
  await toggle('ENABLE')
}
