import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS } from '../kit/clock.ts'
import { type HostedService, startHosted } from '../testing/hosted-link.ts'

let app: HostedService
beforeAll(async () => {
  app = await startHosted()
})
afterAll(() => app.stop())

test('a link has an address of 128 random bits, of which the database holds a hash', async () => {
  const { status, body } = await app.call('POST /links', { externalReference: 'order-1', expiresInMinutes: 60 })
  expect(status).toBe(201)
  expect(body).toEqual({
    meta: { request: { timeTakenMs: expect.any(Number) } },
    data: {
      linkId: expect.any(String),
      url: expect.stringMatching(/^https:\/\/service\.example\/c\/[\w-]{22}$/),
      expiresAt: new Date(app.time.nowMs + 60 * MINUTE_MS).toISOString(),
    },
  })
  const token = body.data.url.split('/').at(-1)
  const rows = await app.database.all('SELECT * FROM hosted_link')
  expect(JSON.stringify(rows)).not.toContain(token)
  expect(await app.read(body.data.linkId)).toEqual({
    linkId: body.data.linkId,
    status: 'new',
    test: false,
    externalReference: 'order-1',
    createdAt: new Date(app.time.nowMs).toISOString(),
    expiresAt: body.data.expiresAt,
  })
})

test('the list is newest first, in pages, and by reference', async () => {
  const made = []
  for (const reference of ['a', 'b', 'a']) {
    app.time.nowMs += 1
    made.push((await app.link({ externalReference: reference })).linkId)
  }
  const first = await app.call('GET /links?limit=2')
  expect(first.body.data.links.map(({ linkId }: { linkId: string }) => linkId)).toEqual([made[2], made[1]])
  const second = await app.call(`GET /links?limit=1&after=${first.body.data.nextAfter}`)
  expect(second.body.data.links[0].linkId).toBe(made[0])
  const named = await app.call('GET /links?externalReference=a')
  expect(named.body.data.links.map(({ linkId }: { linkId: string }) => linkId)).toEqual([made[2], made[0]])
  expect(named.body.data).not.toHaveProperty('nextAfter')
})

test.each([
  [{ expiresInMinutes: 4 }, 'expiresInMinutes: must be a whole number from 5 to 10080'],
  [{ expiresInMinutes: 10_081 }, 'expiresInMinutes: must be a whole number from 5 to 10080'],
  [{ reference: 'order-1' }, 'reference'],
  [{ start: { person: { dateOfBirth: '2024-01-01' } } }, 'start: person.dateOfBirth: must be at least 16 years ago'],
  [{ start: { person: { surname: 'Example' } } }, 'surname'],
  [
    { returnUrl: 'https://evil.example/' },
    'returnUrl: must be an address of the lender’s list, or below one: which is empty',
  ],
])('%j is refused', async (wanted, message) => {
  const { status, body } = await app.call('POST /links', wanted)
  expect([status, body.code]).toEqual([400, 'validation-error'])
  expect(body.message).toContain(message)
})

test('a foreign returnUrl is refused in words that name the list, and one below the list is kept', async () => {
  const list = ['https://shop.example/checks', 'shopapp://done']
  expect((await app.call('PUT /hosted-page', { returnUrls: list })).status).toBe(200)
  for (const foreign of [
    'https://shop.example.evil.example/checks',
    'https://shop.example/checksum',
    'http://shop.example/checks',
    'https://shop.example@evil.example/checks',
    'javascript:alert(1)',
  ]) {
    const { status, body } = await app.call('POST /links', { returnUrl: foreign })
    expect([foreign, status]).toEqual([foreign, 400])
    expect(body.message).toContain(list.join(', '))
  }
  for (const returnUrl of ['https://shop.example/checks/12?step=2', 'shopapp://done'])
    expect((await app.call('POST /links', { returnUrl })).status).toBe(201)
})

test('another lender’s links are not there', async () => {
  const { linkId } = await app.link()
  const other = { lender: 'other-lender' }
  expect((await app.call(`GET /links/${linkId}`, undefined, other)).status).toBe(404)
  expect((await app.call(`DELETE /links/${linkId}`, undefined, other)).status).toBe(404)
  expect((await app.call('GET /links', undefined, other)).body.data.links).toEqual([])
  expect((await app.call('GET /links', undefined, { lender: 'demo-lender', by: 'other-lender' })).status).toBe(403)
  expect(await app.read(linkId)).toMatchObject({ status: 'new' })
})

test('a link is revoked once and for good', async () => {
  const { linkId } = await app.link()
  expect((await app.call(`DELETE /links/${linkId}`)).status).toBe(204)
  expect((await app.call(`DELETE /links/${linkId}`)).status).toBe(204)
  expect(await app.read(linkId)).toMatchObject({ status: 'revoked' })
})

test('the built-in client has no secret, and revoked it ends the lender’s pages', async () => {
  const { url } = await app.link()
  const secrets = `SELECT 1 AS one FROM api_client_secret WHERE client_id = 'demo-lender-hosted'`
  expect(await app.database.first(secrets)).toBeNull()
  await app.database.run(`UPDATE api_client SET disabled_at_ms = 1 WHERE id = 'demo-lender-hosted'`)
  const device = app.device(url)
  await device.open()
  expect((await device.check()).status).toBe(503)
  await app.database.run(`UPDATE api_client SET disabled_at_ms = NULL WHERE id = 'demo-lender-hosted'`)
})

test('sweeping forgets applicants at the end of their links, and a month later all that tells who they were', async () => {
  const unused = await app.link({ start: { person: { firstName: 'Sam' } }, expiresInMinutes: 5 })
  const used = await app.link({ test: true, expiresInMinutes: 5 })
  const check = `INSERT INTO hosted_check (report_id, link_id, bought, born) VALUES ('its-check', ?, 1, 'a hash')`
  await app.database.run(check, used.linkId)
  const find = async () => {
    const [left] = await app.database.all('SELECT start FROM hosted_link WHERE id = ?', unused.linkId)
    const [kept] = await app.database.all(
      `SELECT is_forgotten, born = '' AS is_unknown FROM hosted_link JOIN hosted_check ON link_id = hosted_link.id WHERE hosted_link.id = ?`,
      used.linkId,
    )
    return { left, kept }
  }
  app.time.nowMs += 6 * MINUTE_MS
  await app.sweeper.sweep()
  expect(await find()).toEqual({ left: { start: null }, kept: { is_forgotten: 0, is_unknown: 0 } })
  app.time.nowMs += 31 * DAY_MS
  await app.sweeper.sweep()
  expect(await find()).toEqual({ left: undefined, kept: { is_forgotten: 1, is_unknown: 1 } })
})
