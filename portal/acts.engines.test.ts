// A change by the console or a sign-in and its line of the audit trail are one transaction: where the line cannot be
// written, nothing is changed. And a form that is sent twice is carried out once. Commands: admin-acts.engines.test.ts.
import { generateSync } from 'otplib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { watchActs } from '../testing/acts.ts'
import { environmentOf, onEachEngine } from '../testing/engines.ts'
import { SMALL_PNG } from '../testing/hosted-link.ts'
import { ORIGIN, SAM, startTestService, type TestService } from '../testing/portal-service.ts'
import { hashQuickly } from '../testing/quick-passwords.ts'
import type { TestBrowser } from '../testing/service-browser.ts'
import { liveRequest, testRequest } from '../testing/test-app.ts'
import { PORTAL_ROUTES } from './authorisation.ts'
import { createOneTimeLinks } from './identity/one-time-links.ts'
import { createUsers } from './identity/users.ts'

hashQuickly()

const NEW_PERSON = 'new@demo-lender.example'
/** Changes nothing, and is written down before anything is shown. */
const OPEN_REPORT = 'POST /console/checks/:creditReportId/report'
const WEBHOOK_URL = 'https://shop.example/webhook'

/** From what to what, in the line of what changes a value. */
const CHANGES: { [name: string]: object } = {
  'POST /console/clients/:clientId/name': { from: 'Dashboard', to: 'Board' },
  'POST /console/webhooks/events/:deliveryId/resend': { from: 'parked', to: 'queued' },
  'POST /console/caps': { to: { 'report-hour': 1_230, 'report-day': 1_234_000 } },
  [OPEN_REPORT]: { from: null, to: { reason: 'complaint 4711' } },
  'POST /console/hosted-page': {
    from: { name: null, returnUrls: '' },
    to: { name: 'Wren', returnUrls: 'shopapp://done' },
  },
  'POST /console/hosted-page/logo': { from: { logo: null }, to: { logo: '70 bytes' } },
  'POST /console/money/low-balance': { to: 5_000 },
  'POST /console/people/:person/role': { from: 'support', to: 'finance' },
  'POST /console/people/:person/remove': { from: 'finance', to: null },
  'POST /console/invitations/:invitationId': { from: null, to: 'support' },
  'POST /console/people/second-factor': { from: false, to: true },
}

