// Who is in the audit trail, and who is not, on both engines.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sampleRequest } from '../../contract/samples.ts'
import { ORIGIN, SAM, startTestService, type TestService } from '../../testing/portal-service.ts'
import { hashQuickly } from '../../testing/quick-passwords.ts'
import { liveRequest } from '../../testing/test-app.ts'
import { startThrowawayPostgres, type ThrowawayPostgres } from '../../testing/throwaway-postgres.ts'
import type { AuditRow } from '../audit/tables.ts'

hashQuickly()

const REPORTS = '/demo-lender/v1/credit-reports'
const PERSON = { actor_kind: 'person', actor_name: 'Sam Lee', actor_email: SAM[0] }

describe.each(['sqlite', 'postgres'])('on %s', (engine) => {
  let postgres: ThrowawayPostgres | undefined
  let service: TestService
  let token: string
  let before = 0

  beforeAll(async () => {
    if (engine === 'postgres') postgres = await startThrowawayPostgres()
    service = await startTestService(postgres ? { DATABASE_URL: await postgres.createDatabase() } : {})
    token = await service.tokenOf('demo-lender', 'demo-secret')
  }, 60_000)
  afterAll(async () => {
    await service.stop()
    await postgres?.stop()
  })
  beforeEach(async () => {
    before =
      (await service.database.first<{ last: number }>('SELECT COALESCE(MAX(sequence), 0) AS last FROM audit_event'))
        ?.last ?? 0
  })

  /** What was written during this test. */
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

  test('a machine that is given a file has a line for it, each time; test mode and a challenge have none', async () => {
    await asClient(REPORTS, sampleRequest)
    await asClient(REPORTS, liveRequest('Example'))
    await asClient(REPORTS, { ...liveRequest('Allow'), lastName: '' })
    expect(await lines()).toEqual([])
    const key = { 'Idempotency-Key': `same-${engine}` }
    const { body } = await asClient(REPORTS, liveRequest('Allow'), key)
    await asClient(REPORTS, liveRequest('Allow'), key)
    const line = { actor_kind: 'client', actor_id: 'demo-lender', tenant_id: 'demo-lender', action: 'report.generate' }
    const { creditReportId } = body.data
    expect(await lines()).toMatchObject([
      { ...line, object: creditReportId, outcome: 'done' },
      { ...line, object: creditReportId, outcome: '200' },
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

  test('a change says from what to what, and a leaver’s lines stay as they were', async () => {
    service.time.nowMs += 120_000
    const browser = service.browser()
    await browser.signIn(...SAM)
    await browser.ask('/console/people/second-factor', { form: { required: '0' } })
    await browser.ask('/console/caps', {
      form: { 'report-hour': '500', 'report-day': '', 'sms-hour': '', 'sms-day': '' },
    })
    const changes = (await lines()).map(({ action, change_json }) => [action, JSON.parse(change_json ?? 'null')])
    expect(changes).toMatchObject([
      ['sign-in', null],
      ['second-factor.require', { from: false, to: false }],
      ['caps.set', { to: { 'report-hour': 500, 'report-day': null } }],
    ])
    await service.database.run('UPDATE user_account SET first_name = ?, email = ?', 'Samantha', 'else@where.example')
    expect(await lines()).toMatchObject(changes.map(() => PERSON))
  })
})
