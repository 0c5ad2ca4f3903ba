// Finding addresses by postcode: the lender's code does it, and nothing it does wrong is a dead end for the consumer.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ProxyAddresses } from '../../contract/tenant-proxy.ts'
import { createTestMount, refused, type TestMount } from '../../testing/proxy-mount.ts'
import type { FindAddresses } from '../options.ts'
import { inventAddresses } from './addresses.ts'

let at: TestMount
beforeEach(async () => {
  at = await createTestMount()
})
afterEach(async () => {
  vi.useRealTimers()
  await at.service.stop()
})

const home = { buildingNumber: '10', thoroughfare: 'High Street', townOrCity: 'Leeds' }

/** Mounts it, and asks for `current` first as the widget does. */
async function mount(findAddresses: FindAddresses, options: Parameters<TestMount['mount']>[0] = {}) {
  at.mount({ findAddresses, ...options })
  await at.browser.get('/credit-reports/current')
}

const look = (postcode: string) => at.browser.get(`/credit-reports/addresses?postcode=${encodeURIComponent(postcode)}`)
const found = async (postcode = 'LS1 4AP') => ProxyAddresses.parse(await (await look(postcode)).json()).data.addresses

test('the lender’s code is asked for the postcode as it is written, and answers', async () => {
  const find = vi.fn(async () => [home, { ...home, postcode: 'LS1 4AQ' }])
  await mount(find)
  expect(await found(' ls14ap ')).toEqual([
    { ...home, postcode: 'LS1 4AP' },
    { ...home, postcode: 'LS1 4AQ' },
  ])
  expect(find.mock.calls).toEqual([['LS1 4AP', expect.any(AbortSignal)]])
  expect(at.events).toEqual([])
})

test('a search that is over leaves no timer behind that would keep the process alive', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length
  await mount(async () => [home])
  const before = timers()
  await found()
  expect(timers()).toBeLessThanOrEqual(before)
})

test('the widget learns from `current` whether there is a search', async () => {
  const meta = async () => (await (await at.browser.get('/credit-reports/current')).json()).meta
  await mount(async () => [])
  expect(await meta()).toMatchObject({ findsAddresses: true })
  at.mount()
  expect(await meta()).not.toHaveProperty('findsAddresses')
  expect(await refused(await look('LS1 4AP'))).toMatchObject({ status: 404, code: 'not-found' })
})

test('no more than a hundred, and only what an address is made of', async () => {
  await mount(async () => Array.from({ length: 150 }, () => ({ ...home, udprn: '123', postcode: undefined })))
  const addresses = await found()
  expect(addresses).toHaveLength(100)
  expect(addresses[0]).toEqual({ ...home, postcode: 'LS1 4AP' })
})

test.each<[string, unknown, string]>([
  ['a number where text belongs', [{ ...home, buildingNumber: 10 }, home], 'buildingNumber '],
  ['an address that is too long', [{ ...home, thoroughfare: 'x'.repeat(201) }, home], 'thoroughfare '],
  ['nothing', [null, home], 'an address '],
])('%s is left out, and the lender gets an event', async (_name, given, where) => {
  await mount(async () => given as [])
  expect(await found()).toEqual([{ ...home, postcode: 'LS1 4AP' }])
  const problem = `findAddresses must resolve to a list of addresses: ${where}`
  expect(at.events).toMatchObject([{ type: 'misconfigured', problem: expect.stringContaining(problem) }])
})

test('an answer that is no list finds nothing', async () => {
  await mount(async () => 'no' as unknown as [])
  expect(await found()).toEqual([])
  expect(at.events).toMatchObject([{ type: 'misconfigured', problem: expect.stringContaining('not a list') }])
})

test.each(['', 'LS1', 'QQ1 1AA', 'x'.repeat(500)])('“%s” is not looked up', async (postcode) => {
  const find = vi.fn(async () => [])
  await mount(find)
  const { status, code, message } = await refused(await look(postcode))
  expect([status, code]).toEqual([400, 'validation-error'])
  expect(message).toContain('postcode')
  expect(find).not.toHaveBeenCalled()
})

describe('when it fails', () => {
  test.each<[string, FindAddresses]>([
    [
      'throws at once',
      () => {
        throw new Error('LS1 4AP has no quota')
      },
    ],
    ['rejects', async () => Promise.reject(new Error('LS1 4AP has no quota'))],
  ])('%s: the browser goes on without, and does not learn the reason', async (_name, find) => {
    await mount(find)
    const refusal = await refused(await look('LS1 4AP'))
    expect(refusal).toMatchObject({ status: 503, code: 'unavailable' })
    expect(refusal.message).not.toContain('quota')
    expect(at.events).toMatchObject([{ type: 'hook-failed', hook: 'findAddresses' }])
  })

  test('it has six seconds, then it is aborted', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let isStopped = false
    await mount((_postcode, signal) => {
      signal.addEventListener('abort', () => {
        isStopped = true
      })
      return new Promise(() => {})
    })
    const answer = look('LS1 4AP')
    await vi.advanceTimersByTimeAsync(5_999)
    expect(isStopped).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await refused(await answer)).toMatchObject({ status: 503, code: 'unavailable' })
    expect(isStopped).toBe(true)
  })
})

const postcodes = (count: number) => Array.from({ length: count }, (_, index) => `LS${index + 1} 4AP`)

