// Joining a lender: only the invited person, only with their own account, only once. On both engines.
import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database, Queries } from '../../service/store/database.ts'
import { createActingApp } from '../../testing/acting.ts'
import { environmentOf, onEachEngine } from '../../testing/engines.ts'
import { ORIGIN, SAM, startTestService, type TestService } from '../../testing/portal-service.ts'
import { hashQuickly } from '../../testing/quick-passwords.ts'
import { createTestBrowser, type TestBrowser } from '../../testing/service-browser.ts'
import { linkRoutes } from './link-routes.ts'
import { createMembers } from './members.ts'
import { createOneTimeLinks, INVITATIONS_MAX } from './one-time-links.ts'
import { createUsers } from './users.ts'

hashQuickly()

const HOUR_MS = 3_600_000
const PASSWORD = 'my own long password'

onEachEngine('invitations', (place) => {
  let service: TestService
  let owner: TestBrowser
  let count = 0

  beforeAll(async () => {
    service = await startTestService(environmentOf(await place()))
    owner = service.browser()
    await owner.signIn(...SAM, '/console')
  })
  afterAll(() => service.stop())

  const clock = () => service.time.nowMs
  const users = () => createUsers({ database: service.database, clock })
  const members = () => createMembers({ database: service.database })
  const links = () => createOneTimeLinks({ database: service.database, clock, users: users() })
  const newEmail = () => {
    count += 1
    return `person${count}@elsewhere.example`
  }
  const invite = (email: string, role = 'support') => owner.visit('/console/people', { form: { email, role } })
  const roleAt = async (tenantId: string, email: string) =>
    (await members().list(tenantId)).find((member) => member.email === email)?.role

  async function newestMail(): Promise<{ to: string; subject: string; text: string }> {
    const [mail] = await (await service.fetch(new Request(`${ORIGIN}/demo/mail`))).json()
    return mail
  }
  async function linkTo(email: string): Promise<string> {
    const { to, text } = await newestMail()
    expect(to).toBe(email)
    return new URL(/https:\S+/.exec(text)?.[0] ?? '').pathname
  }
  const person = { firstName: 'Pat', lastName: 'Doe', password: PASSWORD }

  /** Someone with an account at another lender, signed in. */
  async function stranger(email: string, lastName = 'Doe'): Promise<TestBrowser> {
    const link = await links().invite(service.database, { tenantId: 'empty-lender', email, role: 'owner', by: null })
    await service.browser().visit(`/invitations/${link?.token}`, { form: { ...person, lastName } })
    const browser = service.browser()
    await browser.signIn(email, PASSWORD, '/console')
    return browser
  }

  test('the invited person chooses name and password, signs in and is a member; the link then works no more', async () => {
    const email = newEmail()
    const sent = await invite(email)
    expect(sent.text).toContain(`The invitation was sent to ${email}.`)
    const link = await linkTo(email)
    // The inviter never sees the link, and the database has no token.
    expect(sent.text).not.toContain(link)
    const token = link.split('/').at(-1) ?? ''
    expect(JSON.stringify(await service.database.all('SELECT * FROM one_time_link'))).not.toContain(token)
    expect((await newestMail()).text).toContain('Sam Lee invites you to act for Wrenfield')

    const browser = service.browser()
    expect((await browser.visit(link)).text).toContain(`Sam Lee invites ${email} to act for Wrenfield as support.`)
    const joined = await browser.visit(link, { form: person })
    expect(joined.text).toContain('<h1>Sign in</h1>')
    expect(joined.text).toContain('Your account is ready. Sign in with it.')
    expect(joined.text).toContain(`value="${email}"`)
    expect(joined.url.href).not.toContain(encodeURIComponent(email))
    // The link made an account; it did not sign in.
    expect(browser.jar.has('__Host-access')).toBe(false)
    await browser.signIn(email, PASSWORD, '/console')
    expect((await browser.visit('/console')).text).toContain('<b>Wrenfield</b>')
    // Said once: the next sign-in is like any other.
    const next = await browser.visit('/v1/oauth/login?prompt=login')
    expect(next.text).not.toMatch(/Your account is ready|value="person/)
    expect((await browser.ask('/console/people')).status).toBe(403)
    for (const form of [undefined, { ...person, password: 'another password' }]) {
      const over = await service.browser().visit(link, form ? { form } : {})
      expect(over.response.status).toBe(404)
      expect(over.text).toContain('This link does not work')
    }
    expect((await users().verifyPassword(email, PASSWORD))?.email).toBe(email)
  })

  test('an account of another lender is not taken over: its own session must accept, the link alone does nothing to it', async () => {
    const email = newEmail()
    const theirs = await stranger(email)
    await invite(email, 'owner')
    const link = await linkTo(email)
    expect(await roleAt('demo-lender', email)).toBeUndefined()

    // With the link and without a session: neither a new password nor a membership.
    const thief = service.browser()
    const shown = await thief.visit(link)
    expect(shown.text).toContain('Sign in with it to accept.')
    expect(shown.text).not.toContain('type="password"')
    const tried = await thief.visit(link, { form: { ...person, password: 'the thief’s password' } })
    expect(tried.text).toContain('<h1>Sign in</h1>')
    // With the link and another account's session.
    const [invitation] = await links().listInvitations('demo-lender')
    if (invitation === undefined) throw new Error('no invitation')
    const accept = `/console/invitations/${invitation.id}`
    expect(shown.text).toContain(`href="${accept}"`)
    expect(shown.text).not.toContain(`${link}"`)
    const asSam = await owner.visit(accept)
    expect(asSam.text).toContain(`You are signed in as ${SAM[0]}`)
    expect((await owner.visit(accept, { form: {} })).response.status).toBe(409)
    const sam = await users().findByEmail(SAM[0])
    expect(await links().accept(service.database, invitation, { id: sam?.id ?? '', email: SAM[0] })).toBe(false)
    expect(await users().verifyPassword(email, 'the thief’s password')).toBeNull()
    expect(await roleAt('demo-lender', email)).toBeUndefined()

    expect((await theirs.visit(accept)).text).toContain('<h1>Join Wrenfield?</h1>')
    const accepted = await theirs.visit(accept, { form: {} })
    expect(accepted.text).toContain('You can act for Wrenfield now. Choose it with “Change lender”.')
    expect(accepted.text).toContain('<b>Empty Lender</b>')
    expect(await roleAt('demo-lender', email)).toBe('owner')
    expect(await roleAt('empty-lender', email)).toBe('owner')
    expect((await theirs.visit(accept, { form: {} })).text).toContain('was used, withdrawn, or is too old')
    expect((await users().verifyPassword(email, PASSWORD))?.email).toBe(email)
  })

  test('a lender that requires two-step sign-in stays closed after acceptance until the person, signed in, has turned it on', async () => {
    const email = newEmail()
    await members().requireSecondFactor(service.database, { tenantId: 'other-lender', required: true, by: null })
    const link = await links().invite(service.database, { tenantId: 'other-lender', email, role: 'owner', by: null })
    const path = `/invitations/${link?.token}`
    // The link makes an account; it signs no one in, so no one can enrol with it.
    const holder = service.browser()
    await holder.ask(path, { form: person })
    for (const form of [{ password: PASSWORD }, { code: '000000' }]) {
      const enrol = await holder.ask(`/console/profile/totp${'code' in form ? '/confirm' : ''}`, { form })
      expect(enrol.headers.get('Location')).toContain('/v1/oauth/login')
    }
    const browser = service.browser()
    await browser.signIn(email, PASSWORD, '/console')
    const closed = await browser.visit('/console')
    expect(closed.text).toContain('needs two-step sign-in')
    expect((await browser.ask('/console/people')).status).toBe(200)
    expect((await browser.visit('/console/people')).text).toContain('<h1>Choose a lender</h1>')
    expect((await browser.ask('/other-lender/v1/wallet')).status).toBe(403)
    // The session alone is not enough either: it takes the password, then a code of the app.
    expect((await browser.ask('/console/profile/totp', { form: { password: 'wrong' } })).status).toBe(400)
    const { text } = await browser.visit('/console/profile/totp', { form: { password: PASSWORD } })
    expect((await browser.ask('/other-lender/v1/wallet')).status).toBe(403)
    const secret = (/>((?:[A-Z2-7]{4} ?){8})</.exec(text)?.[1] ?? '').replaceAll(' ', '')
    const code = generateSync({ secret, epoch: Math.floor(clock() / 1000) })
    await browser.visit('/console/profile/totp/confirm', { form: { code } })
    expect((await browser.visit('/console/people')).text).toContain(email)
    await members().requireSecondFactor(service.database, { tenantId: 'other-lender', required: false, by: null })
  })

  test('the inviter cannot tell whether an address has an account: same words, same statements', async () => {
    const [known, unknown] = [newEmail(), newEmail()]
    await stranger(known, 'Secretname')
    const masked = async (email: string) => {
      const { response, text } = await invite(email)
      return [
        response.status,
        text.replaceAll(email, 'EMAIL').replace(/press" value="[\w.-]+|(?<=invitations\/)[\w-]+/g, ''),
      ]
    }
    const withdrawAll = () => service.database.run('DELETE FROM one_time_link')
    await withdrawAll()
    const first = await masked(known)
    await withdrawAll()
    expect(await masked(unknown)).toEqual(first)
    expect(JSON.stringify(first)).not.toContain('Secretname')

    const statementsFor = async (email: string) => {
      const statements: string[] = []
      const listening = (queries: Queries): Queries => {
        const log =
          (method: 'all' | 'first' | 'run') =>
          (sql: string, ...values: never[]) => {
            statements.push(sql)
            return queries[method](sql, ...values)
          }
        return { ...queries, all: log('all'), first: log('first'), run: log('run') } as Queries
      }
      const { database } = service
      const act = {
        transaction: (work: (queries: Queries) => Promise<unknown>) =>
          database.transaction((queries) => work(listening(queries))),
      }
      const invitation = { tenantId: 'demo-lender', email, role: 'support', by: null } as const
      await links().invite(act as Database, invitation)
      return statements
    }
    expect(await statementsFor(known)).toEqual(await statementsFor(unknown))
  })

  test('it works for 72 hours and not a millisecond longer; a withdrawn, replaced or made-up link says the same', async () => {
    const email = newEmail()
    await invite(email)
    const replaced = await linkTo(email)
    await invite(email)
    const link = await linkTo(email)
    service.time.nowMs += 72 * HOUR_MS - 1
    expect((await service.browser().visit(link)).response.status).toBe(200)
    service.time.nowMs += 1
    const expired = await service.browser().visit(link)
    expect((await service.browser().visit(link, { form: person })).response.status).toBe(404)
    await owner.signIn(...SAM, '/console')

    const other = newEmail()
    await invite(other)
    const withdrawn = await linkTo(other)
    const [, id = ''] = /invitations\/([\w-]+)\/withdraw/.exec((await owner.visit('/console/people')).text) ?? []
    expect((await owner.visit(`/console/people/invitations/${id}/withdraw`)).text).toContain(
      `sent to ${other} stops working`,
    )
    const done = await owner.visit(`/console/people/invitations/${id}/withdraw`, { form: {} })
    expect(done.text).toContain(`The invitation of ${other} was withdrawn.`)
    for (const path of [
      replaced,
      withdrawn,
      '/invitations/x',
      `/invitations/${'x'.repeat(43)}`,
      `/invitations/${'x'.repeat(5_000)}`,
    ]) {
      const { response, text } = await service.browser().visit(path)
      expect([response.status, text]).toEqual([404, expired.text])
    }
    expect(expired.text).not.toMatch(/Wrenfield|elsewhere\.example/)
    expect(await users().findByEmail(email)).toBeNull()
  })

  test('accepted in many tabs at once, it makes one account and one membership', async () => {
    const email = newEmail()
    await invite(email)
    const link = await linkTo(email)
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, tab) =>
        service.browser().ask(link, { form: { ...person, lastName: `Tab${tab}` } }),
      ),
    )
    const joined = answers.filter((answer) => answer.headers.get('Location')?.includes('/v1/oauth/login'))
    expect(joined).toHaveLength(1)
    expect(await service.database.all('SELECT 1 AS one FROM user_account WHERE email = ?', email)).toHaveLength(1)
    expect(await roleAt('demo-lender', email)).toBe('support')
  })

  test('two lenders invite one new address, and both are accepted at once: one account, no lender joined without its person', async () => {
    const email = newEmail()
    const tokens = await Promise.all(
      ['demo-lender', 'other-lender'].map((tenantId) =>
        links().invite(service.database, { tenantId, email, role: 'support', by: null }),
      ),
    )
    await Promise.all(tokens.map((link) => service.browser().ask(`/invitations/${link?.token}`, { form: person })))
    const roles = [await roleAt('demo-lender', email), await roleAt('other-lender', email)]
    expect(roles.filter((role) => role === 'support')).toHaveLength(1)
    // The other is still open, for the account that now exists.
    expect(await service.database.all('SELECT 1 AS one FROM one_time_link WHERE email = ?', email)).toHaveLength(1)
  })

  test('one’s own name and password are asked for in words; nothing is lost by a mistake', async () => {
    const email = newEmail()
    await invite(email)
    const link = await linkTo(email)
    const refused = await service
      .browser()
      .visit(link, { form: { firstName: ' Pat "><b> ', lastName: '\u202e', password: 'short' } })
    expect(refused.response.status).toBe(400)
    expect(refused.text).toContain('Type your last name.')
    expect(refused.text).toContain('must have 12 to 256 characters')
    expect(refused.text).toContain('Pat &quot;&gt;&lt;b&gt;')
    const forged = await service.browser().ask(link, { form: person, headers: { Origin: 'https://evil.example' } })
    expect(forged.status).toBe(403)
    expect((await service.browser().visit(link, { form: person })).text).toContain('<h1>Sign in</h1>')
  })

  test.each([
    ['no address', { email: 'no-one', role: 'support' }, 'Type an e-mail address'],
    ['two addresses', { email: 'a@b.example,c@d.example', role: 'support' }, 'Type an e-mail address'],
    ['no role', { email: 'a@b.example' }, 'Choose a role.'],
    ['a role that is none', { email: 'a@b.example', role: 'operator' }, 'Choose a role.'],
    ['oneself', { email: SAM[0].toUpperCase(), role: 'support' }, 'They act for this lender already.'],
  ])('an invitation of %s is refused in words, and what was typed stays', async (_what, form, problem) => {
    const before = await service.database.all('SELECT * FROM one_time_link')
    const { response, text } = await owner.visit('/console/people', { form: form as { [name: string]: string } })
    expect(response.status).toBe(400)
    expect(text).toContain(problem)
    expect(text).toContain(`value="${form.email}"`)
    expect(await service.database.all('SELECT * FROM one_time_link')).toEqual(before)
    expect(await roleAt('demo-lender', SAM[0])).toBe('owner')
  })

  test('an owner sees and withdraws the invitations of their own lender alone', async () => {
    const email = newEmail()
    const theirs = await links().invite(service.database, { tenantId: 'other-lender', email, role: 'owner', by: null })
    const [invitation] = await links().listInvitations('other-lender')
    expect((await owner.visit('/console/people')).text).not.toContain(email)
    const path = `/console/people/invitations/${invitation?.id}/withdraw`
    for (const init of [{}, { form: {} }]) expect((await owner.visit(path, init)).response.status).toBe(404)
    expect((await service.browser().visit(`/invitations/${theirs?.token}`)).response.status).toBe(200)
  })

  test('so many may be open, and so many mails leave in an hour', async () => {
    for (let index = 0; index < INVITATIONS_MAX; index += 1) {
      await links().invite(service.database, { tenantId: 'empty-lender', email: newEmail(), role: 'support', by: null })
    }
    const one = { tenantId: 'empty-lender', email: newEmail(), role: 'support', by: null } as const
    expect(await links().invite(service.database, one)).toBeNull()
    await service.database.run(`DELETE FROM one_time_link WHERE tenant_id = 'empty-lender'`)
    service.time.nowMs += HOUR_MS
    await owner.signIn(...SAM, '/console')
    for (let index = 0; index < 30; index += 1) {
      const email = newEmail()
      expect((await invite(email)).text).toContain('was sent to')
      await service.database.run('DELETE FROM one_time_link WHERE email = ?', email)
    }
    expect((await invite(newEmail())).text).toContain('Too many invitations. Wait 60 minutes')
    service.time.nowMs += HOUR_MS
    await owner.signIn(...SAM, '/console')
    expect((await invite(newEmail())).text).toContain('was sent to')
  })

  test('a password link sets a password once, and opens nothing else', async () => {
    const email = newEmail()
    const browser = await stranger(email)
    const link = await links().resetPassword(service.database, email)
    expect((await browser.visit('/console')).text).toContain('<h1>Sign in</h1>')
    const path = `/password-links/${link?.token}`
    expect((await browser.visit(`/invitations/${link?.token}`)).response.status).toBe(404)
    expect((await browser.visit(path)).text).toContain(`For ${email}.`)
    expect((await browser.visit(path, { form: { password: 'short' } })).response.status).toBe(400)
    const answers = await Promise.all(
      ['first password here', 'second password here'].map((password) =>
        service.browser().ask(path, { form: { password } }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404])
    // Neither is signed in: the one cookie fills in the address of the next sign-in.
    const cookies = answers.flatMap((answer) => answer.headers.getSetCookie())
    expect(cookies).toEqual([expect.stringMatching(/^__Host-ready=/)])
    expect((await browser.visit(path)).text).toContain('This link does not work')
    const works = await Promise.all(
      ['first password here', 'second password here', PASSWORD].map((each) => users().verifyPassword(email, each)),
    )
    expect(works.filter((user) => user !== null)).toHaveLength(1)
  })
})

