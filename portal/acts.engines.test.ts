// Whatever the console, a sign-in or an operator changes, and the line of the audit trail that says so, are one transaction:
// where the line cannot be written, nothing is changed. And a form that is sent twice is carried out once.
import { generateSync } from 'otplib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { memberOperations } from '../openapi/member-operations.ts'
import type { Row } from '../service/store/database.ts'
import { ALL_COMMANDS, runTestAdmin } from '../testing/admin.ts'
import { environmentOf, onEachEngine } from '../testing/engines.ts'
import { ORIGIN, SAM, startTestService, type TestService } from '../testing/portal-service.ts'
import { hashQuickly } from '../testing/quick-passwords.ts'
import { newPress, type TestBrowser } from '../testing/service-browser.ts'
import { liveRequest, testRequest } from '../testing/test-app.ts'
import { PORTAL_ROUTES } from './authorisation.ts'
import { createOneTimeLinks } from './one-time-links.ts'
import { createUsers } from './users.ts'

hashQuickly()

const SECRET_KEY = 'a secret key for tests that is long enough'
const NEW_PERSON = 'new@demo-lender.example'
/** Changes nothing, and is written down before anything is shown. */
const OPEN_REPORT = 'POST /console/checks/:creditReportId/report'
const WEBHOOK_URL = 'https://shop.example/webhook'

/** What a try may write whatever comes of it: counts, the trail itself, and which forms were sent. */
const BOOKKEEPING = ['audit_event', 'console_press', 'guess', 'sign_in_attempt']

