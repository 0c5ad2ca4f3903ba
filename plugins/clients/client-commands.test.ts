// A lender's API clients at an operator's hands: how long secrets count, what they may do, which are listed.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { operateTestService } from '../../testing/admin.ts'

const NOW_MS = Date.UTC(2030, 0, 1)
const { type } = operateTestService()
const client = (...words: string[]) => type(['client', ...words])

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW_MS })
})
afterEach(() => vi.useRealTimers())

let clients = 0
/** Resolves to its id. */
async function newClient(...options: string[]): Promise<string> {
  clients += 1
  const id = `shop-${clients}`
  expect((await client('create', 'demo-lender', '--id', id, '--name', 'Shop', ...options)).exitCode).toBe(0)
  return id
}

async function list(id: string) {
  const { printed } = await client('list', 'demo-lender', '--json')
  return printed.map((line) => JSON.parse(line)).filter((row) => row.client === id)
}

test.each([
  [[], '2030-01-02T00:00:00.000Z'],
  [['--overlap-hours', '0'], '2030-01-01T00:00:00.000Z'],
  [['--overlap-hours', '1'], '2030-01-01T01:00:00.000Z'],
  [['--overlap-hours', '168'], '2030-01-08T00:00:00.000Z'],
])('the others end a day after a secret was replaced, or the hours that are given: %s', async (options, end) => {
  vi.setSystemTime(NOW_MS - 1)
  const id = await newClient()
  vi.setSystemTime(NOW_MS)
  const { printed } = await client('replace-secret', 'demo-lender', id, ...options)
  expect(printed).toEqual([
    `client id      ${id}`,
    expect.stringMatching(/^secret id {6}\w{8}$/),
    expect.stringMatching(/^client secret {2}\S{20,}$/),
    'the secret is not kept: store it now',
  ])
  const untils = (await list(id)).map(({ until }) => until)
  expect(untils).toEqual(options[1] === '0' ? [null] : [end, null])
})

test.each([
  ['169', 'must be at most 168'],
  ['day', 'must be a number'],
])('no overlap of "%s" hours: it %s', async (hours, expected) => {
  const id = await newClient()
  const { exitCode, complaints } = await client('replace-secret', 'demo-lender', id, `--overlap-hours=${hours}`)
  expect(exitCode).toBe(2)
  expect(complaints[0]).toBe(`--overlap-hours ${expected}`)
  expect(await list(id)).toHaveLength(1)
})

test.each([
  ['1', '2030-01-02T00:00:00.000Z'],
  ['3650', '2039-12-30T00:00:00.000Z'],
])('a secret that ends after %s days', async (days, until) => {
  const id = await newClient('--secret-ends-in-days', days)
  expect(await list(id)).toMatchObject([{ since: '2030-01-01T00:00:00.000Z', until }])
  await client('replace-secret', 'demo-lender', id, '--overlap-hours', '0', '--secret-ends-in-days', days)
  expect(await list(id)).toMatchObject([{ until }])
})

test.each([
  [[], 'credit-reports wallet'],
  [['--scopes', 'wallet'], 'wallet'],
  [['--scopes', 'audit,credit-reports'], 'credit-reports audit'],
])('what it may do: %s', async (options, scopes) => {
  expect(await list(await newClient(...options))).toMatchObject([{ scopes }])
})

test.each(['everything', 'wallet, audit'])('no client may do "%s"', async (scopes) => {
  const { exitCode, complaints } = await client(
    'create',
    'demo-lender',
    '--id',
    'all',
    '--name',
    'All',
    `--scopes=${scopes}`,
  )
  expect(exitCode).toBe(2)
  expect(complaints[0]).toBe(
    '--scopes must be one of "credit-reports", "people-export", "people-erase", "wallet", "settings", "audit"',
  )
  expect(await list('all')).toEqual([])
})

test('a client has an id of its own unless one is given, which is taken once', async () => {
  const made = await client('create', 'demo-lender', '--name', 'Own')
  expect(made.printed[0]).toMatch(/^client id {6}demo-lender-\w{10}$/)
  const id = await newClient()
  const again = await client('create', 'demo-lender', '--id', id, '--name', 'Again')
  expect(again).toMatchObject({
    exitCode: 2,
    complaints: ['--id is taken, or was: choose another', expect.stringContaining('usage: ')],
  })
  expect((await client('create', 'demo-lender', '--id', 'X', '--name', 'X')).exitCode).toBe(2)
})

test('a test-only client is listed as one, with who made it', async () => {
  expect(await list(await newClient('--test-only'))).toMatchObject([{ mode: 'test-only', madeBy: null }])
  expect(await list(await newClient())).toMatchObject([{ mode: 'live' }])
})

test('a secret is ended by the id it is listed under; a client without one is listed all the same', async () => {
  const id = await newClient()
  const [{ secret }] = await list(id)
  expect(await client('end-secret', 'demo-lender', id, secret)).toMatchObject({
    exitCode: 0,
    printed: [`client id  ${id}`, `secret id  ${secret}`],
  })
  expect(await list(id)).toEqual([
    {
      client: id,
      name: 'Shop',
      mode: 'live',
      madeBy: null,
      scopes: 'credit-reports wallet',
      revoked: null,
      secret: null,
      since: null,
      until: null,
      used: null,
    },
  ])
  expect((await client('end-secret', 'demo-lender', id, secret)).complaints).toEqual([
    `client "${id}" has no secret "${secret}" that works`,
  ])
  await client('revoke', 'demo-lender', id)
  expect(await list(id)).toMatchObject([{ revoked: '2030-01-01T00:00:00.000Z' }])
})