onEachEngine('acts', (place) => {
  let service: TestService
  let watched: ReturnType<typeof watchActs>
  let browser: TestBrowser
  let creditReportId: string
  let openId: string

  beforeAll(async () => {
    service = await startTestService(environmentOf(await place()))
    watched = watchActs(service, CHANGES)
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
    ['POST /console/clients', async () => ['/console/clients', { name: 'Dashboard', scopes: 'wallet' }]],
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
    ['POST /console/caps', async () => ['/console/caps', { 'report.hour': '1.23', 'report.day': '1,234' }]],
    ['POST /console/money/low-balance', async () => ['/console/money/low-balance', { thresholdCredits: '5' }]],
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
      'POST /console/webhooks/events/:deliveryId/resend',
      async () => {
        await parkEvent('event-1')
        return ['/console/webhooks/events/event-1/resend', {}]
      },
    ],
    [
      'POST /console/webhooks/resend-failed',
      async () => {
        await parkEvent('event-2')
        await service.database.run('UPDATE webhook_delivery SET attempts = 1')
        return ['/console/webhooks/resend-failed', {}]
      },
    ],
    [
      'POST /console/webhooks/:webhookId/remove',
      async () => [`/console/webhooks/${await idFrom(webhookId)}/remove`, {}],
    ],
    ['POST /console/links', async () => ['/console/links', { mode: 'test' }]],
    [
      'POST /console/links/:linkId/revoke',
      async () => [`/console/links/${await idFrom('SELECT id FROM hosted_link')}/revoke`, {}],
    ],
    ['POST /console/hosted-page', async () => ['/console/hosted-page', { name: 'Wren', returnUrls: 'shopapp://done' }]],
    ['POST /console/hosted-page/logo', async () => ['/console/hosted-page/logo', { logo: SMALL_PNG }]],
    ['POST /console/people', async () => ['/console/people', { email: NEW_PERSON, role: 'support' }]],
    [
      'POST /console/people/invitations/:invitationId/withdraw',
      async () => [`/console/people/invitations/${await idFrom(invitationId)}/withdraw`, {}],
    ],
    [
      'POST /console/people/:person/role',
      async () => [`/console/people/${await personId()}/role`, { role: 'finance' }],
    ],
    ['POST /console/people/:person/remove', async () => [`/console/people/${await personId()}/remove`, {}]],
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
    ['POST /console/people/second-factor', async () => ['/console/people/second-factor', { secondFactor: 'required' }]],
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
      'POST /console/invitations/:invitationId',
      async () => {
        await tokenFor(SAM[0], 'invitation')
        return [`/console/invitations/${(await linksOf().listFor(SAM[0]))[0]?.id ?? 'used'}`, {}]
      },
    ],
    ['POST /console/tenants', async () => ['/console/tenants', { tenantId: 'demo-lender' }]],
    ['POST /v1/oauth/logout', async () => ['/v1/oauth/logout', {}]],
  ]

  /** Written down by the route itself; null: changes nothing of a lender's, so it is not written down. */
  const ACTIONS: { [route: string]: string | null } = {
    'POST /invitations/:token': 'invitation.accept',
    'POST /console/invitations/:invitationId': 'invitation.accept',
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
      sent = [path, { press: await browser.newPress(), ...form }]
      return browser.ask(path, { form: sent[1] })
    }
    const { broken, whole } =
      action === null
        ? { broken: null, whole: await attempt() }
        : await watched.withAndWithout(attempt, { isRead: route === OPEN_REPORT })
    if (broken) expect(broken.status).toBe(500)
    // Never a page: a reload of one would send the form again.
    expect(whole.status).toBe(303)
    if (action !== null) {
      expect(await watched.lastLine()).toMatchObject({ action, outcome: 'done' })
      await watched.expectChange(route)
    }
    const { text } = await browser.visit(whole.headers.get('Location') ?? '')
    if (route.endsWith('/password')) password = 'a better password'
    totpSecret = text.match(/>((?:[A-Z2-7]{4} ?){8})</)?.[1]?.replaceAll(' ', '') ?? totpSecret

    const once = await watched.everything()
    const again = await browser.ask(sent[0], { form: sent[1] })
    expect(await watched.everything()).toEqual(once)
    expect([303, 404]).toContain(again.status)
  })

  test('signing in', async () => {
    const before = await watched.everything()
    const other = service.browser()
    const form = await other.visit('/v1/oauth/login?returnTo=/console')
    const tried = await other.ask(form.url.pathname, { form: { email: SAM[0], password } })
    const broken = await watched.unwritten(() => other.visit(tried.headers.get('Location') ?? ''))
    expect(broken.response.status).toBe(500)
    expect(await watched.everything()).toEqual(before)
    await service.browser().signIn(SAM[0], password)
    expect(await watched.everything()).not.toEqual(before)
    expect(await watched.lastLine()).toMatchObject({ action: 'sign-in', outcome: 'done' })
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
        const headers = { 'Content-Type': 'application/json', Origin: ORIGIN, Cookie: signedIn.cookies() }
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
    const once = await watched.everything()
    const again = await send()
    expect([again.status, again.headers.get('Location')]).toEqual([first.status, first.headers.get('Location')])
    expect(await watched.everything()).toEqual(once)
  })

  test('reading a report', async () => {
    const token = await service.tokenOf('demo-lender', 'demo-secret')
    const read = () =>
      service.fetch(
        new Request(`${ORIGIN}/demo-lender/v1/credit-reports/${creditReportId}`, {
          headers: { Authorization: `Bearer ${token}` },
        }),
      )
    const broken = await watched.unwritten(read)
    expect(broken.status).toBe(500)
    expect(await broken.text()).not.toContain(creditReportId)
    expect((await read()).status).toBe(200)
    expect(await watched.lastLine()).toMatchObject({ action: 'report.read', object: creditReportId, outcome: '200' })
  })

  test('these are all there are', () => {
    const writes = Object.keys(PORTAL_ROUTES).filter(
      (route) => route.startsWith('POST ') || PORTAL_ROUTES[route]?.audit !== undefined,
    )
    // Signing in is above; the files and a search change nothing; a request for a link by mail is sent twice in
    // forgotten-password.engines.test.ts.
    const others = [
      'GET /v1/oauth/callback',
      'POST /password-links',
      'GET /console/audit.csv',
      'GET /console/audit.jsonl',
      'POST /console/data/find',
      'POST /console/data/print',
      'POST /console/data/export',
    ]
    expect([...acts.map(([route]) => route), ...repeatable.map(([route]) => route), ...others].sort()).toEqual(
      writes.sort(),
    )
  })
})
