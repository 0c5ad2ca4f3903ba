// Decisions of a checkout: by the latest check of this browser, whatever a hook, an older cookie or another person did.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sampleReport } from '../contract/samples.ts'
import { ORIGIN } from '../testing/proxy-browser.ts'
import { createTestMount, type TestMount } from '../testing/proxy-mount.ts'
import { answer, refuse } from '../testing/proxy-service.ts'
import type { DecideOptions } from './decide-options.ts'

let at: TestMount
beforeEach(async () => {
  at = await createTestMount()
  at.mount({ externalReference: () => 'order-7' })
})
afterEach(() => at.service.stop())

function asked() {
  const cookie = [...at.browser.cookies].map(([key, { value }]) => `${key.split(' ')[0]}=${value}`).join('; ')
  return new Request(`${ORIGIN}/checkout`, { headers: { Cookie: cookie } })
}
const decide = (options?: DecideOptions) => at.proxy.decide(asked(), options)
const isCompleted = () => at.proxy.completed(asked(), { externalReference: 'order-7' }) !== null
const about = (creditReportId: string) => ({ creditReportId, externalReference: 'order-7', test: false })

async function check(how: 'complete' | 'failed' | 'blocked' | 'expired' | 'open', lastName = 'Alpha'): Promise<string> {
  // Checks follow one another.
  at.nowMs += 1_000
  at.service.branch = how === 'blocked' ? 'block' : 'challenge'
  const { base, challengeId, creditReportId } = await at.begin({ lastName })
  const submit = (code: string) => at.browser.post(`${base}/otp-challenge`, { challengeId, code })
  if (how === 'complete') await submit('123456')
  if (how === 'failed') for (const code of ['000000', '000001', '000002']) await submit(code)
  if (how === 'expired') Object.assign(at.service.reports.get(creditReportId) ?? {}, { status: 'expired' })
  return creditReportId
}

test('without a check there is nothing to decide by', async () => {
  expect(await decide()).toEqual({ status: 'none' })
  expect(isCompleted()).toBe(false)
})

test('a completed check comes with its report and its person', async () => {
  const creditReportId = await check('complete')
  const { person } = sampleReport
  expect(await decide()).toEqual({ status: 'complete', ...about(creditReportId), report: sampleReport, person })
  expect(isCompleted()).toBe(true)
})

test.each(['open', 'failed', 'blocked', 'expired'] as const)('a check that is %s has no report', async (status) => {
  expect(await decide()).toEqual({ status: 'none' })
  const creditReportId = await check(status)
  expect(await decide()).toEqual({ status, ...about(creditReportId) })
  expect(isCompleted()).toBe(false)
})

describe('the latest check counts', () => {
  test.each(['failed', 'blocked', 'expired', 'open'] as const)(
    'Alpha completed, then Bravo’s check for the same order is %s: not complete, for as long as Alpha’s would be proof',
    async (status) => {
      const alpha = await check('complete')
      expect(isCompleted()).toBe(true)
      await check(status, 'Bravo')
      expect([(await decide()).status, isCompleted()]).toEqual([status, false])
      await at.browser.delete('/credit-reports/current')
      expect([(await decide()).status, isCompleted()]).toEqual([status, false])
      at.nowMs += 40 * 60_000
      expect(isCompleted()).toBe(false)
      expect(await decide()).not.toMatchObject({ creditReportId: alpha })
    },
  )

  test('of the order that is asked about', async () => {
    const alpha = await check('complete')
    const { cookies } = at.browser
    at.mount({ externalReference: () => 'order-8' })
    at.browser.cookies = cookies
    await check('failed')
    expect(await decide({ externalReference: 'order-7' })).toMatchObject({ status: 'complete', creditReportId: alpha })
    expect(await decide({ externalReference: 'order-8' })).toMatchObject({ status: 'failed' })
    expect(await decide()).toMatchObject({ status: 'failed' })
  })

  test.each([undefined, '', 'order-9'])('a session that says %j has none', async (externalReference) => {
    await check('complete')
    expect(await decide({ externalReference })).toEqual({ status: 'none' })
    expect(at.proxy.completed(asked(), { externalReference })).toBeNull()
  })
})

