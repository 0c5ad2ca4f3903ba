// A link's end for a lender's server: by `decideLink` of its proxy, and by the webhook.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTenantProxy } from '../tenant-proxy/tenant-proxy.ts'
import { type HostedService, startHosted } from '../testing/hosted-link.ts'
import { ORIGIN } from '../testing/portal-service.ts'
import { sampleDetails } from '../testing/proxy-service.ts'

let app: HostedService
beforeAll(async () => {
  app = await startHosted()
})
afterAll(() => app.stop())

const proxyOf = (test: boolean, tenantId = 'demo-lender') =>
  createTenantProxy({
    service: ORIGIN,
    tenantId,
    credentials: { clientId: tenantId, clientSecret: tenantId.replace('lender', 'secret') },
    test,
    clock: () => app.time.nowMs,
    fetch: async (url, options) => app.fetch(new Request(url, options)),
    onEvent: () => {},
  })

const { lastName, dateOfBirth } = sampleDetails

test('a link is decided by its newest check, from the service alone', async () => {
  const proxy = proxyOf(true)
  const { linkId, url } = await app.link({ test: true, externalReference: 'order-7' })
  expect(await proxy.decideLink(linkId)).toEqual({ status: 'none' })
  const device = app.device(url)
  await device.open()
  const begun = await device.check()
  const about = { creditReportId: begun.body.data.creditReportId, externalReference: 'order-7', test: true }
  expect(await proxy.decideLink(linkId)).toEqual({ status: 'open', ...about })
  await device.code(begun.body, '123456')
  const expected = { expect: { lastName, dateOfBirth } }
  expect(await proxy.decideLink(linkId, expected)).toMatchObject({
    status: 'complete',
    ...about,
    person: { lastName, dateOfBirth },
  })
  expect(await proxy.decideLink(linkId, { expect: { lastName, dateOfBirth: '1990-01-01' } })).toEqual({
    status: 'mismatch',
    ...about,
  })
})

test('a link of another mode, another lender or no one is none', async () => {
  const { linkId, url } = await app.link({ test: true })
  const device = app.device(url)
  await device.open()
  await device.code((await device.check()).body, '123456')
  expect(await proxyOf(true).decideLink(linkId)).toMatchObject({ status: 'complete' })
  expect(await proxyOf(false).decideLink(linkId)).toEqual({ status: 'none' })
  expect(await proxyOf(true, 'other-lender').decideLink(linkId)).toEqual({ status: 'none' })
  expect(await proxyOf(true).decideLink('019a8756-1f00-7c21-9a44-6b0d2e83f5c1')).toEqual({ status: 'none' })
})

test('misspelt options are refused', async () => {
  await expect(proxyOf(true).decideLink('', {})).rejects.toThrow(
    'decideLink: the first argument must be the id of a link',
  )
  const misspelt = { expected: { lastName, dateOfBirth } }
  await expect(proxyOf(true).decideLink('a-link', misspelt as object)).rejects.toThrow('decideLink')
  const noDate = { expect: { lastName, dateOfBirth: 'x' } }
  await expect(proxyOf(true).decideLink('a-link', noDate)).rejects.toThrow('decideLink: `expect.dateOfBirth` must be')
})

test('the webhook carries the reference of the link', async () => {
  const sql = `INSERT INTO webhook_endpoint (id, tenant_id, url, wrapped_key, secrets, created_at_ms) VALUES ('we-1', 'demo-lender', 'https://shop.example/', ?, ?, 1)`
  await app.database.run(sql, Buffer.of(0), Buffer.of(0))
  const { url } = await app.link({ test: true, externalReference: 'order-8' })
  const device = app.device(url)
  await device.open()
  await device.code((await device.check()).body, '123456')
  const row = await app.database.first<{ payload: string }>(
    `SELECT payload FROM webhook_delivery WHERE endpoint_id = 'we-1' ORDER BY id DESC`,
  )
  expect(JSON.parse(row?.payload ?? '{}')).toMatchObject({
    type: 'credit-report.completed',
    data: { externalReference: 'order-8', status: 'complete', test: true },
  })
})