describe('what it costs the lender', () => {
  test('one address may look up 30 postcodes in ten minutes', async () => {
    const find = vi.fn(async () => [])
    await mount(find, { limits: {} })
    for (const postcode of postcodes(30)) expect((await look(postcode)).status).toBe(200)
    const refusal = await look('LS99 4AP')
    expect([refusal.status, refusal.headers.get('Retry-After')]).toEqual([429, '600'])
    expect(find).toHaveBeenCalledTimes(30)
    expect(at.events).toMatchObject([{ type: 'refused', operation: 'addresses', code: 'rate-limited' }])
    at.nowMs += 600_000
    expect((await look('LS99 4AP')).status).toBe(200)
  })

  test('a postcode is paid for once a day, also when many ask at once', async () => {
    const find = vi.fn(async () => [home])
    await mount(find)
    await Promise.all([found(), found(), found('ls14ap')])
    at.nowMs += 86_399_999
    expect(await found()).toEqual([{ ...home, postcode: 'LS1 4AP' }])
    expect(find).toHaveBeenCalledTimes(1)
    at.nowMs += 1
    await found()
    expect(find).toHaveBeenCalledTimes(2)
  })

  test.each<[string, () => Promise<unknown>]>([
    ['a failure', () => Promise.reject(new Error('no quota'))],
    ['an answer that is no list', async () => 'no'],
  ])('%s is not kept', async (_what, failing) => {
    const find = vi.fn(failing)
    await mount(find as unknown as FindAddresses)
    await look('LS1 4AP')
    await look('LS1 4AP')
    expect(find).toHaveBeenCalledTimes(2)
  })

  test('an hour has a limit, however many addresses ask, and the lender gets one event', async () => {
    const find = vi.fn(async () => [])
    await mount(find, { limits: { lookupsPerHourMax: 3 } })
    const statuses = []
    for (const [index, postcode] of postcodes(5).entries()) {
      at.browser.address = `203.0.113.${index}`
      statuses.push((await look(postcode)).status)
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    expect((await look('LS1 4AP')).status).toBe(200)
    expect(find).toHaveBeenCalledTimes(3)
    expect(at.events.filter(({ type }) => type === 'refused')).toMatchObject(
      Array(2).fill({ operation: 'addresses', code: 'rate-limited' }),
    )
    const reported = at.events.filter(({ type }) => type === 'misconfigured')
    expect(reported).toMatchObject([{ problem: expect.stringContaining('raise `limits.lookupsPerHourMax`') }])
    at.nowMs += 3_599_500
    expect((await look('LS4 4AP')).headers.get('Retry-After')).toBe('1')
    at.nowMs += 500
    expect((await look('LS4 4AP')).status).toBe(200)
  })

  test('where the address of the consumer is unknown there is no lookup', async () => {
    const find = vi.fn(async () => [home])
    await mount(find)
    at.browser.address = ''
    expect(await refused(await look('LS1 4AP'))).toMatchObject({ status: 503, code: 'unavailable' })
    expect(find).not.toHaveBeenCalled()
    expect(at.events).toMatchObject([{ type: 'misconfigured', problem: expect.stringContaining('address is unknown') }])
  })
})

test('a page elsewhere cannot spend the lender’s lookups: its requests carry no cookie', async () => {
  const find = vi.fn(async () => [])
  at.mount({ findAddresses: find })
  expect(await refused(await look('LS1 4AP'))).toMatchObject({ status: 403, code: 'cookies-required' })
  expect(find).not.toHaveBeenCalled()
})

test('only read', async () => {
  await mount(async () => [])
  const answer = await at.browser.post('/credit-reports/addresses', {})
  expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'GET'])
})

test('in test mode addresses are invented, and the lender’s code is not asked', async () => {
  const find = vi.fn(async () => [])
  await mount(find, { test: true })
  expect(await found('SW1A 1AA')).toEqual(inventAddresses('SW1A 1AA'))
  expect(find).not.toHaveBeenCalled()
})

test.each([
  ['LS1 0AA', 0],
  ['LS1 8AA', 1],
  ['LS1 9AA', 100],
  ['LS1 4AP', 12],
])('%s has %i invented addresses, the same ones each time', (postcode, count) => {
  expect(inventAddresses(postcode)).toHaveLength(count)
  expect(inventAddresses(postcode)).toEqual(inventAddresses(postcode))
})

test.each([
  ['LS1 4AP', 'Orchard Lane', 'Harrowby'],
  ['SW1A 1AA', 'Kiln Row', 'Ambleford'],
  ['EH1 3XY', 'Weir Street', 'Tarnside'],
])('%s lies in %s, %s, from number 1 on', (postcode, thoroughfare, townOrCity) => {
  const [first, second] = inventAddresses(postcode)
  expect([first, second]).toEqual([
    { buildingNumber: '1', thoroughfare, townOrCity, postcode },
    { buildingNumber: '2', thoroughfare, townOrCity, postcode },
  ])
})

test('an invented postcode has nine houses, two flats of one building and a cottage', () => {
  const street = { thoroughfare: 'Orchard Lane', townOrCity: 'Harrowby', postcode: 'LS1 4AP' }
  const houses = ['1', '2', '3', '4', '5', '6', '7', '8', '9']
  const mill = { buildingName: 'Mill House', buildingNumber: '10', ...street }
  expect(inventAddresses('LS1 4AP')).toEqual([
    ...houses.map((buildingNumber) => ({ buildingNumber, ...street })),
    { subBuildingName: 'Flat 1', ...mill },
    { subBuildingName: 'Flat 2', ...mill },
    { buildingName: 'Rose Cottage', ...street },
  ])
})
