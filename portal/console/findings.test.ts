import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isOlder } from '../../plugins/stats/versions.ts'
import { queueWebhook } from '../../plugins/webhooks/queue.ts'
import { createTestApp, liveRequest, type TestApp, testRequest } from '../../testing/test-app.ts'
import { type FindingCode, findSetUp, readSetUp, type SetUpFacts } from './findings.ts'

const nowMs = Date.UTC(2026, 10, 17, 14)
const DAY_MS = 86_400_000
const secret = (id: string, endsInDays: number | null = null, { createdDaysAgo = 30, usedDaysAgo = 0 } = {}) => ({
  id,
  createdAtMs: nowMs - createdDaysAgo * DAY_MS,
  expiresAtMs: endsInDays === null ? null : nowMs + endsInDays * DAY_MS,
  lastUsedAtMs: nowMs - usedDaysAgo * DAY_MS,
})
const client = (...secrets: SetUpFacts['clients'][number]['secrets']) => ({
  id: 'acme-1',
  name: 'Webshop',
  disabledAtMs: null,
  secrets,
})
const tenant = { isSuspended: false, balanceCredits: 10_000, reportPriceCredits: 500 }
const seen = (version: string, { test = false, daysAgo = 0 } = {}) => ({
  kind: 'proxy' as const,
  version,
  test,
  seenAtMs: nowMs - daysAgo * DAY_MS,
})
const good: SetUpFacts = {
  nowMs,
  newest: '0.3.0',
  tenant,
  lowBalanceCredits: 1_000,
  clients: [client(secret('a'))],
  endpoints: 1,
  failing: 0,
  hasLiveCheck: true,
  hasMatch: true,
  versions: [seen('0.3.0')],
  doctor: [],
}
const fresh = { createdDaysAgo: 2 }

test.each<[name: string, facts: Partial<SetUpFacts>, codes: FindingCode[]]>([
  ['a set-up without fault', {}, []],
  ['a suspended lender', { tenant: { ...tenant, isSuspended: true } }, ['suspended']],
  ['less than one report', { tenant: { ...tenant, balanceCredits: 499 } }, ['balance-empty']],
  ['just one report, below the alert', { tenant: { ...tenant, balanceCredits: 500 } }, ['balance-low']],
  ['exactly the alert', { tenant: { ...tenant, balanceCredits: 1_000 } }, []],
  ['no alert', { lowBalanceCredits: null }, ['no-low-balance-alert']],
  ['no client', { clients: [] }, ['no-client']],
  ['a revoked client alone', { clients: [{ ...client(secret('a')), disabledAtMs: 1 }] }, ['no-client']],
  ['a client without a secret', { clients: [client()] }, ['no-client']],
  ['one with a secret beside one without', { clients: [client(), client(secret('a'))] }, []],
  ['the only secret ends in 14 days', { clients: [client(secret('a', 14))] }, ['secret-ends']],
  ['… in 15 days', { clients: [client(secret('a', 15))] }, []],
  [
    'a revoked client’s secret ends',
    { clients: [client(secret('b')), { ...client(secret('a', 1)), disabledAtMs: 1 }] },
    [],
  ],
  [
    'a replaced secret that is not used any more',
    { clients: [client(secret('a', 1, { usedDaysAgo: 3 }), secret('b', null, fresh))] },
    [],
  ],
  [
    'a replaced secret that is still used',
    { clients: [client(secret('a', 1), secret('b', null, fresh))] },
    ['secret-in-use'],
  ],
  ['both end soon', { clients: [client(secret('a', 1), secret('b', 13, fresh))] }, ['secret-ends']],
  ['events that do not arrive', { failing: 3 }, ['webhook-failing']],
  ['no webhook', { endpoints: 0 }, ['no-webhook']],
  ['no live check', { hasLiveCheck: false }, ['no-live-check']],
  ['no match provider', { hasMatch: false }, ['no-match-provider']],
  ['an older proxy, in both modes', { versions: [seen('0.2.9'), seen('0.2.9', { test: true })] }, ['newer-version']],
  ['an older proxy that was updated since', { versions: [seen('0.3.0'), seen('0.2.0', { daysAgo: 1 })] }, []],
  ['a proxy that is newer than the service', { versions: [seen('0.10.0')] }, []],
  ['no version seen', { versions: [] }, []],
  [
    'an older proxy in test mode alone',
    { versions: [seen('0.3.0'), seen('0.2.0', { test: true, daysAgo: 1 })] },
    ['newer-version'],
  ],
  ['an older widget', { versions: [seen('0.3.0'), { ...seen('0.2.0'), kind: 'widget' }] }, ['newer-version']],
  [
    'a suspended lender without credits',
    { tenant: { ...tenant, isSuspended: true, balanceCredits: 0 } },
    ['suspended', 'balance-empty'],
  ],
  [
    'less than one report, without an alert',
    { tenant: { ...tenant, balanceCredits: 0 }, lowBalanceCredits: null },
    ['balance-empty', 'no-low-balance-alert'],
  ],
  [
    'a replaced secret that was last used as the new one was made',
    { clients: [client(secret('a', 1, { usedDaysAgo: 2 }), secret('b', null, fresh))] },
    [],
  ],
  [
    'a replaced secret that was never used',
    { clients: [client({ ...secret('a', 1), lastUsedAtMs: null }, secret('b', null, fresh))] },
    [],
  ],
  [
    'a replaced secret in use that ends in 14 days',
    { clients: [client(secret('a', 14), secret('b', null, fresh))] },
    ['secret-in-use'],
  ],
  ['… in 15 days', { clients: [client(secret('a', 15), secret('b', null, fresh))] }, []],
  ['two secrets in use, neither with an end', { clients: [client(secret('a'), secret('b', null, fresh))] }, []],
  ['the newer of two ends first', { clients: [client(secret('a'), secret('b', 1, fresh))] }, []],
])('%s', (_name, facts, codes) => {
  expect(findSetUp({ ...good, ...facts }).map(({ code }) => code)).toEqual(codes)
})

