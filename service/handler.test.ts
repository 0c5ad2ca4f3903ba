// The handler without plugins, on the tables of the core: it serves every machine operation of the interface document,
// and nothing else.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operationsOf } from '../openapi/operation.ts'
import { allRows } from '../portal/rows.ts'
import { type CoreApp, createCoreApp } from '../testing/core-app.ts'
import { error, interfaceSuite } from '../testing/interface-suite.ts'
import { ALL_TABLES } from '../testing/open-database.ts'
import { coreRows } from './handler.ts'
import { coreTables } from './schema.ts'
import { silent, type Telemetry } from './telemetry.ts'

let app: CoreApp
beforeAll(async () => {
  app = await createCoreApp()
})
afterAll(() => app.close())

interfaceSuite('the handler alone', () => createCoreApp())

describe('nothing else', () => {
  const coreOperations = operationsOf(coreRows)
  const others = Object.entries(operationsOf(allRows)).filter(([id]) => !(id in coreOperations))

  test('no route is served but the core’s', async () => {
    expect(others.length).toBeGreaterThan(40)
    expect(others.filter(([, { route }]) => app.routes.includes(route))).toEqual([])
    const { body } = await app.call('/openapi.json')
    const described = Object.values<object>(body.paths).flatMap((path) =>
      Object.values(path).flatMap(({ operationId }) => operationId ?? []),
    )
    expect(described.toSorted()).toEqual(Object.keys(coreOperations).toSorted())
  })

  test.each(others.map(([id, { route }]) => [id, route] as const))('%s is not found', async (_id, route) => {
    const [method = '', pattern = ''] = route.split(' ')
    const path = pattern.replace(':tenantId', 'acme').replace(/:\w+(\{.*\})?/g, 'x')
    const token = await app.tokenOf('acme')
    const { status } = await app.call(path, {
      token,
      method,
      ...(['POST', 'PUT', 'PATCH'].includes(method) && { body: {} }),
    })
    // A path of the core that has other methods says which.
    expect(app.routes.some((each) => each.endsWith(` ${pattern}`)) ? 405 : 404).toBe(status)
  })

  test('no table is made but the core’s', async () => {
    const names = await app.database.all<{ name: string }>('SELECT name FROM migration')
    expect(names.map(({ name }) => name).toSorted()).toEqual(coreTables.map(({ name }) => name).toSorted())
    const tables = await app.tables()
    const others = ALL_TABLES.slice(coreTables.length)
      .flatMap(({ statements }) => statements({ integer: 'INTEGER', bytes: 'BLOB' } as never))
      .flatMap((sql) => /^\s*CREATE TABLE (\w+)/.exec(sql)?.[1] ?? [])
    expect(others.length).toBeGreaterThan(10)
    expect(others.filter((table) => tables.includes(table))).toEqual([])
  })
})

test('over the limit of the minute a lender is 429, and reads when to come back', async () => {
  const limited = await createCoreApp({ environment: { RATE_LIMIT_PER_MINUTE: '2' } })
  for (const _request of [1, 2]) expect((await limited.get('wallet')).status).toBe(200)
  const { status, body, headers } = await limited.get('wallet')
  await limited.close()
  expect([status, body]).toEqual([429, error('rate-limited')])
  expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
})

test('a round of the sweeper does the core’s tasks; challenges that expired are counted', async () => {
  const counted: unknown[] = []
  const telemetry: Telemetry = { ...silent, count: (...given) => void counted.push(given) }
  const core = await createCoreApp({ telemetry })
  await core.generate(await core.liveRequest())
  core.time.nowMs += core.config.challengeLifetimeMs + 1
  const idle = { abandonedReports: 0, queuedTexts: 0, unacknowledgedTexts: 0, oldKeys: 0, oldSessions: 0 }
  expect(await core.sweeper.sweep()).toStrictEqual({ ...idle, expiredChallenges: 1 })
  expect(counted).toEqual([['challenges_expired_total', {}, 1]])
  expect(await core.sweeper.sweep()).toStrictEqual({ ...idle, expiredChallenges: 0 })
  await core.close()
})

test('it is ready, and says so in its numbers, unless the process wants no work', async () => {
  for (const [refusal, status, number] of [
    [null, 200, 1],
    ['draining', 503, 0],
  ] as const) {
    const read: { [name: string]: () => number | Promise<number> } = {}
    const telemetry: Telemetry = {
      ...silent,
      watch(name, _help, value) {
        read[name] = value
      },
    }
    const core = await createCoreApp({ telemetry, refusal: () => refusal })
    expect((await core.call('/healthz')).status).toBe(200)
    expect((await core.call('/readyz')).status).toBe(status)
    expect(await read.ready?.()).toBe(number)
    await core.close()
  }
})

test('security.txt names the contact of the settings', async () => {
  const core = await createCoreApp({ environment: { SECURITY_CONTACT: 'mailto:security@service.example' } })
  const { text } = await core.call('/.well-known/security.txt')
  await core.close()
  expect(text).toContain('Contact: mailto:security@service.example\n')
  expect((await app.call('/.well-known/security.txt')).status).toBe(404)
})
