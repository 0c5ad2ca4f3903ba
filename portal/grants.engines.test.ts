// No one reaches by a credential what they cannot reach themselves: every role, every credential it can make, every
// operation that the credential opens.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PERMISSIONS, type Permission, ROLES, type Role } from '../contract/roles.ts'
import { sampleRequest } from '../contract/samples.ts'
import { operationsOf } from '../openapi/operation.ts'
import { SCOPES, type Scope } from '../service/tokens/clients.ts'
import { permissionsOf } from '../service/tokens/grants.ts'
import { environmentOf, onEachEngine } from '../testing/engines.ts'
import { ORIGIN, SAM, startTestService, type TestService } from '../testing/portal-service.ts'
import { hashQuickly } from '../testing/quick-passwords.ts'
import { type TestBrowser, wordsOf } from '../testing/service-browser.ts'
import { liveRequest, testRequest } from '../testing/test-app.ts'
import { createUsers } from './identity/users.ts'
import { allRows } from './rows.ts'

hashQuickly()

const operations = Object.values(operationsOf(allRows))
const HOME = '/demo-lender/v1'
/** The scopes with which a test-only credential reaches invented people alone. */
const FILES: readonly Scope[] = ['credit-reports', 'people-export', 'people-erase']

/** The number of scopes that a live and a test-only client can be given. */
const GRANTS: Record<Role, number[]> = { owner: [6, 6], developer: [1, 4], support: [], finance: [], auditor: [] }

