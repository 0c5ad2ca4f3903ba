// A lender's API clients at an operator's hands: how long secrets count, what they may do, which are listed.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createClients } from '../../service/tokens/clients.ts'
import { operateTestService } from '../../testing/admin.ts'

const NOW_MS = Date.UTC(2030, 0, 1)
const { app, type } = operateTestService()
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
  expect((await client('create', 'demo-lender', '--id', id, ...options)).exitCode).toBe(0)
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
  expect(printed.slice(1)).toEqual(['the secret is not kept: store it now', `the others end ${end}`])
  const untils = (await list(id)).map(({ until }) => until)
  expect(untils).toEqual(options[1] === '0' ? [null] : [end, null])
})

test.each(['169', '1000', '1.5', '0.5', '-1', 'day', ''])('no overlap of "%s" hours', async (hours) => {
  const id = await newClient()
  const { exitCode, complaints } = await client('replace-secret', 'demo-lender', id, `--overlap-hours=${hours}`)
  expect(exitCode).toBe(2)
  expect(complaints[0]).toBe(`--overlap-hours must be a whole number from 0 to 168, got "${hours}"`)
  expect(await list(id)).toHaveLength(1)
})

test.each([
  ['1', '2030-01-02T00:00:00.000Z'],
  ['3650', '2039-12-30T00:00:00.000Z'],
])('a secret that ends after %s days', async (days, until) => {
  const id = await newClient('--expires-days', days)
  expect(await list(id)).toMatchObject([{ since: '2030-01-01T00:00:00.000Z', until }])
  await client('replace-secret', 'demo-lender', id, '--overlap-hours', '0', '--expires-days', days)
  expect(await list(id)).toMatchObject([{ until }])
})

test.each(['0', '01', '3651', '10000', '1.5', '-1', 'never', ''])('no secret ends after "%s" days', async (days) => {
  const { exitCode, complaints } = await client('create', 'demo-lender', '--id', 'never', `--expires-days=${days}`)
  expect(exitCode).toBe(2)
  expect(complaints[0]).toBe(`--expires-days must be a whole number of days from 1 to 3650, got "${days}"`)
  expect(await list('never')).toEqual([])
})

test.each([
  [[], 'credit-reports wallet'],
  [['--scopes', 'wallet'], 'wallet'],
  [['--scopes', 'audit,credit-reports'], 'credit-reports audit'],
])('what it may do: %s', async (options, scopes) => {
  expect(await list(await newClient(...options))).toMatchObject([{ scopes }])
})

test.each(['everything', 'wallet,everything', 'wallet,wallet', 'wallet, audit', ''])(
  'no client may do "%s"',
  async (scopes) => {
    const { exitCode, complaints } = await client('create', 'demo-lender', '--id', 'all', `--scopes=${scopes}`)
    expect(exitCode).toBe(2)
    expect(complaints[0]).toBe(
      '--scopes may name credit-reports, wallet, settings, audit, with commas between them, each once',
    )
    expect(await list('all')).toEqual([])
  },
)

test('a name has up to sixty characters; without one it has its id', async () => {
  const unnamed = await newClient()
  expect(await list(unnamed)).toMatchObject([{ name: unnamed }])
  expect(await list(await newClient('--name', 'x'.repeat(60)))).toMatchObject([{ name: 'x'.repeat(60) }])
  for (const name of ['', 'x'.repeat(61)]) {
    const { exitCode, complaints } = await client('create', 'demo-lender', '--id', 'unnamed', `--name=${name}`)
    expect(exitCode).toBe(2)
    expect(complaints[0]).toBe('the name must have 1 to 60 characters, none of them invisible')
  }
  expect(await list('unnamed')).toEqual([])
})

test('a client has the lender’s id unless another is given, and one more secret each time', async () => {
  await type(['tenant', 'create', 'new-lender', '--name', 'New'])
  const first = await client('create', 'new-lender')
  expect(first.printed).toEqual([
    'client id      new-lender',
    expect.stringMatching(/^client secret {2}\S{20,}$/),
    'the secret is not kept: store it now',
  ])
  const second = await client('create', 'new-lender', '--name', 'Ignored', '--scopes', 'audit')
  expect(second.printed).toHaveLength(4)
  const known = createClients({ database: app().database, clock: () => NOW_MS })
  for (const { printed } of [first, second]) {
    const secret = printed[1]?.replace('client secret  ', '') ?? ''
    expect(await known.verify('new-lender', secret)).toMatchObject({ scopes: ['credit-reports', 'wallet'] })
  }
  expect((await client('create', 'new-lender', '--id', 'X')).exitCode).toBe(2)
})

test('a secret is ended by the id it is listed under; a client without one is listed all the same', async () => {
  const id = await newClient()
  const [{ secret }] = await list(id)
  expect(await client('end-secret', 'demo-lender', id, secret)).toMatchObject({
    exitCode: 0,
    printed: [`secret ${secret} of ${id} ended`],
  })
  expect(await list(id)).toEqual([
    {
      client: id,
      name: id,
      scopes: 'credit-reports wallet',
      revoked: null,
      secret: null,
      since: null,
      until: null,
      used: null,
    },
  ])
  expect((await client('end-secret', 'demo-lender', id, secret)).complaints).toEqual([
    `${id} of demo-lender has no secret "${secret}" that counts`,
  ])
  await client('revoke', id)
  expect(await list(id)).toMatchObject([{ revoked: '2030-01-01T00:00:00.000Z' }])
})

test('the help says how long the others go on', async () => {
  const { printed } = await type(['help', 'client', 'replace-secret'])
  expect(printed[1]).toContain('its others end after 24 hours, or those given')
})