test('each finding says what is wrong and what to do, and from when on where that is known', () => {
  const old = secret('a', 1)
  const other = { ...client(old, secret('b', null, fresh)), id: 'acme-2', name: 'acme-2' }
  const found = findSetUp({
    ...good,
    clients: [client(secret('c', 3)), other],
    failing: 3,
    versions: [seen('0.2.9'), { ...seen('0.2.8'), kind: 'widget' }],
  })
  expect(found).toEqual([
    {
      code: 'secret-ends',
      level: 'problem',
      says: 'The last secret of Webshop ends, and its servers stop working. Replace it.',
      atMs: nowMs + 3 * DAY_MS,
    },
    {
      code: 'secret-in-use',
      level: 'problem',
      says: 'A server still uses secret a of acme-2, which ends. Give it the newer one.',
      atMs: nowMs + DAY_MS,
    },
    {
      code: 'webhook-failing',
      level: 'problem',
      says: '3 of the newest 100 webhook events could not be delivered. Open one to see the answer.',
    },
    { code: 'newer-version', level: 'advice', says: 'The proxy runs version 0.2.9; 0.3.0 is available.' },
    { code: 'newer-version', level: 'advice', says: 'The widget runs version 0.2.8; 0.3.0 is available.' },
  ])
})

test('problems come before advice', () => {
  const levels = findSetUp({ ...good, endpoints: 0, failing: 1, clients: [] }).map(({ level }) => level)
  expect(levels).toEqual(['problem', 'problem', 'advice'])
})

test.each([
  ['0.2.0', '0.3.0', true],
  ['0.9.0', '0.10.0', true],
  ['0.3.0', '0.3.0', false],
  ['1.0.0', '0.9.9', false],
  ['0.2.0', 'source', false],
  ['source', '0.3.0', false],
  ['0.3.0', '0.3', false],
  ['0.3.1', '0.3.0', false],
  ['0.3.0', '0.3.1', true],
  ['1.0.0', '0.0.1', false],
] as const)('%s is older than %s: %s', (version, other, expected) => {
  expect(isOlder(version, other)).toBe(expected)
})

describe('what a set-up is read from', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp()
  })
  afterAll(() => app.close())

  const read = (tenantId: string) => {
    const clients = {
      list: async () =>
        good.clients.map((each) => ({
          ...each,
          scopes: [],
          isTestOnly: false,
          maker: null,
          createdAtMs: 1,
          lastUsedAtMs: null,
        })),
    }
    const versions = { list: async () => [...good.versions] }
    const options = { database: app.database, clients, versions, settings: app.config, newest: '0.3.0', hasMatch: true }
    return readSetUp(options, tenantId, nowMs)
  }

  test('a lender that is not there has none', async () => {
    expect(await read('no-lender')).toBeNull()
  })

  test('a live check of its own counts, a test or another lender’s does not', async () => {
    const [ours, theirs] = [await app.newTenant(1_000), await app.newTenant(1_000)]
    await app.generate(testRequest('allow'), { token: ours })
    await app.generate(liveRequest('Allow'), { token: theirs })
    expect(await read(ours)).toMatchObject({ nowMs, newest: '0.3.0', hasLiveCheck: false, endpoints: 0, doctor: [] })
    await app.generate(liveRequest('Block'), { token: ours })
    expect((await read(ours))?.hasLiveCheck).toBe(true)
  })

  test('of the newest hundred events those fail that were tried in vain, tests left out', async () => {
    const tenantId = await app.newTenant(0)
    const added = await app.call(`/${tenantId}/v1/webhooks`, { url: 'https://shop.example/' }, { token: tenantId })
    expect(added.status).toBe(201)
    const data = { tenantId, creditReportId: 'r', status: 'complete', test: true } as const
    for (let count = 0; count < 105; count += 1)
      await queueWebhook(app.database, { type: 'credit-report.completed', data }, app.time.nowMs + count)
    const rows = await app.database.all<{ id: string }>(
      'SELECT id FROM webhook_delivery WHERE tenant_id = ? ORDER BY id DESC',
      tenantId,
    )
    const change = (index: number, changes: string) =>
      app.database.run(`UPDATE webhook_delivery SET ${changes} WHERE id = ?`, rows[index]?.id ?? '')
    expect(await read(tenantId)).toMatchObject({ endpoints: 1, failing: 0 })
    await change(0, `status = 'delivered', attempts = 2`)
    await change(1, `type = 'endpoint.test', status = 'parked', attempts = 1`)
    await change(2, `attempts = 1`)
    await change(3, `status = 'parked', attempts = 9`)
    await change(99, `attempts = 1`)
    await change(100, `attempts = 1`)
    expect((await read(tenantId))?.failing).toBe(3)
  })
})
