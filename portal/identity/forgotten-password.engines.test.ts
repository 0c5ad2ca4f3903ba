// A person who forgot their password sets a new one by mail, on both engines. Asking for it proves nothing and changes
// nothing.
import { generateSync } from 'otplib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AuditRow } from '../../plugins/audit/tables.ts'
import { createSilentLog } from '../../service/log.ts'
import { createActingApp } from '../../testing/acting.ts'
import { environmentOf, onEachEngine } from '../../testing/engines.ts'
import { ORIGIN, SAM, startTestService, type TestService } from '../../testing/portal-service.ts'
import { hashQuickly } from '../../testing/quick-passwords.ts'
import { createTestBrowser } from '../../testing/service-browser.ts'
import { createGuesses } from './guesses.ts'
import { linkRoutes } from './link-routes.ts'
import type { MailMessage } from './mail.ts'
import { createOneTimeLinks } from './one-time-links.ts'
import { createUsers } from './users.ts'

hashQuickly()

const HOUR_MS = 3_600_000
const PASSWORD = 'my own long password'
const NEW_PASSWORD = 'another long password'

onEachEngine('a forgotten password', (place) => {
  let service: TestService
  let email: string
  let count = 0
  let lastLine = 0

  beforeAll(async () => {
    service = await startTestService(environmentOf(await place()))
  })
  afterAll(() => service.stop())
  // A person of their own for each test, and a new hour.
  beforeEach(async () => {
    service.time.nowMs += HOUR_MS
    email = await newPerson()
    const last = await service.database.first<{ last: number }>('SELECT MAX(sequence) AS last FROM audit_event')
    lastLine = last?.last ?? 0
  })

  const clock = () => service.time.nowMs
  const users = () => createUsers({ database: service.database, clock })
  const links = () => createOneTimeLinks({ database: service.database, clock, users: users() })
  const ask = (typed: string) => service.browser().ask('/password-links', { form: { email: typed } })
  const open = () => service.database.all('SELECT * FROM one_time_link WHERE email = ?', email)
  const lines = () =>
    service.database.all<AuditRow>('SELECT * FROM audit_event WHERE sequence > ? ORDER BY sequence', lastLine)

  /** A member of two lenders. */
  async function newPerson(): Promise<string> {
    count += 1
    const address = `person${count}@elsewhere.example`
    for (const tenantId of ['demo-lender', 'other-lender']) {
      const link = await links().invite(service.database, { tenantId, email: address, role: 'support', by: null })
      const browser = service.browser()
      const person = { firstName: 'Pat', lastName: 'Doe', password: PASSWORD }
      if (tenantId === 'demo-lender') await browser.ask(`/invitations/${link?.token}`, { form: person })
      else {
        await browser.signIn(address, PASSWORD, '/console')
        const [invitation] = await links().listFor(address)
        await browser.ask(`/console/invitations/${invitation?.id}`, { form: {} })
      }
    }
    return address
  }

  async function mails(): Promise<MailMessage[]> {
    const all: MailMessage[] = await (await service.fetch(new Request(`${ORIGIN}/demo/mail`))).json()
    return all.filter(({ to, subject }) => to === email && subject === 'New password')
  }
  async function mailedLink(): Promise<string> {
    await ask(email)
    await expect.poll(mails).toHaveLength(1)
    const [mail] = await mails()
    return new URL(/https:\S+/.exec(mail?.text ?? '')?.[0] ?? '').pathname
  }

  test('the mailed link sets a password once, for an hour, and ends every session and every other link', async () => {
    const [browser, other] = [service.browser(), service.browser()]
    for (const each of [browser, other]) await each.signIn(email, PASSWORD, '/console')
    const operators = await links().forgotPassword(service.database, {
      id: (await users().findByEmail(email))?.id ?? '',
      email,
    })
    service.time.nowMs += 60_000
    const path = await mailedLink()
    // Until the link is used nothing has changed.
    expect((await browser.visit('/console/profile')).text).toContain(email)
    expect((await users().verifyPassword(email, PASSWORD))?.email).toBe(email)

    expect((await browser.visit(path)).text).toContain(`For ${email}.`)
    const set = await service.browser().visit(path, { form: { password: NEW_PASSWORD } })
    expect(set.text).toContain('<h1>Sign in</h1>')
    expect(set.text).toContain('Your password is set. Sign in with it.')
    expect(set.text).toContain(`value="${email}"`)
    for (const each of [browser, other]) {
      expect((await each.visit('/console/profile')).text).toContain('<h1>Sign in</h1>')
    }
    expect(await users().verifyPassword(email, PASSWORD)).toBeNull()
    expect((await users().verifyPassword(email, NEW_PASSWORD))?.email).toBe(email)
    for (const over of [path, `/password-links/${operators?.token}`]) {
      const again = await browser.ask(over, { form: { password: 'a third long password' } })
      expect(again.status).toBe(404)
    }
    expect(await open()).toEqual([])
  })

  test('it works for an hour and not a millisecond longer', async () => {
    const path = await mailedLink()
    service.time.nowMs += HOUR_MS - 1
    expect((await service.browser().ask(path)).status).toBe(200)
    service.time.nowMs += 1
    expect((await service.browser().ask(path)).status).toBe(404)
    expect((await service.browser().ask(path, { form: { password: NEW_PASSWORD } })).status).toBe(404)
  })

  test('two-step sign-in stays on: the new password alone opens nothing', async () => {
    const browser = service.browser()
    await browser.signIn(email, PASSWORD, '/console')
    const { text } = await browser.visit('/console/profile/totp', { form: { password: PASSWORD } })
    const secret = (/>((?:[A-Z2-7]{4} ?){8})</.exec(text)?.[1] ?? '').replaceAll(' ', '')
    const code = () => generateSync({ secret, epoch: Math.floor(clock() / 1000) })
    await browser.visit('/console/profile/totp/confirm', { form: { code: code() } })
    const path = await mailedLink()
    await service.browser().ask(path, { form: { password: NEW_PASSWORD } })
    const signedIn = await browser.signIn(email, NEW_PASSWORD, '/console')
    expect(signedIn.text).toContain('<h1>Security code</h1>')
    expect((await browser.visit('/console')).text).toContain('<h1>Sign in</h1>')
  })

  test('sent twice, or many times at once, the form makes one link and one mail', async () => {
    const answers = await Promise.all(Array.from({ length: 3 }, () => ask(email)))
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
    await expect.poll(mails).toHaveLength(1)
    await expect.poll(open).toHaveLength(1)
    expect((await lines()).filter(({ tenant_id }) => tenant_id === 'demo-lender')).toHaveLength(1)
  })

  test('an address without an account gets the same words, no mail and no line', async () => {
    const answer = async (typed: string) => {
      const browser = service.browser()
      const { response, url, text } = await browser.visit('/password-links', { form: { email: typed } })
      const headers = [...response.headers].filter(([name]) => name !== 'x-request-id')
      return [response.status, url.href, text, headers]
    }
    const unknown = await answer('no-one@elsewhere.example')
    expect(await lines()).toEqual([])
    expect(await answer(email)).toEqual(unknown)
    expect(String(unknown[2])).toContain('If there is an account with that address')
    await expect.poll(mails).toHaveLength(1)
    const sent: MailMessage[] = await (await service.fetch(new Request(`${ORIGIN}/demo/mail`))).json()
    expect(sent.filter(({ to }) => to === 'no-one@elsewhere.example')).toEqual([])
  })

  test('three an hour for one address, in the same words whether or not it has an account', async () => {
    const statuses = async (typed: string) => {
      const answers = [await ask(typed), await ask(typed), await ask(typed)].map(({ status }) => status)
      const refused = await ask(typed)
      return [...answers, refused.status, (await refused.text()).replaceAll(typed, 'EMAIL')]
    }
    const known = await statuses(email)
    expect(known.slice(0, 4)).toEqual([303, 303, 303, 429])
    expect(known[4]).toContain('Too many requests. Wait 60 minutes')
    expect(await statuses('no-one@elsewhere.example')).toEqual(known)
    service.time.nowMs += HOUR_MS
    expect((await ask(email)).status).toBe(303)
  })

  test('twenty an hour for one network, and the refused count against no address', async () => {
    for (let index = 0; index < 20; index += 1) {
      expect((await ask(`someone${index}@elsewhere.example`)).status).toBe(303)
    }
    for (let index = 0; index < 4; index += 1) expect((await ask(email)).status).toBe(429)
    const guesses = await service.database.all(`SELECT subject FROM guess WHERE subject LIKE 'forgotten %'`)
    expect(guesses.filter(({ subject }) => !String(subject).startsWith('forgotten from'))).toHaveLength(20)
    expect(JSON.stringify(guesses)).not.toContain('elsewhere')
    expect(await mails()).toEqual([])
  })

  test('each of the person’s lenders has a line of the request and of the new password, also once they have left', async () => {
    const path = await mailedLink()
    await service.browser().ask(path, { form: { password: NEW_PASSWORD } })
    const userId = (await users().findByEmail(email))?.id ?? ''
    await users().remove(service.database, email)
    const asked = { action: 'password-link.send', actor_kind: 'unknown', actor_id: null, object: userId }
    const set = { action: 'password.set', actor_kind: 'person', actor_id: userId }
    const named = { actor_name: 'Pat Doe', actor_email: email, outcome: 'done' }
    expect(await lines()).toMatchObject(
      [asked, set].flatMap((line) =>
        ['demo-lender', 'other-lender'].map((tenant_id) => ({ ...line, ...named, tenant_id })),
      ),
    )
  })

  test.each([
    ['no address', { email: 'no-one' }, {}, 400],
    ['two addresses', { email: 'a@b.example,c@d.example' }, {}, 400],
    ['a very long one', { email: `${'a'.repeat(5_000)}@b.example` }, {}, 400],
    ['none at all', {}, {}, 400],
    ['a form of another site', { email: SAM[0] }, { Origin: 'https://evil.example' }, 403],
  ])('%s is refused', async (_what, form, headers, status) => {
    const before = await service.database.all('SELECT * FROM guess')
    expect((await service.browser().ask('/password-links', { form: { ...form }, headers })).status).toBe(status)
    expect(await service.database.all('SELECT * FROM guess')).toEqual(before)
  })

  test('expired links, forms, sessions and sign-ins are deleted by the sweeper', async () => {
    const tables = ['one_time_link', 'console_press', 'user_session', 'sign_in_attempt']
    const counts = () =>
      Promise.all(tables.map(async (table) => (await service.database.all(`SELECT 1 AS one FROM ${table}`)).length))
    const browser = service.browser()
    await browser.signIn(email, PASSWORD, '/console')
    await browser.ask('/console/profile/totp', { form: { password: PASSWORD } })
    const { passwordHash = '', id = '' } = (await users().verifyPassword(email, PASSWORD)) ?? {}
    await service.database.run(
      'INSERT INTO sign_in_attempt (verifier_digest, user_id, codes_tried, expires_at_ms) VALUES (?, ?, 0, ?)',
      passwordHash,
      id,
      clock() + 1,
    )
    await ask(email)
    await expect.poll(mails).toHaveLength(1)
    await service.sweeper.sweep()
    expect(Math.min(...(await counts()))).toBeGreaterThan(0)
    // A key that no page came for is not kept for as long as its form.
    service.time.nowMs += 600_000
    await service.sweeper.sweep()
    expect(await service.database.all('SELECT content FROM console_press WHERE content IS NOT NULL')).toEqual([])
    service.time.nowMs += 72 * HOUR_MS
    await service.sweeper.sweep()
    expect(await counts()).toEqual([0, 0, 0, 0])
  })
})

