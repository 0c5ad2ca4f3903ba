// The versions that a lender runs, on both engines.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { onEachEngine } from '../../testing/engines.ts'
import { createTestApp, type TestApp, testRequest } from '../../testing/test-app.ts'
import { createVersions } from './versions.ts'

const HOUR_MS = 3_600_000
const AGENT = 'credit-report-widget-client/0.2.0'

onEachEngine('versions', (place) => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp(await place())
  })
  afterAll(() => app?.close())
  const writes = { count: 0, last: Promise.resolve(0) }
  const create = () =>
    createVersions({
      clock: () => app.time.nowMs,
      database: {
        ...app.database,
        all: app.database.all.bind(app.database),
        run(...given) {
          writes.count += 1
          writes.last = app.database.run(...given)
          return writes.last
        },
      },
    })
  beforeEach(() => {
    writes.count = 0
  })

  test('a check says which proxy and widget it came from', async () => {
    const token = await app.newTenant(0)
    await app.generate(testRequest('allow'), { token, 'User-Agent': AGENT, 'X-Credit-Report-Widget': '0.1.7' })
    await expect
      .poll(() => create().list(token))
      .toEqual([
        { kind: 'proxy', version: '0.2.0', test: true, seenAtMs: app.time.nowMs },
        { kind: 'widget', version: '0.1.7', test: true, seenAtMs: app.time.nowMs },
      ])
  })

  test('one is written once an hour by each process, and never back in time', async () => {
    const whose = { tenantId: 'hourly', test: false }
    const headers = new Headers({ 'User-Agent': AGENT })
    const beganAtMs = app.time.nowMs
    const versions = create()
    for (let time = 0; time < 5; time += 1) versions.see(whose, headers)
    app.time.nowMs += HOUR_MS - 1
    versions.see(whose, headers)
    expect(writes.count).toBe(1)
    app.time.nowMs += 1
    versions.see(whose, headers)
    expect(writes.count).toBe(2)
    await expect.poll(() => versions.list('hourly')).toMatchObject([{ seenAtMs: beganAtMs + HOUR_MS }])
    // Another process whose clock is behind.
    app.time.nowMs = beganAtMs
    create().see(whose, headers)
    expect(writes.count).toBe(3)
    await writes.last
    expect(await versions.list('hourly')).toMatchObject([{ seenAtMs: beganAtMs + HOUR_MS }])
  })

  test.each([
    ['another program', { 'User-Agent': 'curl/8.0.0' }],
    ['what only begins like it', { 'User-Agent': 'credit-report-widget-client/0.2.0 (evil)' }],
    ['no version', { 'User-Agent': 'credit-report-widget-client' }],
    ['markup', { 'X-Credit-Report-Widget': '<b>1.2.3</b>' }],
    ['a long number', { 'X-Credit-Report-Widget': '123456.1.1' }],
  ])('%s is not kept', async (_name, headers) => {
    create().see({ tenantId: 'odd', test: false }, new Headers(headers as { [name: string]: string }))
    expect(writes.count).toBe(0)
  })

  test('twenty are kept of each kind, and old ones are forgotten', async () => {
    const whose = { tenantId: 'many', test: false }
    const versions = create()
    for (let patch = 0; patch < 25; patch += 1) {
      versions.see(whose, new Headers({ 'X-Credit-Report-Widget': `0.1.${patch}` }))
      await expect.poll(async () => (await versions.list('many')).length).toBe(Math.min(patch + 1, 20))
    }
    // Another kind, mode or lender has twenty of its own.
    versions.see(whose, new Headers({ 'User-Agent': AGENT }))
    versions.see({ ...whose, test: true }, new Headers({ 'X-Credit-Report-Widget': '0.1.30' }))
    versions.see({ ...whose, tenantId: 'many-more' }, new Headers({ 'X-Credit-Report-Widget': '0.1.30' }))
    await expect.poll(async () => (await versions.list('many')).length).toBe(22)
    await expect.poll(() => versions.list('many-more')).toHaveLength(1)
    // One that is known is still renewed.
    app.time.nowMs += HOUR_MS
    versions.see(whose, new Headers({ 'X-Credit-Report-Widget': '0.1.3' }))
    await expect
      .poll(async () => (await versions.list('many'))[0])
      .toMatchObject({ version: '0.1.3', seenAtMs: app.time.nowMs })
    app.time.nowMs += 90 * 24 * HOUR_MS
    const count = async () => (await app.database.all('SELECT * FROM version_seen')).length
    const before = await count()
    const forgotten = await versions.forgetOld()
    expect(forgotten).toBe(before - (await count()))
    expect((await versions.list('many')).map(({ version }) => version)).toEqual(['0.1.3'])
  })

  test('the newest sight is listed first, and a kind that a later version writes is left out', async () => {
    const rows: [kind: string, version: string, seenAtMs: number][] = [
      ['widget', '0.1.1', 1_000],
      ['proxy', '0.2.0', 3_000],
      ['robot', '0.9.0', 2_500],
      ['widget', '0.1.2', 2_000],
    ]
    for (const [kind, version, seenAtMs] of rows)
      await app.database.run(
        `INSERT INTO version_seen (tenant_id, test, kind, version, seen_at_ms) VALUES ('listed', 0, ?, ?, ?)`,
        kind,
        version,
        seenAtMs,
      )
    expect(await create().list('listed')).toEqual([
      { kind: 'proxy', version: '0.2.0', test: false, seenAtMs: 3_000 },
      { kind: 'widget', version: '0.1.2', test: false, seenAtMs: 2_000 },
      { kind: 'widget', version: '0.1.1', test: false, seenAtMs: 1_000 },
    ])
  })
})
