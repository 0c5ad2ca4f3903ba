// Every trigger of test mode, as the service plays it. None touches the ledger or the operator's figures.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ERROR_STATUS } from '../../contract/error.ts'
import { TRIGGERS, type Trigger } from '../../contract/test-triggers.ts'
import { createMetrics } from '../../plugins/metrics/metrics.ts'
import { createTestApp, type TestApp, testRequest } from '../../testing/test-app.ts'

const metrics = createMetrics()
let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ metrics })
})
afterAll(() => app.close())

const CODE = '123456'
const generate = ({ field, value }: Trigger, change = {}) =>
  app.generate({ ...testRequest('challenge'), [field]: value, ...change })

async function answersOf(trigger: Trigger) {
  const begun = await generate(trigger)
  if (begun.status !== 200) return { begun }
  const resent = await app.resend(begun.body.data)
  const first = await app.submit(begun.body.data, CODE)
  const second = await app.submit(begun.body.data, CODE)
  return { begun, resent, first, second }
}

const refusals = TRIGGERS.flatMap((trigger) =>
  'refuses' in trigger.plays ? [{ ...trigger, ...trigger.plays, trigger }] : [],
)

test.each(refusals)('$value: $says', async ({ trigger, refuses, code, retryAfterSeconds, field }) => {
  const { begun, resent, first, second } = await answersOf(trigger)
  const refused = { generate: begun, resend: resent, code: first, 'right-code': first }[refuses]
  expect(refused).toMatchObject({ status: ERROR_STATUS[code], body: { code } })
  expect(refused?.body.message).toMatch(new RegExp(`^${field}: "`))
  expect(refused?.headers.get('Retry-After')).toBe(retryAfterSeconds === undefined ? null : String(retryAfterSeconds))
  if (refuses === 'resend') expect(first?.body.data.status).toBe('complete')
  if (refuses === 'right-code') expect(second?.body.data.status).toBe('complete')
})

test.each(TRIGGERS.flatMap((trigger) => ('agency' in trigger.plays ? [{ trigger, ...trigger.plays }] : [])))(
  'the last agency is $agency, and the others hold the whole file',
  async ({ trigger, agency }) => {
    const bureaus = ['transunion', 'equifax', 'experian']
    const change = { bureaus, challengeOptions: { status: 'allow' }, email: 'test003@example.com' }
    const { body } = await generate(trigger, change)
    expect(body.data.agencies).toEqual([
      { id: 'transunion', status: 'answered' },
      { id: 'equifax', status: 'answered' },
      { id: 'experian', status: agency },
    ])
    expect(body.data.creditReport.consumerData.records).toHaveLength(3)
    const alone = await generate(trigger, { ...change, bureaus: ['experian'] })
    if (agency === 'no-file') expect(alone.body.data.creditReport.consumerData.records).toEqual([])
    else expect(alone).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  },
)

test.each(TRIGGERS.flatMap((trigger) => ('match' in trigger.plays ? [{ trigger, ...trigger.plays }] : [])))(
  'the number is $match',
  async ({ trigger, match }) => {
    expect((await generate(trigger, { challengeOptions: { status: 'allow' } })).body.data.match).toBe(match)
  },
)

const challengeOf = (plays: string) => {
  const found = TRIGGERS.find((trigger) => 'challenge' in trigger.plays && trigger.plays.challenge === plays)
  if (found === undefined) throw new Error(`no trigger plays ${plays}`)
  return found
}

test('a code that comes too late is 410, and so is another text; the check is listed as expired', async () => {
  const { begun, resent, first, second } = await answersOf(challengeOf('expired'))
  expect([resent?.status, first?.status, second?.status]).toEqual([200, 410, 410])
  expect((await app.resend(begun.body.data)).status).toBe(410)
  const { creditReportId } = begun.body.data
  const { body } = await app.call(`/demo-lender/v1/credit-reports/${creditReportId}`)
  expect(body.data).toMatchObject({ status: 'expired', reason: 'timeout' })
})

test('a device that is not verified fails at the first code', async () => {
  const { first } = await answersOf(challengeOf('device'))
  expect(first?.body.data).toMatchObject({ status: 'failed' })
})

test('a text that never arrives: the code is wrong three times', async () => {
  const { data } = (await generate(challengeOf('lost-text'))).body
  const statuses = []
  for (let guess = 0; guess < 4; guess += 1) statuses.push((await app.submit(data, CODE)).body.data.status)
  expect(statuses).toEqual(['retry', 'retry', 'failed', 'failed'])
})

test('outside test mode no trigger plays', async () => {
  const { test: _test, challengeOptions: _options, ...live } = testRequest('challenge')
  for (const { field, value, plays } of TRIGGERS.filter((trigger) => 'refuses' in trigger.plays)) {
    const { status } = await app.generate({ ...live, [field]: value, sessionId: 'known-session' })
    expect({ value, plays, status }).toEqual({ value, plays, status: 200 })
  }
})

test('what is played is in no figure, and moves no credits', async () => {
  const before = await app.wallet()
  for (const { trigger } of refusals) await answersOf(trigger)
  expect(await app.wallet()).toEqual(before)
  const figures = await metrics.render()
  expect(figures).not.toMatch(/status="(?:402|403|409|5\d\d)"/)
  expect(figures).not.toMatch(/crs_limits_total\{/)
})
