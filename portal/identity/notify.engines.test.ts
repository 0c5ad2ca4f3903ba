// Mails about what was done to a person's account, or to a lender's secrets. On both engines.
import { generateSync } from 'otplib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { environmentOf, onEachEngine } from '../../testing/engines.ts'
import { ORIGIN, SAM, startTestService, type TestService } from '../../testing/portal-service.ts'
import { hashQuickly } from '../../testing/quick-passwords.ts'
import type { TestBrowser } from '../../testing/service-browser.ts'
import type { MailMessage } from './mail.ts'
import { createOneTimeLinks } from './one-time-links.ts'
import { hashPassword } from './password.ts'
import { createUsers } from './users.ts'

hashQuickly()

const PASSWORD = 'my own long password'
const NEW_PASSWORD = 'another long password'

onEachEngine('a person is mailed', (place) => {
  let service: TestService
  let owner: TestBrowser
  let pat: TestBrowser
  let patId: string
  let email: string
  let count = 0

  beforeAll(async () => {
    service = await startTestService(environmentOf(await place()))
  })
  afterAll(() => service.stop())
  beforeEach(async () => {
    service.time.nowMs += 3_600_000
    owner = service.browser()
    await owner.signIn(...SAM, '/console')
    count += 1
    email = `pat${count}@demo-lender.example`
    const person = { email, firstName: 'Pat', lastName: 'Doe', passwordHash: await hashPassword(PASSWORD) }
    const made = await users().create(service.database, { ...person, tenantIds: ['demo-lender'], role: 'support' })
    patId = made?.id ?? ''
    pat = service.browser()
    await pat.signIn(email, PASSWORD, '/console')
  })

  const clock = () => service.time.nowMs
  const users = () => createUsers({ database: service.database, clock })
  const mailsTo = async (to: string): Promise<MailMessage[]> =>
    (await (await service.fetch(new Request(`${ORIGIN}/demo/mail`))).json()).filter(
      (mail: MailMessage) => mail.to === to,
    )
  const expectMail = async (subject: string, words: string, to = email) => {
    await expect.poll(async () => (await mailsTo(to)).map((mail) => mail.subject)).toContain(subject)
    const mail = (await mailsTo(to)).find((each) => each.subject === subject)
    expect(mail?.text).toContain(words)
    return mail?.text ?? ''
  }
  const changeRole = (role: string) => owner.ask(`/console/people/${patId}/role`, { form: { role } })

  test('when their password was changed, and never the password', async () => {
    await pat.visit('/console/profile/password', { form: { current: PASSWORD, new: NEW_PASSWORD } })
    const text = await expectMail('Your password was changed', `${ORIGIN}/password-links`)
    expect(text).not.toMatch(/long password/)
  })

  test('when a link set their password', async () => {
    const links = createOneTimeLinks({ database: service.database, clock, users: users() })
    const link = await links.forgotPassword(service.database, { id: patId, email })
    await service.browser().visit(`/password-links/${link?.token}`, { form: { password: NEW_PASSWORD } })
    await expectMail('Your password was changed', `${ORIGIN}/password-links`)
  })

  test('when two-step sign-in was turned off', async () => {
    const { text } = await pat.visit('/console/profile/totp', { form: { password: PASSWORD } })
    const secret = (/>((?:[A-Z2-7]{4} ?){8})</.exec(text)?.[1] ?? '').replaceAll(' ', '')
    const code = () => generateSync({ secret, epoch: Math.floor(clock() / 1000) })
    await pat.visit('/console/profile/totp/confirm', { form: { code: code() } })
    service.time.nowMs += 60_000
    await pat.visit('/console/profile/totp/off', { form: { code: code() } })
    await expectMail('Two-step sign-in was turned off', `${ORIGIN}/console/profile`)
  })

  test('when their role was changed, and not when nothing changed', async () => {
    await changeRole('support')
    await changeRole('finance')
    await expectMail('Your role at Wrenfield was changed', 'Sam Lee made you finance at Wrenfield. You were support.')
    expect((await mailsTo(email)).filter(({ subject }) => subject.startsWith('Your role'))).toHaveLength(1)
  })

  test('when they were removed', async () => {
    await owner.ask(`/console/people/${patId}/remove`, { form: {} })
    await expectMail('You no longer act for Wrenfield', 'Sam Lee removed you')
  })

  test('who is an owner or a developer, when a secret was made, and never the secret', async () => {
    await changeRole('developer')
    const made = await owner.visit('/console/clients', { form: { name: 'Webshop', scopes: 'wallet' } })
    const secret = /class="secret">([^<]+)</.exec(made.text)?.[1] ?? ''
    expect(secret).not.toBe('')
    for (const to of [email, SAM[0]]) {
      const text = await expectMail('Wrenfield: a new secret', 'Sam Lee made a secret for the API client Webshop', to)
      expect(text).not.toContain(secret)
    }
    await owner.visit('/console/webhooks', { form: { url: 'https://shop.example/webhook' } })
    await expect
      .poll(async () => (await mailsTo(email)).map(({ text }) => text).join())
      .toContain('made a signing secret for https://shop.example/webhook')
  })

  test('twenty times an hour at most', async () => {
    for (let index = 0; index < 12; index += 1) {
      await changeRole('finance')
      await changeRole('support')
    }
    const mailed = async () => (await mailsTo(email)).filter(({ subject }) => subject.startsWith('Your role')).length
    await expect.poll(mailed).toBe(20)
  })
})