describe('with a reference, the newest check that the service has for it counts', () => {
  const byOrder = () => decide({ externalReference: 'order-7' })

  test('an older cookie does not bring back an earlier complete', async () => {
    await check('complete')
    const older = new Map(at.browser.cookies)
    const blocked = await check('blocked', 'Bravo')
    expect(await byOrder()).toMatchObject({ status: 'blocked', creditReportId: blocked })
    at.browser.cookies = older
    expect(await byOrder()).toEqual({ status: 'none' })
  })

  test('nor does another process whose clock is an hour ahead', async () => {
    await check('complete')
    const { cookies } = at.browser
    at.mount({ externalReference: () => 'order-7' })
    at.browser.cookies = cookies
    at.nowMs -= 1_800_000
    await check('failed', 'Bravo')
    at.nowMs += 1_800_000
    expect(await byOrder()).toMatchObject({ status: 'failed' })
    expect(await decide()).toMatchObject({ status: 'failed' })
    expect(isCompleted()).toBe(false)
  })

  test('one that another browser made since is none for this one', async () => {
    await check('complete')
    const { cookies } = at.browser
    at.browser.cookies = new Map()
    await check('complete', 'Bravo')
    at.browser.cookies = cookies
    expect(await byOrder()).toEqual({ status: 'none' })
  })

  test('one of the other mode does not count', async () => {
    const creditReportId = await check('complete')
    const test = { creditReportId: 'report-9', attempts: 0, sends: 1, test: true, status: 'blocked' } as const
    at.service.reports.set('report-9', { ...test, externalReference: 'order-7' })
    expect(await byOrder()).toMatchObject({ status: 'complete', creditReportId })
  })

  test('a browser without a check costs the service nothing', async () => {
    const asked = at.service.seen.length
    expect(await byOrder()).toEqual({ status: 'none' })
    expect(at.service.seen).toHaveLength(asked)
  })

  test('a number counts as its text, from the hook too', async () => {
    at.mount({ externalReference: () => 1042 })
    const creditReportId = await check('complete')
    expect(await decide({ externalReference: 1042 })).toMatchObject({ creditReportId, externalReference: '1042' })
    expect(at.proxy.completed(asked(), { externalReference: 1042 })).toMatchObject({ creditReportId })
  })

  test('a fourth check in a browser loses nothing', async () => {
    let order = 0
    at.mount({ externalReference: () => `order-${order} ${'x'.repeat(150)}` })
    const made: string[] = []
    for (order of [1, 2, 3, 4, 5]) made.push(await check('complete', `Person ${order}`))
    for (const number of [1, 5]) {
      const externalReference = `order-${number} ${'x'.repeat(150)}`
      expect(await decide({ externalReference })).toMatchObject({
        status: 'complete',
        creditReportId: made[number - 1],
      })
    }
  })
})

test.each(['', '?forget=1'])(
  'a check that was closed with "%s" is decided by, a forgotten one is not',
  async (query) => {
    await check('complete')
    const older = new Map(at.browser.cookies)
    await at.browser.delete(`/credit-reports/current${query}`)
    const status = query === '' ? 'complete' : 'none'
    for (const cookies of [at.browser.cookies, older]) {
      at.browser.cookies = cookies
      expect([(await decide()).status, (await decide({ externalReference: 'order-7' })).status]).toEqual([
        status,
        status,
      ])
      expect(isCompleted()).toBe(query === '')
    }
  },
)

describe('an option that is not known', () => {
  const given = (options: object) => decide(options as DecideOptions)

  test.each<[object, string]>([
    [{ expects: {} }, 'decide: there is no option `expects`: write `expect`'],
    [{ externalreference: 'order-7' }, 'decide: there is no option `externalreference`: write `externalReference`'],
    [{ reference: 'order-7' }, 'decide: there is no option `reference`: there are externalReference, expect'],
    [
      { expect: { lastName: 'Alpha', dateOfBirth: '1985-03-27', postCode: 'SW1A 1AA' } },
      'decide: there is no option `expect.postCode`: write `expect.postcode`',
    ],
    [{ externalReference: {} }, 'decide: `externalReference` must be a text or a whole number, not an object'],
    [{ externalReference: Number.NaN }, 'decide: `externalReference` must be a text or a whole number, not NaN'],
  ])('%j throws', async (options, message) => {
    await check('complete')
    await expect(given(options)).rejects.toThrow(message)
  })

  test('throws in completed() too', () => {
    const options = { externalRef: 'order-7' } as object
    expect(() => at.proxy.completed(asked(), options)).toThrow('completed: there is no option `externalRef`')
  })

  test('is not named where options are none', async () => {
    await expect(given('order-7' as unknown as object)).rejects.toThrow('must be an object')
  })
})

