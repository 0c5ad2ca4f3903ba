// API clients over the API: each answer as a whole. Who may ask is the portal's to test.
import { expect, test } from 'vitest'
import type { ApiClient, MadeClientSecret } from '../../contract/integration.ts'
import { SAM } from '../../testing/portal-service.ts'
import { signedInApi } from '../../testing/signed-in-api.ts'

const DAY_MS = 86_400_000

const { ask, service } = signedInApi('clients')
async function make(body: object): Promise<MadeClientSecret> {
  const made = await ask('POST ', body)
  expect(made).toEqual({
    status: 201,
    body: { clientId: expect.any(String), secretId: expect.any(String), clientSecret: expect.any(String) },
  })
  return made.body
}
/** As the list has it, which is how it is read alone. */
async function find(clientId: string): Promise<ApiClient | undefined> {
  const listed = (await ask('GET ')).body.clients.find(({ id }: ApiClient) => id === clientId)
  expect(await ask(`GET /${clientId}`)).toEqual({ status: 200, body: listed })
  return listed
}
const now = (afterMs = 0) => new Date(service().time.nowMs + afterMs).toISOString()

test('a client is listed with its scopes, its secrets and when each was used, ends or was revoked', async () => {
  const scopes = ['wallet', 'credit-reports', 'wallet']
  const { clientId, secretId, clientSecret } = await make({ name: 'Webshop', scopes, secretEndsInDays: 30 })
  const createdAt = now()
  const secret = { id: secretId, createdAt, endsAt: now(30 * DAY_MS) }
  const made = { name: 'Webshop', scopes: ['credit-reports', 'wallet'], testOnly: false, madeBy: SAM[0] }
  const client = { id: clientId, ...made, createdAt, secrets: [secret] }
  expect(await find(clientId)).toEqual(client)
  service().time.nowMs += 1_000
  await service().tokenOf(clientId, clientSecret)
  const lastUsedAt = now()
  const used = { ...client, lastUsedAt, secrets: [{ ...secret, lastUsedAt }] }
  expect(await find(clientId)).toEqual(used)
  service().time.nowMs += 1_000
  expect(await ask(`DELETE /${clientId}`)).toEqual({ status: 204, body: null })
  expect(await find(clientId)).toMatchObject({ id: clientId, lastUsedAt, revokedAt: now() })
})

test('an unknown client and another lender’s are 404, by name', async () => {
  for (const id of ['no-client', 'other-lender'])
    expect(await ask(`GET /${id}`)).toEqual({
      status: 404,
      body: { code: 'not-found', message: `there is no client "${id}"` },
    })
})

test('a secret without an end has none, and a client can be renamed', async () => {
  const { clientId, secretId } = await make({ name: 'Webshop', scopes: ['audit'] })
  const createdAt = now()
  expect(await find(clientId)).toEqual({
    id: clientId,
    name: 'Webshop',
    scopes: ['audit'],
    testOnly: false,
    madeBy: SAM[0],
    createdAt,
    secrets: [{ id: secretId, createdAt }],
  })
  expect(await ask(`PATCH /${clientId}`, { name: 'Branch 12' })).toEqual({ status: 204, body: null })
  expect(await find(clientId)).toMatchObject({ name: 'Branch 12' })
})

test.each([
  ['after a day, unless the request says', {}, DAY_MS, undefined],
  ['after the hours of the request', { overlapHours: 2 }, 7_200_000, undefined],
  ['while the new one has an end too', { overlapHours: 2, secretEndsInDays: 2 }, 7_200_000, 2 * DAY_MS],
])('the other secrets of a client end %s', async (_name, body, othersEndMs, newEndMs) => {
  const { clientId, secretId } = await make({ name: 'Webshop', scopes: ['audit'] })
  const replaced = await ask(`POST /${clientId}/secrets`, body)
  expect(replaced).toEqual({
    status: 201,
    body: { clientId, secretId: expect.any(String), clientSecret: expect.any(String) },
  })
  const secrets = (await find(clientId))?.secrets.map(({ id, endsAt }) => [id, endsAt])
  expect(Object.fromEntries(secrets ?? [])).toEqual({
    [secretId]: now(othersEndMs),
    [replaced.body.secretId]: newEndMs === undefined ? undefined : now(newEndMs),
  })
})

test('one secret is ended, once', async () => {
  const { clientId, secretId, clientSecret } = await make({ name: 'Webshop', scopes: ['audit'] })
  expect(await ask(`DELETE /${clientId}/secrets/${secretId}`)).toEqual({ status: 204, body: null })
  expect(await service().tokenOf(clientId, clientSecret)).toBeUndefined()
  expect((await ask(`DELETE /${clientId}/secrets/${secretId}`)).status).toBe(404)
})

test('of a client that is revoked nothing can be changed', async () => {
  const { clientId } = await make({ name: 'Webshop', scopes: ['audit'] })
  await ask(`DELETE /${clientId}`)
  for (const [route, body] of [
    [`PATCH /${clientId}`, { name: 'Again' }],
    [`DELETE /${clientId}`, undefined],
    [`POST /${clientId}/secrets`, {}],
    [`DELETE /${clientId}/secrets/12345678`, undefined],
  ] as const)
    expect([route, (await ask(route, body)).status]).toEqual([route, 404])
})

test.each([
  ['no name', { scopes: ['audit'] }],
  ['a blank name', { name: ' ', scopes: ['audit'] }],
  ['a direction mark', { name: 'a\u202eb', scopes: ['audit'] }],
  ['an id, which only the operator gives', { name: 'x', id: 'own', scopes: [] }],
  ['no scope', { name: 'x', scopes: [] }],
  ['a scope that is none', { name: 'x', scopes: ['everything'] }],
  ['half a day', { name: 'x', scopes: ['audit'], secretEndsInDays: 0.5 }],
  ['a thousand years', { name: 'x', scopes: ['audit'], secretEndsInDays: 365_000 }],
])('%s makes no client', async (_name, body) => {
  const before = await service().database.all('SELECT * FROM api_client')
  expect((await ask('POST ', body)).body.code).toBe('validation-error')
  expect(await service().database.all('SELECT * FROM api_client')).toEqual(before)
})
