// The API about a lender's people.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataOf } from '../../testing/data-of.ts'
import { environmentOf, onEachEngine } from '../../testing/engines.ts'
import { ORIGIN, SAM, startTestService, type TestService } from '../../testing/portal-service.ts'
import { hashQuickly } from '../../testing/quick-passwords.ts'
import type { TestBrowser } from '../../testing/service-browser.ts'
import { createMembers } from './members.ts'
import { createUsers } from './users.ts'

hashQuickly()

onEachEngine('members by API', (place) => {
  let service: TestService
  let browser: TestBrowser
  let samId: string
  let patId: string

  beforeAll(async () => {
    service = await startTestService(environmentOf(await place()))
    const { database, time } = service
    const users = createUsers({ database, clock: () => time.nowMs })
    const person = { email: 'pat@demo-lender.example', firstName: 'Pat', lastName: '<b>', tenantIds: ['demo-lender'] }
    patId = (await users.create(database, { ...person, role: 'support' }))?.id ?? ''
    samId = (await users.findByEmail(SAM[0]))?.id ?? ''
    browser = service.browser()
    await browser.signIn(...SAM, '/console')
  })
  afterAll(() => service.stop())

  async function call(method: string, path: string, body?: object, headers: { [name: string]: string } = {}) {
    const cookies = browser.cookies()
    const proof = headers.Authorization ? headers : { Cookie: cookies, Origin: ORIGIN, ...headers }
    const response = await service.fetch(
      new Request(`${ORIGIN}/demo-lender/v1/${path}`, {
        method,
        headers: { 'Content-Type': 'application/json', ...proof },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
    )
    const text = await response.text()
    const answer = text === '' ? null : dataOf(JSON.parse(text))
    return { status: response.status, body: answer, text: answer === null ? '' : JSON.stringify(answer) }
  }
  const lines = async () =>
    (
      await service.database.all<{ action: string; object: string; outcome: string; change_json: string | null }>(
        `SELECT action, object, outcome, change_json FROM audit_event ORDER BY sequence`,
      )
    ).map((line) => [line.action, line.object, line.outcome, JSON.parse(line.change_json ?? 'null')])
  const inbox = async (): Promise<{ to: string; text: string }[]> =>
    (await service.fetch(new Request(`${ORIGIN}/demo/mail`))).json()

  test('lists who acts for the lender', async () => {
    const { status, body } = await call('GET', 'members')
    expect(status).toBe(200)
    expect(body.members).toEqual([
      { id: patId, name: 'Pat <b>', email: 'pat@demo-lender.example', role: 'support', totpEnabled: false },
      { id: samId, name: 'Sam Lee', email: SAM[0], role: 'owner', totpEnabled: false },
    ])
  })

  test('changes a role; the same once more changes nothing', async () => {
    const first = await call('PUT', `members/${patId}`, { role: 'finance' })
    expect([first.status, first.body.role]).toEqual([200, 'finance'])
    expect((await lines()).at(-1)).toEqual(['person.role', patId, 'done', { from: 'support', to: 'finance' }])
    expect(await call('PUT', `members/${patId}`, { role: 'finance' })).toEqual(first)
    expect((await lines()).at(-1)).toEqual(['person.role', patId, '200', null])
  })

  test.each([
    ['a role that is none', 'PUT', () => [`members/${patId}`, { role: 'viewer' }], 400],
    ['no role', 'PUT', () => [`members/${patId}`, {}], 400],
    ['a person who is none', 'PUT', () => ['members/no-one', { role: 'owner' }], 404],
    ['the last owner', 'PUT', () => [`members/${samId}`, { role: 'support' }], 400],
    ['the last owner, removed', 'DELETE', () => [`members/${samId}`], 400],
    ['a second factor that oneself does not have', 'PUT', () => ['second-factor', { required: true }], 400],
    [
      'an invitation of a member',
      'POST',
      () => ['invitations', { email: 'PAT@demo-lender.example', role: 'support' }],
      400,
    ],
    ['an invitation of no address', 'POST', () => ['invitations', { email: 'pat', role: 'owner' }], 400],
    ['an invitation without a role', 'POST', () => ['invitations', { email: 'a@b.example' }], 400],
  ] as const)('%s is refused, and nothing changes', async (_what, method, request, expected) => {
    const [path, body] = request() as [string, object?]
    const before = (await call('GET', 'members')).text + (await call('GET', 'invitations')).text
    const { status } = await call(method, path, body)
    expect(status).toBe(expected)
    expect((await call('GET', 'members')).text + (await call('GET', 'invitations')).text).toBe(before)
  })

  test('invites by mail, never shows the link, and withdraws as often as one likes', async () => {
    const { status, body, text } = await call('POST', 'invitations', { email: 'New@Lender.example', role: 'auditor' })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.any(String),
      email: 'new@lender.example',
      role: 'auditor',
      invitedBy: 'Sam Lee',
      expiresAt: expect.stringMatching(/Z$/),
    })
    const [mail] = await inbox()
    const token = /invitations\/([\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? ''
    expect([mail?.to, token]).toEqual(['new@lender.example', expect.stringMatching(/^.{43}$/)])
    const listed = await call('GET', 'invitations')
    expect(listed.body).toEqual({ invitations: [body] })
    for (const answer of [text, listed.text]) expect(answer).not.toContain(token)

    for (const _time of [1, 2]) expect((await call('DELETE', `invitations/${body.id}`)).status).toBe(204)
    expect((await call('GET', 'invitations')).body).toEqual({ invitations: [] })
    expect((await service.fetch(new Request(`${ORIGIN}/invitations/${token}`))).status).toBe(404)
  })

  test('requires two-step sign-in once the caller has it', async () => {
    const { database } = service
    await database.run('UPDATE user_account SET totp_enabled_at_ms = 1 WHERE id = ?', samId)
    for (const required of [true, true, false]) {
      expect(await call('PUT', 'second-factor', { required })).toMatchObject({ status: 200, body: { required } })
      expect((await call('GET', 'second-factor')).body).toEqual({ required })
    }
    await database.run('UPDATE user_account SET totp_enabled_at_ms = NULL')
  })

  test('no API client may, whatever its scopes', async () => {
    const headers = { Authorization: `Bearer ${await service.tokenOf('demo-lender', 'demo-secret')}` }
    for (const [method, path, body] of [
      ['GET', 'members'],
      ['PUT', `members/${patId}`, { role: 'owner' }],
      ['DELETE', `members/${patId}`],
      ['GET', 'invitations'],
      ['POST', 'invitations', { email: 'thief@evil.example', role: 'owner' }],
      ['DELETE', 'invitations/x'],
      ['GET', 'second-factor'],
      ['PUT', 'second-factor', { required: false }],
    ] as const) {
      const { status, body: answer } = await call(method, path, body, headers)
      expect([path, status, answer.code]).toEqual([path, 403, 'forbidden'])
    }
    expect((await createMembers({ database: service.database }).list('demo-lender')).map(({ role }) => role)).toEqual([
      'finance',
      'owner',
    ])
  })

  test('another site’s page may not', async () => {
    const { status } = await call('DELETE', `members/${patId}`, undefined, { Origin: 'https://evil.example' })
    expect(status).toBe(403)
  })

  test('an older sign-in reads, and changes nothing', async () => {
    service.time.nowMs += 14 * 60_000
    await browser.ask('/console')
    service.time.nowMs += 60_000
    await browser.visit('/console')
    expect((await call('GET', 'members')).status).toBe(200)
    const refused = await call('DELETE', `members/${patId}`)
    expect([refused.status, refused.body.code]).toEqual([403, 'proof-required'])
    expect((await lines()).at(-1)).toEqual(['person.remove', patId, '403', null])
    await browser.ask('/console/people/x/remove', { form: { proof: SAM[1] } })
    for (const _time of [1, 2]) expect((await call('DELETE', `members/${patId}`)).status).toBe(204)
    expect((await call('GET', 'members')).body.members).toHaveLength(1)
  })
})