describe('expect', () => {
  const { firstName, lastName, dateOfBirth } = sampleReport.person
  test.each<[string, NonNullable<DecideOptions['expect']>, string]>([
    ['the same person', { lastName, dateOfBirth }, 'complete'],
    ['another spelling of the name', { lastName: ` ${lastName.toUpperCase()}`, dateOfBirth }, 'complete'],
    ['another name', { lastName: 'Bravo', dateOfBirth }, 'mismatch'],
    ['another date of birth', { lastName, dateOfBirth: '1971-01-01' }, 'mismatch'],
    ['the first name too', { lastName, dateOfBirth, firstName: firstName.toUpperCase() }, 'complete'],
    ['a twin', { lastName, dateOfBirth, firstName: 'Robin' }, 'mismatch'],
    ['the postcode too', { lastName, dateOfBirth, postcode: 'sw1a1aa' }, 'complete'],
    ['a namesake elsewhere', { lastName, dateOfBirth, postcode: 'LS1 4AP' }, 'mismatch'],
  ])('%s', async (_what, expected, status) => {
    const creditReportId = await check('complete')
    const decision = await decide({ expect: expected })
    expect(decision).toMatchObject({ status, ...about(creditReportId) })
    expect('report' in decision).toBe(status === 'complete')
  })

  test('the whole prefill will do', async () => {
    await check('complete')
    const prefill = { firstName, lastName, dateOfBirth, addresses: [{ postcode: 'SW1A 1AA' }] }
    expect(await decide({ expect: prefill })).toMatchObject({ status: 'complete' })
  })

  test.each<[string, object | undefined]>([
    ['nothing', {}],
    ['a customer who is not there', undefined],
    ['no name', { dateOfBirth }],
    ['a name without letters', { lastName: ' - ', dateOfBirth }],
    ['no date of birth', { lastName }],
    ['a date as people write it', { lastName, dateOfBirth: '01/04/1990' }],
    ['half a postcode', { lastName, dateOfBirth, postcode: 'SW1A' }],
    ['an empty first name', { lastName, dateOfBirth, firstName: '' }],
  ])('%s is a mistake, not a match', async (_what, expected) => {
    await check('complete')
    await expect(decide({ expect: expected as object })).rejects.toThrow(/^decide: `expect/)
  })

  test.each([
    ['without its person', { ...sampleReport, person: undefined }],
    ['kept no longer', undefined],
  ])('a report %s matches no person', async (_what, given) => {
    await check('complete')
    at.service.report = given
    expect(await decide({ expect: { lastName, dateOfBirth } })).toMatchObject({ status: 'mismatch' })
    expect(await decide()).toMatchObject({ status: 'complete' })
  })
})

describe('whatever becomes of the hook, the report is there', () => {
  test.each([
    ['throws', () => Promise.reject(new Error('database is away'))],
    ['hangs', () => new Promise(() => {})],
  ])('one that %s', async (_what, onReport) => {
    at.mount({ externalReference: () => 'order-7', onReport })
    await check('complete')
    expect(await decide()).toMatchObject({ status: 'complete', report: sampleReport })
  })
})

test('what the agencies answered is passed on where the service says', async () => {
  await check('complete')
  const agencies = [{ id: 'equifax', status: 'answered' }]
  at.service.agencies = agencies
  expect(await decide()).toMatchObject({ status: 'complete', agencies })
})

test.each(['matched', 'not-matched'])('a number that is %s for the person is passed on', async (match) => {
  const creditReportId = await check('complete')
  at.service.misbehave = ({ method }, response) => {
    if (method !== 'GET') return false
    const about = {
      creditReportId,
      challengeType: 'none',
      test: false,
      match,
      reference: '',
      createdAt: '',
      endedAt: '',
    }
    const data = { status: 'complete', ...about, creditReport: sampleReport }
    answer(response, 200, { meta: { request: { timeTakenMs: 1 }, wallet: { balance: 1, cost: 0 } }, data })
    return true
  }
  expect(await decide()).toMatchObject({ status: 'complete', match })
})

test('while the service cannot be asked there is no decision; a report that it does not know is none', async () => {
  const creditReportId = await check('complete')
  at.service.misbehave = (_request, response) => {
    refuse(response, 500, 'internal-error')
    return true
  }
  await expect(decide()).rejects.toMatchObject({ code: 'unavailable' })
  expect(at.events.at(-1)).toMatchObject({ type: 'unavailable', operation: 'decide' })
  at.service.misbehave = null
  at.service.reports.delete(creditReportId)
  expect(await decide()).toEqual({ status: 'none' })
})

test('while options are not set yet, completed says nothing and decide rejects, with the reason in the log', async () => {
  at.mount({
    credentials: () => {
      throw new TypeError('CLIENT_SECRET is not set')
    },
  })
  expect(at.proxy.completed(asked())).toBeNull()
  await expect(decide()).rejects.toMatchObject({ code: 'misconfigured' })
  expect(at.events).toMatchObject([{ type: 'misconfigured', problem: 'CLIENT_SECRET is not set' }, {}])
})

describe('onOutcome', () => {
  test.each(['blocked', 'failed', 'expired'] as const)('runs once for a check that is %s', async (status) => {
    const outcomes: unknown[] = []
    at.mount({ externalReference: () => 'order-7', onOutcome: (outcome) => outcomes.push(outcome) })
    const creditReportId = await check(status)
    for (let time = 0; time < 2; time += 1) await at.browser.get('/credit-reports/current')
    expect(outcomes).toEqual([{ status, ...about(creditReportId) }])
  })

  test('that throws is tried again, and keeps no consumer waiting', async () => {
    let tries = 0
    at.mount({
      onOutcome: async () => {
        tries += 1
        await sleep(1)
        if (tries === 1) throw new Error('database is away')
      },
    })
    await check('blocked')
    await at.proxy.drain()
    expect(tries).toBe(2)
    expect(at.events.filter(({ type }) => type === 'hook-failed')).toMatchObject([{ hook: 'onOutcome' }])
  })

  test('does not run for a report', async () => {
    const outcomes: unknown[] = []
    at.mount({ onOutcome: (outcome) => outcomes.push(outcome) })
    await check('complete')
    expect(outcomes).toEqual([])
  })
})
