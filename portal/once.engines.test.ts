// The promise of an Idempotency-Key for acts that make a secret: once, the same answer for a day, to the same caller
// alone.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { watchActs } from '../testing/acts.ts'
import { environmentOf, onEachEngine } from '../testing/engines.ts'
import { ORIGIN, SAM, startTestService, type TestService } from '../testing/portal-service.ts'
import { hashQuickly } from '../testing/quick-passwords.ts'
import type { TestBrowser } from '../testing/service-browser.ts'
import { createUsers } from './identity/users.ts'

hashQuickly()

const HOME = `${ORIGIN}/demo-lender/v1`
const DAY_MS = 86_400_000
const CLIENT = { name: 'Webshop', scopes: ['wallet'] }

onEachEngine('an Idempotency-Key', (place) => {
  let service: TestService
  let sam: TestBrowser
  let kim: TestBrowser

  beforeAll(async () => {
    service = await startTestService(environmentOf(await place()))
    const { database, time } = service
    const sql = 'SELECT password_hash AS hash FROM user_account WHERE email = ?'
    const passwordHash = String((await database.first<{ hash: string }>(sql, SAM[0]))?.hash)
    const person = { email: 'kim@demo-lender.example', firstName: 'Kim', lastName: 'Roe', passwordHash }
    const users = createUsers({ database, clock: () => time.nowMs })
    await users.create(database, { ...person, tenantIds: ['demo-lender'], role: 'owner' })
    sam = service.browser()
    kim = service.browser()
    await sam.signIn(...SAM, '/console')
    await kim.signIn(person.email, SAM[1], '/console')
  })
  afterAll(() => service.stop())

  async function post(path: string, body: object, key: string, browser = sam) {
    const proof = { Cookie: browser.cookies(), Origin: ORIGIN, 'Content-Type': 'application/json' }
    const headers = { ...proof, 'Idempotency-Key': key }
    const request = new Request(HOME + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const response = await service.fetch(request)
    const isReplayed = response.headers.get('Idempotent-Replayed') === 'true'
    return { status: response.status, isReplayed, ...(await response.json()) }
  }
  const countOf = async (table: string) =>
    Number((await service.database.first<{ count: number }>(`SELECT COUNT(*) AS count FROM ${table}`))?.count)
  const done = async () =>
    Number((await service.database.first(`SELECT COUNT(*) AS count FROM audit_event WHERE outcome = 'done'`))?.count)

  test('makes one client of five requests at once, with one secret and one line in the audit trail', async () => {
    const [key, clients, lines] = [randomUUID(), await countOf('api_client'), await done()]
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => post('/clients', CLIENT, key)))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
    expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1)
    expect(answers.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1)
    expect([await countOf('api_client'), await done()]).toEqual([clients + 1, lines + 1])
    const { clientId, clientSecret } = answers[0]?.data ?? {}
    expect(typeof (await service.tokenOf(clientId, clientSecret))).toBe('string')
    const rows = JSON.stringify(await service.database.all('SELECT * FROM kept_answer'))
    expect(rows).not.toContain(clientSecret)
  })

  test('replaces a secret and adds a webhook once, and rotates its secret once', async () => {
    const { data: client } = await post('/clients', CLIENT, randomUUID())
    const { data: webhook } = await post('/webhooks', { url: `https://shop.example/${randomUUID()}` }, randomUUID())
    for (const path of [`/clients/${client.clientId}/secrets`, `/webhooks/${webhook.id}/secret`]) {
      const key = randomUUID()
      const first = await post(path, { overlapHours: 1 }, key)
      expect(await post(path, { overlapHours: 1 }, key)).toMatchObject({ isReplayed: true, data: first.data })
      expect((await post(path, { overlapHours: 1 }, randomUUID())).data).not.toEqual(first.data)
    }
  })

  test('stands for one body', async () => {
    const key = randomUUID()
    await post('/clients', CLIENT, key)
    const other = await post('/clients', { ...CLIENT, name: 'Other' }, key)
    expect(other).toMatchObject({ status: 400, code: 'validation-error' })
  })

  test('gives a secret to the person who sent it, and to no one else', async () => {
    const key = randomUUID()
    const first = await post('/clients', CLIENT, key)
    const theirs = await post('/clients', CLIENT, key, kim)
    expect(theirs.isReplayed).toBe(false)
    expect(theirs.data.clientSecret).not.toBe(first.data.clientSecret)
  })

  test('is free again where the act was refused, or its audit line could not be written', async () => {
    const key = randomUUID()
    expect((await post('/clients/none/secrets', {}, key)).status).toBe(404)
    const watched = watchActs(service)
    const before = await watched.everything()
    expect((await watched.unwritten(() => post('/clients', CLIENT, key))).status).toBe(500)
    expect(await watched.everything()).toEqual(before)
    expect(await post('/clients', CLIENT, key)).toMatchObject({ status: 201, isReplayed: false })
  })

  test('ends after a day, and the sweeper deletes the answer', async () => {
    const key = randomUUID()
    const first = await post('/clients', CLIENT, key)
    service.time.nowMs += DAY_MS + 1
    await sam.signIn(...SAM, '/console')
    expect((await post('/clients', CLIENT, key)).data).not.toEqual(first.data)
    await service.sweeper.sweep()
    expect(await countOf('kept_answer')).toBe(1)
  })
})