describe('the answer', () => {
  test('does not wait for the mail server; a mail that does not leave leaves no link', async () => {
    const service = await startTestService()
    const { database } = service
    const clock = () => service.time.nowMs
    const users = createUsers({ database, clock })
    const links = createOneTimeLinks({ database, clock, users })
    const warned: string[] = []
    let fail = (_error: Error) => {}
    const sending = new Promise<void>((_resolve, reject) => {
      fail = reject
    })
    const passwords = {
      mail: { send: () => sending },
      publicUrl: ORIGIN,
      guesses: createGuesses({ database, clock }),
      indexKey: new Uint8Array(32),
      readyAccounts: { keep: async () => {} },
      notify: () => {},
      log: { ...createSilentLog(), warn: (name: string) => void warned.push(name) },
    }
    const app = createActingApp({ database, clock })
    app.route('/', linkRoutes({ clock, trustedHops: 0, links, users, passwords }))
    const browser = createTestBrowser((request) => app.fetch(request), ORIGIN)
    expect((await browser.ask('/password-links', { form: { email: SAM[0] } })).status).toBe(303)
    await expect.poll(() => database.all('SELECT 1 AS one FROM one_time_link')).toHaveLength(1)
    fail(new Error('no such mailbox'))
    await expect.poll(() => warned).toEqual(['password link not mailed'])
    expect(await database.all('SELECT 1 AS one FROM one_time_link')).toEqual([])
    await service.stop()
  })

  test('where no mail is sent, names the operator', async () => {
    const service = await startTestService({ DEMO: '0' })
    const browser = service.browser()
    expect((await browser.visit('/v1/oauth/login')).text).toContain('href="/password-links"')
    expect((await browser.visit('/password-links')).text).toContain('Ask its operator for a link')
    expect((await browser.ask('/password-links', { form: { email: SAM[0] } })).status).toBe(409)
    expect(await service.database.all('SELECT * FROM one_time_link')).toEqual([])
    await service.stop()
  })
})
