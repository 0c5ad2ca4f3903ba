// Becoming an owner needs the person's own yes, and joining a lender selects nothing. On both engines.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { environmentOf, onEachEngine } from '../../testing/engines.ts'
import { ORIGIN, SAM, startTestService, type TestService } from '../../testing/portal-service.ts'
import { hashQuickly } from '../../testing/quick-passwords.ts'
import { type TestBrowser, wordsOf } from '../../testing/service-browser.ts'
import { createMembers } from './members.ts'
import { createOneTimeLinks } from './one-time-links.ts'
import { hashPassword } from './password.ts'
import { createUsers } from './users.ts'

hashQuickly()

const PASSWORD = 'my own long password'

onEachEngine('an offer to become an owner', (place) => {
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
  const members = () => createMembers({ database: service.database })
  const links = () => createOneTimeLinks({ database: service.database, clock, users: users() })
  const roleAt = async (tenantId: string) =>
    (await members().list(tenantId)).find((member) => member.email === email)?.role
  const changeRole = (role: string) => owner.visit(`/console/people/${patId}/role`, { form: { role } })
  const offerPath = async () => `/console/invitations/${(await links().listFor(email))[0]?.id}`
  const lastLine = () =>
    service.database.first<{ action: string; object: string; actor_name: string; change_json: string | null }>(
      'SELECT action, object, outcome, actor_name, change_json FROM audit_event ORDER BY sequence DESC LIMIT 1',
    )
  const inbox = async (): Promise<{ to: string; text: string }[]> =>
    (await service.fetch(new Request(`${ORIGIN}/demo/mail`))).json()

  test('the old role holds until the person accepts on their own page', async () => {
    expect(wordsOf((await owner.visit(`/console/people/${patId}/role?role=owner`)).text)).toContain(
      'They become an owner when they accept.',
    )
    expect((await changeRole('owner')).text).toContain(`${email} was asked to become an owner.`)
    expect(await roleAt('demo-lender')).toBe('support')
    expect(await lastLine()).toMatchObject({ action: 'person.invite', object: `${email} owner`, change_json: null })
    expect((await inbox())[0]).toMatchObject({
      to: email,
      text: expect.stringContaining('Sam Lee invites you to act for Wrenfield as owner'),
    })
    expect((await pat.ask('/console/data')).status).toBe(403)

    expect(wordsOf((await pat.visit('/console/profile')).text)).toContain(
      `Sam Lee invites ${email} to act for Wrenfield as owner.`,
    )
    const path = await offerPath()
    expect((await pat.visit(path)).text).toContain('<h1>Become an owner of Wrenfield?</h1>')
    expect((await pat.visit(path, { form: {} })).text).toContain('You are an owner of Wrenfield now.')
    expect(await roleAt('demo-lender')).toBe('owner')
    const line = await lastLine()
    expect(line).toMatchObject({ action: 'invitation.accept', actor_name: 'Pat Doe' })
    expect(JSON.parse(line?.change_json ?? 'null')).toEqual({ from: 'support', to: 'owner' })
    expect((await pat.ask('/console/data')).status).toBe(200)
    expect((await pat.visit(path, { form: {} })).text).toContain('was used, withdrawn, or is too old')
  })

  test('no one else accepts it', async () => {
    await changeRole('owner')
    const path = await offerPath()
    const asSam = await owner.visit(path)
    expect([asSam.response.status, asSam.text.includes(`You are signed in as ${SAM[0]}`)]).toEqual([409, true])
    expect((await owner.visit(path, { form: {} })).response.status).toBe(409)
    expect((await service.browser().visit(path)).text).toContain('<h1>Sign in</h1>')
    expect(await roleAt('demo-lender')).toBe('support')
  })

  test.each([
    ['another role', async () => void (await changeRole('finance'))],
    ['a removal', async () => void (await owner.visit(`/console/people/${patId}/remove`, { form: {} }))],
    [
      'a withdrawal',
      async () => {
        const [offer] = await links().listFor(email)
        await owner.visit(`/console/people/invitations/${offer?.id}/withdraw`, { form: {} })
      },
    ],
    [
      '72 hours',
      async () => {
        service.time.nowMs += 72 * 3_600_000
      },
    ],
  ])('%s ends it', async (_what, end) => {
    await changeRole('owner')
    const path = await offerPath()
    await end()
    const before = await roleAt('demo-lender')
    await pat.signIn(email, PASSWORD, '/console')
    expect((await pat.visit(path, { form: {} })).text).toContain('was used, withdrawn, or is too old')
    expect(await roleAt('demo-lender')).toBe(before)
    expect(before).not.toBe('owner')
  })

  test('accepted and removed at once, one of the two happens after the other', async () => {
    await changeRole('owner')
    const path = await offerPath()
    const [patPress, samPress] = [await pat.newPress(), await owner.newPress()]
    await Promise.all([
      pat.ask(path, { form: { press: patPress } }),
      owner.ask(`/console/people/${patId}/remove`, { form: { press: samPress } }),
    ])
    expect(await roleAt('demo-lender')).toBeUndefined()
    expect(await links().listFor(email)).toEqual([])
  })

  test('someone who accepts goes on acting for the lender they acted for', async () => {
    const offered = { tenantId: 'other-lender', email, role: 'developer', by: null } as const
    await links().invite(service.database, offered)
    const accepted = await pat.visit(await offerPath(), { form: {} })
    expect(wordsOf(accepted.text)).toContain('You can act for Other Lender now. Choose it with “Change lender”.')
    expect(accepted.text).toContain('<b>Wrenfield</b>')
    expect((await pat.visit('/console/money')).text).toContain('<b>Wrenfield</b>')
    expect(await roleAt('other-lender')).toBe('developer')
  })

  test('someone without a lender acts for the one they joined', async () => {
    await owner.visit(`/console/people/${patId}/remove`, { form: {} })
    await links().invite(service.database, { tenantId: 'other-lender', email, role: 'support', by: null })
    expect((await pat.visit('/console')).text).toContain(`invites ${email} to act for Other Lender`)
    const accepted = await pat.visit(await offerPath(), { form: {} })
    expect(accepted.text).toContain('You act for Other Lender now.')
    expect(accepted.text).toContain('<b>Other Lender</b>')
  })
})

test('where the service sends no mail, the offer waits on the person’s page', async () => {
  const service = await startTestService({ DEMO: '0' })
  const { database } = service
  const clock = () => service.time.nowMs
  const users = createUsers({ database, clock })
  const email = 'pat@demo-lender.example'
  const person = { email, firstName: 'Pat', lastName: 'Doe', tenantIds: ['demo-lender'], role: 'support' } as const
  const made = await users.create(database, person)
  const browser = service.browser()
  await browser.signIn(...SAM, '/console')
  const offered = await browser.visit(`/console/people/${made?.id}/role`, { form: { role: 'owner' } })
  expect(offered.text).toContain(`${email} was asked to become an owner.`)
  expect(await createOneTimeLinks({ database, clock, users }).listFor(email)).toHaveLength(1)
  await service.stop()
})
