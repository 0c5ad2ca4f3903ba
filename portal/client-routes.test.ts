// API clients over the API, for people who are signed in.
import { expect, test } from 'vitest'
import { ApiClients, MadeClientSecret } from '../contract/integration.ts'
import { signedInApi } from '../testing/signed-in-api.ts'

const { ask, service } = signedInApi('clients')

async function make(name = 'Webshop') {
  const { status, body } = await ask('POST ', { name, scopes: ['credit-reports'] })
  expect(status).toBe(201)
  expect(MadeClientSecret.parse(body)).toEqual(body)
  return body as MadeClientSecret
}
const find = async (id: string) => {
  const { body } = await ask('GET ')
  expect(ApiClients.parse(body)).toEqual(body)
  return ApiClients.parse(body).clients.find((client) => client.id === id)
}

test('a client is made, used, renamed, given another secret and revoked', async () => {
  const { clientId, secretId, clientSecret } = await make()
  expect(await service().tokenOf(clientId, clientSecret)).toMatch(/^ey/)
  expect((await ask(`PATCH /${clientId}`, { name: ' Branch 12 ' })).status).toBe(204)
  const replaced = await ask(`POST /${clientId}/secrets`, { overlapHours: 1, secretEndsInDays: 90 })
  expect(replaced.status).toBe(201)
  const client = await find(clientId)
  expect(client).toMatchObject({ name: 'Branch 12', scopes: ['credit-reports'], lastUsedAt: expect.any(String) })
  expect(client?.secrets.map(({ id, endsAt }) => [id, Date.parse(endsAt ?? '') - service().time.nowMs])).toEqual(
    expect.arrayContaining([
      [secretId, 3_600_000],
      [replaced.body.secretId, 90 * 86_400_000],
    ]),
  )
  const listed = JSON.stringify(await ask('GET '))
  for (const secret of [clientSecret, replaced.body.clientSecret]) expect(listed).not.toContain(secret)
  expect((await ask(`DELETE /${clientId}/secrets/${secretId}`)).status).toBe(204)
  expect((await ask(`DELETE /${clientId}/secrets/${secretId}`)).status).toBe(404)
  expect(await service().tokenOf(clientId, clientSecret)).toBeUndefined()
  expect(await service().tokenOf(clientId, replaced.body.clientSecret)).toMatch(/^ey/)
  expect((await ask(`DELETE /${clientId}`)).status).toBe(204)
  expect(await service().tokenOf(clientId, replaced.body.clientSecret)).toBeUndefined()
  for (const [route, body] of [
    [`DELETE /${clientId}`, undefined],
    [`PATCH /${clientId}`, { name: 'Again' }],
    [`POST /${clientId}/secrets`, {}],
  ] as const)
    expect([route, (await ask(route, body)).status]).toEqual([route, 404])
})

test('without a time the others end after 24 hours; ten are the most', async () => {
  const { clientId } = await make()
  for (let count = 1; count < 10; count += 1) expect((await ask(`POST /${clientId}/secrets`, {})).status).toBe(201)
  const ends = (await find(clientId))?.secrets.map(({ endsAt }) => endsAt)
  expect(new Set(ends)).toEqual(new Set([new Date(service().time.nowMs + 86_400_000).toISOString(), undefined]))
  const refused = await ask(`POST /${clientId}/secrets`, {})
  expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('10 secrets')])
  expect((await ask(`POST /${clientId}/secrets`, { overlapHours: 0 })).status).toBe(201)
  expect((await find(clientId))?.secrets).toHaveLength(1)
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

test('another lender’s clients, and another site’s page, are refused', async () => {
  const before = await service().database.all('SELECT * FROM api_client_secret')
  expect((await ask('GET ', undefined, { tenantId: 'other-lender' })).status).toBe(403)
  expect((await ask('POST /other-lender/secrets', {}, { tenantId: 'other-lender' })).status).toBe(403)
  expect((await ask('POST /other-lender/secrets', {})).status).toBe(404)
  expect((await ask('DELETE /other-lender')).status).toBe(404)
  expect((await ask('POST ', { name: 'x', scopes: ['audit'] }, { origin: 'https://evil.example' })).status).toBe(403)
  expect(await service().database.all('SELECT * FROM api_client_secret')).toEqual(before)
})

test('what is done is in the audit trail, by name', async () => {
  const { clientId } = await make()
  await ask(`POST /${clientId}/secrets`, {})
  const lines = await service().database.all(
    `SELECT action, object, actor_kind FROM audit_event WHERE object LIKE ? ORDER BY sequence`,
    `${clientId}%`,
  )
  expect(lines).toMatchObject([
    { action: 'client.create', actor_kind: 'person' },
    { action: 'client-secret.replace', actor_kind: 'person' },
  ])
})