const TABLES = {
  sqlite: `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
  postgres: `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY name`,
}

const BREAK = {
  sqlite: [
    `CREATE TRIGGER broken BEFORE INSERT ON audit_event BEGIN SELECT RAISE(ABORT, 'broken on purpose'); END`,
    'DROP TRIGGER broken',
  ],
  postgres: [
    'ALTER TABLE audit_event ADD CONSTRAINT broken CHECK (false) NOT VALID',
    'ALTER TABLE audit_event DROP CONSTRAINT broken',
  ],
} as const

onEachEngine('acts', (place, engine) => {
  let service: TestService
  let browser: TestBrowser
  let creditReportId: string
  let openId: string

  beforeAll(async () => {
    service = await startTestService(environmentOf(await place()))
    creditReportId = await generate(liveRequest())
    openId = await generate(testRequest('allow'))
    browser = service.browser()
    await browser.signIn(...SAM, '/console')
  })
  afterAll(() => service.stop())

  /** Resolves to the id of the report. */
  async function generate(request: object): Promise<string> {
    return (await (await service.generate(request)).json()).data.creditReportId
  }

  const generated = new Map<string, string>()
  async function generateOnce(request: { lastName: string }): Promise<string> {
    const id = generated.get(request.lastName) ?? (await generate(request))
    generated.set(request.lastName, id)
    return id
  }

  async function everything(): Promise<{ [table: string]: Row[] }> {
    const dump: { [table: string]: Row[] } = {}
    const tables = await service.database.all<{ name: string }>(TABLES[engine])
    for (const { name: table } of tables.filter(({ name }) => !BOOKKEEPING.includes(name))) {
      const rows = await service.database.all(`SELECT * FROM ${table}`)
      // The step of a code that was typed is spent whatever comes of it, and a session was used.
      dump[table] = rows.map(({ totp_last_step: _spent, seen_at_ms: _used, ...row }) => row)
    }
    return dump
  }

  const lastLine = () =>
    service.database.first<{ change_json: string | null }>(
      'SELECT action, object, outcome, change_json FROM audit_event ORDER BY sequence DESC LIMIT 1',
    )

  /** Of what changes a value, the line says from what to what; what is made or ended has no such pair. */
  const CHANGES: { [name: string]: object } = {
    'POST /console/clients/:clientId/name': { from: 'Dashboard', to: 'Board' },
    'POST /console/caps': { to: { 'report-hour': 1_230, 'report-day': 1_234_000 } },
    [OPEN_REPORT]: { from: null, to: { reason: 'complaint 4711' } },
    'POST /console/money/low-balance': { to: 5_000 },
    'POST /console/people/:userId/role': { from: 'support', to: 'owner' },
    'POST /console/people/:userId/remove': { from: 'owner', to: null },
    'POST /console/people/second-factor': { from: false, to: true },
    'client rename': { from: null, to: 'Webshop' },
    'tenant bureaus': { from: 'all', to: 'any' },
    'tenant rename': { from: { name: 'Acme' }, to: { name: 'Acme Loans' } },
    'tenant price': { from: { report_price_credits: null }, to: { report_price_credits: 700 } },
    'tenant retention': { from: { report_retention_days: null }, to: { report_retention_days: 2 } },
    'tenant suspend': { from: { suspended_reason: null }, to: { suspended_reason: 'unpaid' } },
    'tenant resume': { from: { suspended_reason: 'unpaid' }, to: { suspended_reason: null } },
    correct: { from: null, to: { credits: -10, reason: 'booked twice' } },
    'tenant low-balance': { from: null, to: 1_000 },
    'tenant second-factor': { from: false, to: true },
    'user role': { from: 'support', to: 'owner' },
    caps: { to: { 'report-hour': 700 } },
  }
  async function expectChange(name: string): Promise<void> {
    const change = JSON.parse((await lastLine())?.change_json ?? 'null')
    if (CHANGES[name] === undefined) expect(change).toBeNull()
    else expect(change).toMatchObject({ from: expect.toSatisfy((from) => from !== undefined), ...CHANGES[name] })
  }

  /** Does it once while nothing can be written down, then again; resolves to what either time answered. */
  async function withAndWithout<T>(
    attempt: () => Promise<T>,
    { isRead = false } = {},
  ): Promise<{ broken: T; whole: T }> {
    const [breakIt, mendIt] = BREAK[engine]
    const before = await everything()
    await service.database.run(breakIt)
    const broken = await attempt().finally(() => service.database.run(mendIt))
    expect(await everything()).toEqual(before)
    service.time.nowMs += 31_000
    const whole = await attempt()
    if (!isRead) expect(await everything()).not.toEqual(before)
    return { broken, whole }
  }

  const idFrom = async (sql: string) => String((await service.database.first<{ id: string }>(sql))?.id)
  const newestClient = `SELECT id FROM api_client WHERE tenant_id = 'demo-lender' ORDER BY created_at_ms DESC LIMIT 1`
  const invitationId = 'SELECT id FROM one_time_link'
  const linksOf = () => {
    const { database, time } = service
    const clock = () => time.nowMs
    return createOneTimeLinks({ database, clock, users: createUsers({ database, clock }) })
  }
  async function personId(): Promise<string> {
    const { database } = service
    const person = {
      email: NEW_PERSON,
      firstName: 'N',
      lastName: 'P',
      tenantIds: ['demo-lender'],
      role: 'support',
    } as const
    await createUsers({ database, clock: () => service.time.nowMs }).create(database, person)
    return idFrom(`SELECT id FROM user_account WHERE email = '${NEW_PERSON}'`)
  }
  const tokens = new Map<string, string>()
  async function tokenFor(email: string, kind: 'invitation' | 'password'): Promise<string> {
    const invitation = { tenantId: 'other-lender', email, role: 'support', by: null } as const
    const made = () =>
      kind === 'invitation'
        ? linksOf().invite(service.database, invitation)
        : linksOf().resetPassword(service.database, email)
    const token = tokens.get(email + kind) ?? (await made())?.token ?? ''
    tokens.set(email + kind, token)
    return token
  }
  const webhookId = 'SELECT id FROM webhook_endpoint'
  const parkEvent = (id: string) =>
    service.database.run(
      `INSERT INTO webhook_delivery (id, endpoint_id, tenant_id, type, payload, status, due_at_ms, queued_at_ms, created_at_ms)
       SELECT '${id}', id, tenant_id, 'wallet.low', '{}', 'parked', 1, 1, 1 FROM webhook_endpoint WHERE 1 = 1
       ON CONFLICT DO NOTHING`,
    )
  const codeOf = (secret: string) => generateSync({ secret, epoch: Math.floor(service.time.nowMs / 1000) })
  let totpSecret = ''
  let password: string = SAM[1]

  type Form = { [name: string]: string }
  // In this order: each finds what the ones before it made.
  const acts: readonly [route: string, act: () => Promise<[path: string, form: Form]>][] = [
    ['POST /console/clients', async () => ['/console/clients', { name: 'Dashboard', scope: 'wallet' }]],
    [
      'POST /console/clients/:clientId/name',
      async () => [`/console/clients/${await idFrom(newestClient)}/name`, { name: 'Board' }],
    ],
    [OPEN_REPORT, async () => [`/console/checks/${openId}/report`, { reason: 'complaint 4711' }]],
    [
      'POST /console/clients/:clientId/secrets',
      async () => [`/console/clients/${await idFrom(newestClient)}/secrets`, {}],
    ],
    [
      'POST /console/clients/:clientId/secrets/:secretId/end',
      async () => {
        const clientId = await idFrom(newestClient)
        const secret = `SELECT SUBSTR(digest, 1, 8) AS id FROM api_client_secret WHERE client_id = '${clientId}' AND expires_at_ms IS NULL`
        return [`/console/clients/${clientId}/secrets/${await idFrom(secret)}/end`, {}]
      },
    ],
    [
      'POST /console/clients/:clientId/revoke',
      async () => [`/console/clients/${await idFrom(newestClient)}/revoke`, {}],
    ],
    ['POST /console/caps', async () => ['/console/caps', { 'report-hour': '1.23', 'report-day': '1,234' }]],
    ['POST /console/money/low-balance', async () => ['/console/money/low-balance', { 'low-balance': '5' }]],
    [
      'POST /console/checks/:creditReportId/erase',
      async () => [`/console/checks/${await generateOnce(testRequest('block'))}/erase`, {}],
    ],
    [
      'POST /console/data/erase',
      async () => {
        const { lastName, dateOfBirth } = liveRequest('Erasable')
        await generateOnce(liveRequest('Erasable'))
        const person = { 'last-name': lastName, 'date-of-birth': dateOfBirth, postcodes: 'SW1A 1AA' }
        return ['/console/data/erase', { ...person, sure: 'yes' }]
      },
    ],
    ['POST /console/webhooks', async () => ['/console/webhooks', { url: WEBHOOK_URL }]],
    [
      'POST /console/webhooks/:webhookId/rotate',
      async () => [`/console/webhooks/${await idFrom(webhookId)}/rotate`, {}],
    ],
    ['POST /console/webhooks/:webhookId/test', async () => [`/console/webhooks/${await idFrom(webhookId)}/test`, {}]],
    [
      'POST /console/webhooks/events/:eventId/resend',
      async () => {
        await parkEvent('event-1')
        return ['/console/webhooks/events/event-1/resend', {}]
      },
    ],
    [
      'POST /console/webhooks/:webhookId/remove',
      async () => [`/console/webhooks/${await idFrom(webhookId)}/remove`, {}],
    ],
    ['POST /console/people', async () => ['/console/people', { email: NEW_PERSON, role: 'support' }]],
    [
      'POST /console/people/invitations/:invitationId/withdraw',
      async () => [`/console/people/invitations/${await idFrom(invitationId)}/withdraw`, {}],
    ],
    ['POST /console/people/:userId/role', async () => [`/console/people/${await personId()}/role`, { role: 'owner' }]],
    ['POST /console/people/:userId/remove', async () => [`/console/people/${await personId()}/remove`, {}]],
    [
      'POST /console/profile/password',
      async () => ['/console/profile/password', { current: password, new: 'a better password' }],
    ],
    [
      'POST /console/profile/sessions/end',
      async () => {
        await service.browser().signIn(SAM[0], password)
        return ['/console/profile/sessions/end', {}]
      },
    ],
    ['POST /console/profile/totp', async () => ['/console/profile/totp', { password }]],
    ['POST /console/profile/totp/confirm', async () => ['/console/profile/totp/confirm', { code: codeOf(totpSecret) }]],
    ['POST /console/people/second-factor', async () => ['/console/people/second-factor', { required: '1' }]],
    ['POST /console/profile/totp/off', async () => ['/console/profile/totp/off', { code: codeOf(totpSecret) }]],
    [
      'POST /invitations/:token',
      async () => [
        `/invitations/${await tokenFor('newer@demo-lender.example', 'invitation')}`,
        { firstName: 'N', lastName: 'P', password: 'a long enough one' },
      ],
    ],
    [
      'POST /password-links/:token',
      async () => [
        `/password-links/${await tokenFor('newer@demo-lender.example', 'password')}`,
        { password: 'a long enough one' },
      ],
    ],
    [
      'POST /console/invitations/:token',
      async () => [`/console/invitations/${await tokenFor(SAM[0], 'invitation')}`, {}],
    ],
    ['POST /console/tenants', async () => ['/console/tenants', { tenantId: 'demo-lender' }]],
    ['POST /v1/oauth/logout', async () => ['/v1/oauth/logout', {}]],
  ]

  /** Written down by the route itself; null: changes nothing of a lender's, so it is not written down. */
  const ACTIONS: { [route: string]: string | null } = {
    'POST /invitations/:token': 'invitation.accept',
    'POST /console/invitations/:token': 'invitation.accept',
    'POST /password-links/:token': 'password.set',
    'POST /console/tenants': null,
  }

  test.each(acts)('%s', async (route, prepare) => {
    // Prepared before the first try: what it needs must not count as what it did.
    await prepare()
    const action = PORTAL_ROUTES[route]?.audit ?? ACTIONS[route] ?? null
    let sent: [path: string, form: Form] = ['', {}]
    const attempt = async () => {
      const [path, form] = await prepare()
      sent = [path, { press: newPress(), ...form }]
      return browser.ask(path, { form: sent[1] })
    }
    const { broken, whole } =
      action === null
        ? { broken: null, whole: await attempt() }
        : await withAndWithout(attempt, { isRead: route === OPEN_REPORT })
    if (broken) expect(broken.status).toBe(500)
    // Never a page: a reload of one would send the form again.
    expect(whole.status).toBe(303)
    if (action !== null) {
      expect(await lastLine()).toMatchObject({ action, outcome: 'done' })
      await expectChange(route)
    }
    const { text } = await browser.visit(whole.headers.get('Location') ?? '')
    if (route.endsWith('/password')) password = 'a better password'
    totpSecret = text.match(/>((?:[A-Z2-7]{4} ?){8})</)?.[1]?.replaceAll(' ', '') ?? totpSecret

    const once = await everything()
    const again = await browser.ask(sent[0], { form: sent[1] })
    expect(await everything()).toEqual(once)
    expect([303, 404]).toContain(again.status)
  })

  test('signing in', async () => {
    const before = await everything()
    const [breakIt, mendIt] = BREAK[engine]
    const other = service.browser()
    const form = await other.visit('/v1/oauth/login?returnTo=/console')
    const tried = await other.ask(form.url.pathname, { form: { email: SAM[0], password } })
    await service.database.run(breakIt)
    const broken = await other.visit(tried.headers.get('Location') ?? '').finally(() => service.database.run(mendIt))
    expect(broken.response.status).toBe(500)
    expect(await everything()).toEqual(before)
    await service.browser().signIn(SAM[0], password)
    expect(await everything()).not.toEqual(before)
    expect(await lastLine()).toMatchObject({ action: 'sign-in', outcome: 'done' })
  })

  // Not forms of the console: what a second request finds done is answered as the first was.
  const repeatable: readonly [route: string, (signedIn: TestBrowser) => Promise<() => Promise<Response>>][] = [
    [
      'POST /v1/oauth/sign-in/:uid',
      async () => {
        const other = service.browser()
        const { url } = await other.visit('/v1/oauth/login?returnTo=/console')
        return () => other.ask(url.pathname, { form: { email: SAM[0], password } })
      },
    ],
    [
      'POST /v1/oauth/refresh',
      async (signedIn) => {
        const held = [...signedIn.jar]
        return () => {
          for (const [name, cookie] of held) signedIn.jar.set(name, cookie)
          return signedIn.ask('/v1/oauth/refresh', { form: {} })
        }
      },
    ],
    [
      'POST /v1/my/tenants/select',
      async (signedIn) => () => {
        const cookies = [...signedIn.jar.values()].map(({ name, value }) => `${name}=${value}`).join('; ')
        const headers = { 'Content-Type': 'application/json', Origin: ORIGIN, Cookie: cookies }
        const body = JSON.stringify({ tenantId: 'other-lender' })
        return Promise.resolve(
          service.fetch(new Request(`${ORIGIN}/v1/my/tenants/select`, { method: 'POST', headers, body })),
        )
      },
    ],
  ]

  test.each(repeatable)('%s, sent twice', async (_route, prepare) => {
    const signedIn = service.browser()
    await signedIn.signIn(SAM[0], password, '/console')
    const send = await prepare(signedIn)
    const first = await send()
    expect(first.status).toBeLessThan(400)
    const once = await everything()
    const again = await send()
    expect([again.status, again.headers.get('Location')]).toEqual([first.status, first.headers.get('Location')])
    expect(await everything()).toEqual(once)
  })

  test('reading a report', async () => {
    const token = await service.tokenOf('demo-lender', 'demo-secret')
    const read = () =>
      service.fetch(
        new Request(`${ORIGIN}/demo-lender/v1/credit-reports/${creditReportId}`, {
          headers: { Authorization: `Bearer ${token}` },
        }),
      )
    const [breakIt, mendIt] = BREAK[engine]
    await service.database.run(breakIt)
    const broken = await Promise.resolve(read()).finally(() => service.database.run(mendIt))
    expect(broken.status).toBe(500)
    expect(await broken.text()).not.toContain(creditReportId)
    expect((await read()).status).toBe(200)
    expect(await lastLine()).toMatchObject({ action: 'report.read', object: creditReportId, outcome: '200' })
  })

  const admin = (words: readonly string[]) => {
    const { databaseUrl, dataDir } = service.config
    const where = databaseUrl === null ? { DATA_DIR: dataDir } : { DATA_DIR: dataDir, DATABASE_URL: databaseUrl }
    return runTestAdmin({ ...where, SECRET_KEY }, words)
  }
  let isMade = false
  const commands: readonly [name: string, words: () => Promise<string[]>][] = [
    ['tenant create', async () => ['acme', '--name', 'Acme']],
    ['tenant bureaus', async () => ['acme', 'any']],
    ['tenant low-balance', async () => ['acme', '1000']],
    ['tenant rename', async () => ['acme', '--name', 'Acme Loans']],
    ['tenant price', async () => ['acme', '--report', '700']],
    ['tenant retention', async () => ['acme', '2']],
    ['tenant suspend', async () => ['acme', '--reason', 'unpaid']],
    ['tenant resume', async () => ['acme']],
    ['tenant second-factor', async () => ['acme', 'required']],
    ['client create', async () => ['acme']],
    [
      'client end-secret',
      async () => {
        const secret = `SELECT SUBSTR(digest, 1, 8) AS id FROM api_client_secret WHERE client_id = 'acme'`
        return ['acme', 'acme', await idFrom(secret)]
      },
    ],
    ['client rename', async () => ['acme', 'acme', 'Webshop']],
    ['client replace-secret', async () => ['acme', 'acme']],
    ['client revoke', async () => ['acme']],
    ['top-up', async () => ['acme', '1000', '--reference', 'invoice']],
    ['correct', async () => ['acme', '-10', '--reason', 'booked twice', '--reference', 'invoice']],
    ['caps', async () => ['acme', '--report-hour', '700']],
    ['webhook add', async () => ['acme', WEBHOOK_URL]],
    ['webhook rotate', async () => ['acme', await idFrom(webhookId)]],
    [
      'webhook resend',
      async () => {
        await parkEvent('event-2')
        return ['acme', 'event-2']
      },
    ],
    ['webhook remove', async () => ['acme', await idFrom(webhookId)]],
    ['erase', async () => [creditReportId]],
    [
      'person erase',
      async () => {
        if (!isMade) await generate(testRequest('allow'))
        isMade = true
        const { lastName, dateOfBirth, addresses } = liveRequest()
        const postcode = addresses[0]?.ukAddress?.postcode ?? ''
        return ['demo-lender', '--last-name', lastName, '--date-of-birth', dateOfBirth, '--postcode', postcode]
      },
    ],
    ['keys rotate', async () => []],
    ['backed-up', async () => []],
    ['user invite', async () => ['acme', 'pat@acme.example']],
    ['user create', async () => ['acme', 'pat@acme.example']],
    [
      'user role',
      async () => {
        const { database } = service
        const person = {
          email: 'pat@acme.example',
          firstName: 'P',
          lastName: 'D',
          tenantIds: ['acme'],
          role: 'support',
        } as const
        await createUsers({ database, clock: () => service.time.nowMs }).create(database, person)
        return ['acme', 'pat@acme.example', 'owner']
      },
    ],
    ['user reset', async () => ['pat@acme.example']],
    ['user remove', async () => ['pat@acme.example', '--even-last-owner']],
  ]

  test.each(commands)('admin %s', async (name, wordsOf) => {
    await wordsOf()
    const attempt = async () => admin([...name.split(' '), ...(await wordsOf())])
    const { broken, whole } = await withAndWithout(attempt)
    expect(broken.exitCode).toBe(1)
    expect(whole.exitCode).toBe(0)
    expect(await lastLine()).toMatchObject({ action: `admin ${name}`, outcome: 'done' })
    await expectChange(name)
  })

  test('these are all there are', () => {
    const writes = Object.keys(PORTAL_ROUTES).filter(
      (route) => route.startsWith('POST ') || PORTAL_ROUTES[route]?.audit !== undefined,
    )
    // Signing in is above; the files and a search change nothing; a request for a link by mail is sent twice in forgotten-password.engines.test.ts.
    // The API does what the pages do, with the same functions.
    const byApi = Object.values(memberOperations).map(({ route }) => route)
    const others = [
      'GET /v1/oauth/callback',
      'POST /password-links',
      'GET /console/audit.csv',
      'GET /console/audit.jsonl',
      'POST /console/data/find',
      'POST /console/data/export',
    ]
    expect([...acts.map(([route]) => route), ...repeatable.map(([route]) => route), ...others].sort()).toEqual(
      writes.filter((route) => !byApi.some((each) => each === route)).sort(),
    )
    const operators = ALL_COMMANDS.filter(({ role }) => role === 'operator').map((command) => command.name)
    // Too many steps for a line each: one says that it began.
    expect([...commands.map(([name]) => name), 'keys rewrap'].sort()).toEqual(operators.sort())
  })
})