describe('where no mail is sent', () => {
  test('because the mail server is down: the invitation is not open, and the page says so', async () => {
    const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'portal@service.example' }
    const service = await startTestService(mail)
    const browser = service.browser()
    await browser.signIn(...SAM, '/console')
    const refused = await browser.visit('/console/people', { form: { email: 'a@b.example', role: 'support' } })
    expect(refused.response.status).toBe(409)
    expect(refused.text).toContain('The mail server did not take the invitation. Invite them again later.')
    expect(await service.database.all('SELECT * FROM one_time_link')).toEqual([])
    await service.stop()
  })

  test('the page says who prints invitations, and no form asks for one', async () => {
    const service = await startTestService({ DEMO: '0' })
    const browser = service.browser()
    await browser.signIn(...SAM, '/console')
    const { text } = await browser.visit('/console/people')
    expect(text).toContain('npm run admin -- user invite demo-lender EMAIL --role support')
    expect(text).not.toContain('action="/console/people"')
    const refused = await browser.visit('/console/people', { form: { email: 'a@b.example', role: 'support' } })
    expect(refused.response.status).toBe(409)
    expect(await service.database.all('SELECT * FROM one_time_link')).toEqual([])
    await service.stop()
  })
})

test('where another provider signs people in, an account has no password, and no password link opens', async () => {
  const service = await startTestService()
  const { database } = service
  const clock = () => service.time.nowMs
  const users = createUsers({ database, clock })
  const links = createOneTimeLinks({ database, clock, users })
  const app = createActingApp({ database, clock })
  app.route('/', linkRoutes({ clock, trustedHops: 0, links, users, passwords: null }))
  const browser = createTestBrowser((request) => app.fetch(request), ORIGIN)
  const email = 'pat@elsewhere.example'
  const link = await links.invite(database, { tenantId: 'demo-lender', email, role: 'support', by: null })
  expect((await browser.visit(`/invitations/${link?.token}`)).text).not.toContain('type="password"')
  const form = { firstName: 'Pat', lastName: 'Doe', password: PASSWORD }
  expect((await browser.ask(`/invitations/${link?.token}`, { form })).status).toBe(303)
  const row = await database.first('SELECT password_hash FROM user_account WHERE email = ?', email)
  expect(row).toEqual({ password_hash: null })
  const reset = await links.resetPassword(database, email)
  expect((await browser.ask(`/password-links/${reset?.token}`, { form })).status).toBe(404)
  await service.stop()
})