onEachEngine('roles and credentials', (place) => {
  let service: TestService
  let passwordHash: string
  const browsers = new Map<Role, TestBrowser>()

  beforeAll(async () => {
    service = await startTestService(environmentOf(await place()))
    const { database } = service
    const row = await database.first<{ hash: string }>(
      'SELECT password_hash AS hash FROM user_account WHERE email = ?',
      SAM[0],
    )
    passwordHash = String(row?.hash)
    for (const role of ROLES) browsers.set(role, await signIn({ role, lastName: role }))
  })
  afterAll(() => service.stop())

  async function signIn({ role, lastName }: { role: Role; lastName: string }): Promise<TestBrowser> {
    const { database, time } = service
    const email = `${lastName}@demo-lender.example`.toLowerCase()
    const person = { email, firstName: 'A', lastName, passwordHash, role, tenantIds: ['demo-lender'] }
    await createUsers({ database, clock: () => time.nowMs }).create(database, person)
    const browser = service.browser()
    await browser.signIn(email, SAM[1], '/console')
    return browser
  }

  type Credential = { clientId: string; clientSecret: string }

  /** As a person who is signed in, or with a token. */
  async function ask(who: Role | { token: string }, route: string, body?: unknown) {
    const [method = '', path = ''] = route.split(' ')
    const proof =
      typeof who === 'string'
        ? { Cookie: browsers.get(who)?.cookies() ?? '', Origin: ORIGIN }
        : { Authorization: `Bearer ${who.token}` }
    const headers = { ...proof, 'Content-Type': 'application/json' }
    const given = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await service.fetch(new Request(ORIGIN + HOME + path, { method, headers, ...given }))
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : JSON.parse(text) }
  }

  const make = (role: Role, scopes: readonly Scope[], testOnly: boolean) =>
    ask(role, 'POST /clients', { name: `of ${role}`, scopes, testOnly })
  /** Bare, or within the envelope. */
  const dataOf = (body: { data?: Credential } & Credential): Credential => body.data ?? body
  async function tokenBy(role: Role, scopes: readonly Scope[], testOnly: boolean): Promise<{ token: string }> {
    const { clientId, clientSecret } = dataOf((await make(role, scopes, testOnly)).body)
    return { token: await service.tokenOf(clientId, clientSecret) }
  }

  test.each(SCOPES)('what “%s” lets a live credential do is what its operations need', (scope) => {
    const opened = operations.flatMap(({ rule }) =>
      rule.who === 'tenant' && rule.scope === scope ? rule.permission : [],
    )
    const known: Permission[] = permissionsOf({ scopes: [scope], testOnly: false })
    expect([...new Set(opened)].toSorted()).toEqual(known.toSorted())
  })

  describe.each(ROLES)('as %s', (role) => {
    const held = PERMISSIONS[role]
    const kinds = SCOPES.flatMap((scope) => [false, true].map((testOnly) => [scope, testOnly] as const))

    test.each(kinds)(
      'a client with “%s”, test-only: %s, is made by those who can do as much',
      async (scope, testOnly) => {
        const isInvented = testOnly && FILES.includes(scope)
        const opened = operations.flatMap(({ rule }) =>
          rule.who === 'tenant' && rule.scope === scope ? rule.permission : [],
        )
        const may =
          held.includes('integration') && (isInvented || opened.every((permission) => held.includes(permission)))
        expect((await make(role, [scope], testOnly)).status).toBe(may ? 201 : 403)
      },
    )

    test('the secret of a live client that reads reports is given to those who read reports', async () => {
      const { clientId } = dataOf((await make('owner', ['credit-reports'], false)).body)
      const secrets = 'SELECT * FROM api_client_secret WHERE client_id = ?'
      const before = await service.database.all(secrets, clientId)
      const replaced = await ask(role, `POST /clients/${clientId}/secrets`, {})
      expect(replaced.status).toBe(role === 'owner' ? 201 : 403)
      const path = `/console/clients/${clientId}/secrets`
      const form = await browsers.get(role)?.ask(path, { form: { overlapHours: '24' } })
      expect(form?.status).toBe(role === 'owner' ? 303 : role === 'developer' ? 409 : 403)
      const isUnchanged = JSON.stringify(before) === JSON.stringify(await service.database.all(secrets, clientId))
      expect(isUnchanged).toBe(role !== 'owner')
    })
  })

  /** Every operation about a lender, with a body that changes nothing. */
  const ofTenant = operations.filter(({ rule }) => rule.who === 'tenant' || rule.who === 'member')
  const isOpenTo = async (who: Role | { token: string }, route: string) => {
    const [method = '', path = ''] = route.split(' ')
    const own = path.replace('/:tenantId/v1', '').replace(/:\w+/g, 'x')
    const body = method === 'GET' ? undefined : { ...sampleRequest, challengeId: 'x', code: '1' }
    return (await ask(who, `${method} ${own}`, body)).status !== 403
  }

  test.each(ROLES)('as %s, no credential that can be made opens more than the session does', async (role) => {
    const grants = []
    for (const testOnly of [false, true]) {
      const made = SCOPES.map(async (scope) => ((await make(role, [scope], testOnly)).status === 201 ? [scope] : []))
      const scopes = (await Promise.all(made)).flat()
      if (scopes.length > 0) grants.push({ scopes, testOnly, ...(await tokenBy(role, scopes, testOnly)) })
    }
    expect(grants.map(({ scopes }) => scopes.length)).toEqual(GRANTS[role])
    let closed = 0
    for (const { route, rule } of ofTenant) {
      const isOpen = await isOpenTo(role, route)
      if (!isOpen) closed += 1
      for (const { testOnly, token } of grants) {
        const isInvented = testOnly && rule.who === 'tenant' && FILES.includes(rule.scope)
        if (!isOpen && !isInvented) expect([route, await isOpenTo({ token }, route)]).toEqual([route, false])
      }
    }
    expect(closed > 0).toBe(role !== 'owner')
  })

  describe('a test-only credential that a developer made', () => {
    let own: { token: string }
    const ids = { live: '', test: '' }
    const person = { lastName: 'Allow', dateOfBirth: '1985-03-27', postcodes: ['SW1A 1AA'] }

    beforeAll(async () => {
      own = await tokenBy('developer', FILES, true)
      const live = liveRequest('Allow')
      Object.assign(person, { lastName: live.lastName, dateOfBirth: live.dateOfBirth })
      person.postcodes = [live.addresses[0]?.ukAddress?.postcode ?? '']
      ids.live = (await (await service.generate(live)).json()).data.creditReportId
      ids.test = (await ask(own, 'POST /credit-reports', { ...live, test: true })).body.data.creditReportId
    })

    test('makes and reads test checks', async () => {
      expect(ids.test).not.toBe('')
      expect((await ask(own, `GET /credit-reports/${ids.test}`)).status).toBe(200)
      expect((await ask(own, `GET /credit-reports/${ids.test}/timeline`)).status).toBe(200)
      expect((await ask(own, 'POST /credit-reports', testRequest('allow'))).status).toBe(200)
    })

    test('makes no live check, and nothing is charged or written', async () => {
      const reports = 'SELECT id FROM credit_report WHERE test = 0'
      const before = await service.database.all(reports)
      for (const request of [liveRequest('Allow'), { ...liveRequest('Allow'), test: false }])
        expect((await ask(own, 'POST /credit-reports', request)).status).toBe(403)
      expect(await service.database.all(reports)).toEqual(before)
    })

    test.each([
      ['GET /credit-reports/ID', undefined],
      ['GET /credit-reports/ID/timeline', undefined],
      ['DELETE /credit-reports/ID', undefined],
      ['POST /credit-reports/ID/otp-challenge', { challengeId: 'x', code: '123456' }],
      ['POST /credit-reports/ID/resend-sms', { challengeId: 'x' }],
      ['POST /credit-reports/ID/open', { dateOfBirth: '1985-03-27' }],
    ])('%s of a live check is 404', async (route, body) => {
      const { status } = await ask(own, route.replace('ID', ids.live), body)
      expect(status).toBe(404)
    })

    test('lists, exports, counts and erases test checks alone', async () => {
      const listed = await ask(own, 'GET /credit-reports')
      expect(listed.body.data.creditReports.map(({ test }: { test: boolean }) => test)).not.toContain(false)
      expect(listed.body.data.creditReports.length).toBeGreaterThan(0)
      const day = new Date(service.time.nowMs).toISOString().slice(0, 10)
      expect((await ask(own, `GET /stats?from=${day}&to=${day}`)).status).toBe(403)
      expect((await ask(own, `GET /stats?from=${day}&to=${day}&mode=test`)).status).toBe(200)
      const exported = await ask(own, 'POST /people/export', person)
      expect(JSON.stringify(exported.body)).not.toContain(ids.live)
      const erased = await ask(own, 'POST /people/erase', person)
      expect(erased.status).toBe(200)
      expect(JSON.stringify(erased.body)).not.toContain(ids.live)
      const kept = await service.database.first('SELECT erased_at_ms FROM credit_report WHERE id = ?', ids.live)
      expect(kept).toEqual({ erased_at_ms: null })
    })
  })

  test.each([
    ['removed', 'remove', {}, ['Reports', 'Wallet']],
    ['made a developer', 'role?role=developer', { role: 'developer' }, ['Reports']],
  ])(
    'of someone who is %s, the clients that reach further are listed; those ticked end',
    async (what, page, form, listed) => {
      const leo = await signIn({ role: 'owner', lastName: `Leo${what.length}` })
      for (const [name, scopes] of [
        ['Reports', 'credit-reports'],
        ['Wallet', 'wallet'],
      ] as const)
        await leo.visit('/console/clients', { form: { name, scopes, testOnly: 'false' } })
      const sql = 'SELECT id, name, disabled_at_ms FROM api_client WHERE made_by_name = ? ORDER BY name'
      const clients = () =>
        service.database.all<{ id: string; name: string; disabled_at_ms: number | null }>(sql, `A Leo${what.length}`)
      const { id: userId = '' } =
        (await service.database.first<{ id: string }>(
          'SELECT id FROM user_account WHERE last_name = ?',
          `Leo${what.length}`,
        )) ?? {}
      const path = `/console/people/${userId}/${page}`
      const owner = browsers.get('owner') as TestBrowser
      const theirs = dataOf((await make('developer', ['wallet'], true)).body).clientId
      const words = wordsOf((await owner.visit(path)).text)
      const offered = (await clients()).filter(({ id }) => words.includes(id)).map(({ name }) => name)
      expect(offered).toEqual(listed)
      expect(words).not.toContain(theirs)
      const ids = (await clients()).map(({ id }) => id)
      await owner.visit(path.replace(/\?.*/, ''), { form: { ...form, revoke: ids[0] ?? '' } })
      expect((await clients()).map(({ disabled_at_ms }) => disabled_at_ms !== null)).toEqual([true, false])
      // Found by the person's name, and by the client's.
      const trail = async (object: string) =>
        (await ask('owner', `GET /audit?object=${object}`)).body.data.events.map(
          ({ action }: { action: string }) => action,
        )
      expect(await trail(`Leo${what.length}`)).toEqual([what === 'removed' ? 'person.remove' : 'person.role'])
      expect(await trail('Reports')).toContain('client.revoke')
    },
  )

  test('the trail names the client, and the person who made it', async () => {
    const { clientId, clientSecret } = dataOf((await make('owner', ['people-erase'], false)).body)
    const { creditReportId } = (await (await service.generate(liveRequest('Allow'))).json()).data
    const token = await service.tokenOf(clientId, clientSecret)
    expect((await ask({ token }, `DELETE /credit-reports/${creditReportId}`)).status).toBe(200)
    const line = await service.database.first(
      `SELECT actor_kind, actor_id, actor_name, actor_email FROM audit_event WHERE action = 'report.erase' AND object = ?`,
      creditReportId,
    )
    expect(line).toEqual({
      actor_kind: 'client',
      actor_id: clientId,
      actor_name: 'A owner',
      actor_email: 'owner@demo-lender.example',
    })
  })
})
