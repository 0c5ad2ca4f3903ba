// A completed check in another tab, after its time, and closed: it stays complete, and its report opens with the date
// of birth.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TAB_HEADER } from '../../contract/proxy-path.ts'
import { sampleReport } from '../../contract/samples.ts'
import { createTestMount, refused, report, type TestMount } from '../../testing/proxy-mount.ts'
import { refuse, sampleDetails } from '../../testing/proxy-service.ts'

let at: TestMount
beforeEach(async () => {
  at = await createTestMount()
  at.service.branch = 'allow'
})
afterEach(() => at.service.stop())

const CURRENT = '/credit-reports/current'
const MINUTE_MS = 60_000
const tab = (name: string) => ({ [TAB_HEADER]: name })
const current = async (name = 'tab-1') => report(await at.browser.get(CURRENT, tab(name)))
const open = async (dateOfBirth: string, name = 'tab-2') =>
  report(await at.browser.post(`${CURRENT}/open`, { dateOfBirth }, tab(name)))
const complete = (name = 'tab-1') => at.browser.generate({}, tab(name))

const BIRTH = sampleDetails.dateOfBirth
const whole = { status: 'complete', creditReportId: 'report-1', creditReport: sampleReport }
const closed = { status: 'complete', creditReportId: 'report-1', closed: true }
const locked = (attemptsRemaining: number, minutes = 15) => ({
  ...closed,
  opening: { expiresInSeconds: minutes * 60, attemptsRemaining },
})

test('the tab that completed it comes back to its report, another to a check that is complete', async () => {
  await complete()
  expect(await current()).toMatchObject(whole)
  expect(await current('tab-2')).toEqual(locked(3))
  expect(await current('')).toEqual(locked(3))
})

test('without a time to open it, no road leads to the report: not current, not a code, not the same check again', async () => {
  at.service.branch = 'challenge'
  const { creditReportId, challenge } = await report(await complete())
  const { cookies } = at.browser
  at.browser.cookies = new Map(cookies)
  const submit = (code: string) =>
    at.browser.post(
      `/credit-reports/${creditReportId}/otp-challenge`,
      { challengeId: challenge?.challengeId, code },
      tab('tab-1'),
    )
  await submit('123456')
  for (const road of [() => current(), () => submit('000000').then(report), () => complete().then(report)]) {
    at.mount({ reopenMinutes: 0 })
    at.browser.cookies = new Map(cookies)
    expect(await road()).toEqual(closed)
  }
})

test.each([64, 65])('the name of a tab has at most 64 characters: %i', async (length) => {
  const name = 't'.repeat(length)
  expect(await report(await complete(name))).toMatchObject(whole)
  expect(await current(name)).toMatchObject(length === 64 ? whole : locked(3))
})

describe('the date of birth', () => {
  test('opens it for this tab too', async () => {
    await complete()
    expect(await open(BIRTH)).toMatchObject({ ...whole, opening: { attemptsRemaining: 3 } })
    expect(await current('tab-2')).toMatchObject(whole)
    expect(await current('tab-1')).toMatchObject(whole)
    expect(await current('tab-3')).toEqual(locked(3))
  })

  test('may be wrong twice; the third closes it, for the right one too', async () => {
    await complete()
    expect(await open('1900-01-01')).toEqual(locked(2))
    expect(await open('1900-01-02')).toEqual(locked(1))
    expect(await open('1900-01-03')).toEqual(closed)
    expect(await open(BIRTH)).toEqual(closed)
    expect(await current('tab-2')).toEqual(closed)
  })

  test('costs no attempt when it is none, and opens nothing from another page', async () => {
    await complete()
    expect(await refused(await at.browser.post(`${CURRENT}/open`, { dateOfBirth: '27 March' }))).toMatchObject({
      code: 'validation-error',
    })
    const foreign = await at.browser.post(
      `${CURRENT}/open`,
      { dateOfBirth: BIRTH },
      { Origin: 'https://elsewhere.example', 'Sec-Fetch-Site': 'cross-site' },
    )
    expect(await refused(foreign)).toMatchObject({ code: 'forbidden' })
    expect(await current('tab-2')).toEqual(locked(3))
  })

  test('opens nothing where there is nothing', async () => {
    expect(await open(BIRTH)).toEqual({ status: 'none' })
  })

  test('costs no attempt while the service is away', async () => {
    await complete()
    at.service.misbehave = ({ method }, response) => {
      if (method === 'GET') refuse(response, 503, 'unavailable')
      return method === 'GET'
    }
    expect(await refused(await at.browser.post(`${CURRENT}/open`, { dateOfBirth: BIRTH }))).toMatchObject({
      code: 'unavailable',
    })
    at.service.misbehave = null
    expect(await open(BIRTH)).toMatchObject(whole)
  })

  test('finds a report that was erased closed', async () => {
    await complete()
    at.service.reports.clear()
    expect(await open(BIRTH)).toEqual(closed)
    expect(await current('tab-2')).toEqual(closed)
  })
})

describe('its time', () => {
  test('runs from the last sight of the report, up to an hour after the end', async () => {
    await complete()
    for (const sights of [10, 20, 30, 40, 50]) {
      at.nowMs += 10 * MINUTE_MS
      const shown = await (sights === 20 ? open(BIRTH) : current())
      expect(shown).toMatchObject({ creditReport: sampleReport })
      expect(await current('tab-3')).toEqual(locked(3, sights === 50 ? 10 : 15))
    }
    at.nowMs += 10 * MINUTE_MS
    expect(await current()).toEqual({ status: 'none' })
  })

  test('runs from the last sight at another process too', async () => {
    await complete()
    at.nowMs += 14 * MINUTE_MS
    await current()
    const { cookies } = at.browser
    at.mount()
    at.browser.cookies = cookies
    at.nowMs += 14 * MINUTE_MS
    expect(await current('tab-2')).toEqual(locked(3, 1))
    expect(await current()).toMatchObject(whole)
  })

  test('is a quarter of an hour; that the check is complete is known for an hour', async () => {
    await complete()
    at.nowMs += 15 * MINUTE_MS - 1
    expect(await current('tab-2')).toMatchObject({ opening: { expiresInSeconds: 1 } })
    at.nowMs += 1
    expect(await current('tab-2')).toEqual(closed)
    expect(await current()).toEqual(closed)
    at.nowMs += 45 * MINUTE_MS - 1
    expect(await current()).toEqual(closed)
    at.nowMs += 1
    expect(await current()).toEqual({ status: 'none' })
  })

  test.each([
    [0, closed],
    [60, locked(3, 60)],
  ])('is the lender’s to choose: %i minutes', async (reopenMinutes, expected) => {
    at.mount({ reopenMinutes })
    await complete()
    expect(await current('tab-2')).toEqual(expected)
  })
})

test('a report that was closed stays closed, and the check complete', async () => {
  await complete()
  await at.browser.delete(CURRENT)
  expect(await current()).toEqual(closed)
  expect(await open(BIRTH)).toEqual(closed)
})

test('where another check begins, the one before is not even named', async () => {
  await complete()
  await at.browser.delete(`${CURRENT}?forget=1`)
  expect(await current()).toEqual({ status: 'none' })
  expect(await open(BIRTH)).toEqual({ status: 'none' })
})

test('a lender that shows nothing has nothing to lock', async () => {
  at.mount({ exposeReport: 'none' })
  await complete()
  expect(await current('tab-2')).toEqual({ status: 'complete', creditReportId: 'report-1' })
})
