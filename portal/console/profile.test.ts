// One’s own password and sessions.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ORIGIN, SAM, startTestService, type TestService } from '../../testing/portal-service.ts'
import { hashQuickly } from '../../testing/quick-passwords.ts'
import { createTestBrowser, type TestBrowser } from '../../testing/service-browser.ts'
import { createUsers } from '../identity/users.ts'

hashQuickly()

const KIM = 'kim@demo-lender.example'
let service: TestService
let sam: TestBrowser
let kim: TestBrowser

beforeAll(async () => {
  service = await startTestService()
  const { database, time } = service
  const sql = 'SELECT password_hash AS hash FROM user_account WHERE email = ?'
  const passwordHash = String((await database.first<{ hash: string }>(sql, SAM[0]))?.hash)
  const person = { email: KIM, firstName: 'Kim', lastName: 'A', passwordHash, tenantIds: ['demo-lender'] }
  await createUsers({ database, clock: () => time.nowMs }).create(database, { ...person, role: 'support' })
  sam = service.browser()
  kim = service.browser()
  await sam.signIn(...SAM, '/console')
  await kim.signIn(KIM, SAM[1], '/console')
})
afterAll(() => service.stop())

test('a new password needs the old one and twelve characters, and ends every other session', async () => {
  const other = service.browser()
  await other.signIn(...SAM, '/console')
  const change = (current: string, next: string) =>
    sam.visit('/console/profile/password', { form: { current, new: next } })
  expect((await change('wrong', 'a much longer one')).text).toContain('That is not your password.')
  expect((await change(SAM[1], 'short')).text).toContain('must have 12 to 256 characters')
  expect((await other.visit('/console')).text).toContain('<b>Wrenfield</b>')
  expect((await change(SAM[1], 'a much longer one')).text).toContain('Your password was changed.')
  expect((await other.visit('/console')).text).toContain('Sign in')
  expect((await sam.visit('/console')).text).toContain('<b>Wrenfield</b>')
  await other.signIn(SAM[0], 'a much longer one', '/console')
  expect((await other.visit('/console')).text).toContain('<b>Wrenfield</b>')
})

test('five wrong passwords, then a pause, also for the right one', async () => {
  const begin = (password: string) => kim.visit('/console/profile/totp', { form: { password } })
  service.time.nowMs += 300_000
  for (let tries = 0; tries < 5; tries += 1) expect((await begin('wrong')).text).toContain('not your password')
  expect((await begin(SAM[1])).text).toContain('Too many tries')
  service.time.nowMs += 300_000
  expect((await begin(SAM[1])).text).toContain('<h1>Set up an authenticator app</h1>')
})

test.each([
  ['198.51.100.7', '198.51.100.x'],
  ['::ffff:198.51.100.7', '198.51.100.x'],
  ['2001:db8:1:2::7', '2001:db8:1::/48'],
])('a session from %s is listed as from %s, and the rest is not stored', async (remoteAddress, shown) => {
  const env = { incoming: { socket: { remoteAddress } } }
  const other = createTestBrowser((request) => service.fetch(request, env), ORIGIN)
  await other.signIn(KIM, SAM[1], '/console')
  expect((await other.visit('/console/profile')).text).toContain(`>${shown}</div>`)
  const rows = await service.database.all('SELECT * FROM user_session')
  expect(JSON.stringify(rows)).not.toContain(remoteAddress)
  await other.visit('/v1/oauth/logout', { form: {} })
})

test('a session is ended from another browser, and no one ends a stranger’s', async () => {
  const other = service.browser()
  await other.signIn(KIM, SAM[1], '/console')
  const { text } = await other.visit('/console/profile')
  const [, id = ''] = /name="id" value="([^"]+)"/.exec(text) ?? []
  expect(id).not.toBe('')
  await sam.visit('/console/profile/sessions/end', { form: { id } })
  expect((await kim.visit('/console')).text).toContain('<b>Wrenfield</b>')
  await other.visit('/console/profile/sessions/end', { form: { id } })
  expect((await kim.visit('/console')).text).toContain('Sign in')
  expect((await other.visit('/console')).text).toContain('<b>Wrenfield</b>')
})
