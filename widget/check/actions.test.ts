// @vitest-environment happy-dom
// Requests that come back late, twice or never, and what they may still do.
import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import {
  at,
  beginSessions,
  blocked,
  challenge,
  challenged,
  meta,
  next,
  screen,
  sessionIdOf,
  settled,
  shortenWaits,
  start,
  submit,
  today,
} from '../../testing/answered-session.ts'
import { NOTICE_VERSION } from '../screens/notice.tsx'

beginSessions()
beforeEach(shortenWaits)

test('what was shown goes with the details: language, version, and the hash of every word', async () => {
  const { body } = await submit()
  expect(body).toMatchObject({
    consent: {
      locale: 'en-GB',
      ticked: false,
      notice: NOTICE_VERSION,
      shown: createHash('sha256').update('words').digest('hex'),
    },
  })
})

test('what the lender knows of the person is there at once, its addresses when the chunk is loaded', async () => {
  at.session.end()
  at.session = start({ prefill: { firstName: 'Ada', addresses: [{ postcode: 'LS1 4AP', movedIn: '2019-05' }] } })
  expect(at.session.flow.value.answers).toMatchObject({ person: { firstName: 'Ada' }, addresses: [] })
  at.session.send({ type: 'details', typed: { firstName: 'Sam' }, today })
  at.session.begin()
  await expect.poll(() => at.session.flow.value.answers.addresses).toHaveLength(1)
  expect(at.session.flow.value.answers).toMatchObject({
    person: { firstName: 'Sam' },
    addresses: [{ postcode: 'LS1 4AP', movedMonth: '5', movedYear: '2019' }],
  })
})

test('an answer to a check that was reset is not shown', async () => {
  const request = await submit()
  at.session.send({ type: 'reset' })
  request.answer(blocked)
  await settled()
  expect(screen().name).toBe('details')
})

test('another person, or the same one with a corrected name, gets a device session of their own', async () => {
  const marker = Object.assign(vi.fn(), { state: 'ready', sessionId: 'session-1' })
  Object.defineProperty(document, '__deviceFingerprint', { value: marker, configurable: true })
  await submit()
  at.session.send({ type: 'reset' })
  await submit({ firstName: 'Samira' })
  expect(marker).not.toHaveBeenCalled()
  at.session.send({ type: 'reset' })
  await submit({ lastName: 'Patell' })
  expect(marker.mock.calls).toEqual([['']])
  at.session.send({ type: 'reset' })
  await submit({ lastName: 'Patell', day: '28' })
  expect(marker.mock.calls).toEqual([[''], ['']])
})

test('of two checks, only the newer one’s answer counts', async () => {
  const first = await submit()
  at.session.send({ type: 'reset' })
  const second = await submit({ firstName: 'Samira' })
  first.answer(blocked)
  await settled()
  expect(screen().name).toBe('sending')
  second.answer(challenged)
  await expect.poll(() => screen().name).toBe('code')
})

test('what was never answered is sent again under the same key, even with a renewed session', async () => {
  const first = await submit()
  first.cut()
  sessionIdOf('session-2')
  const second = await next('/credit-reports')
  second.cut()
  const third = await next('/credit-reports')
  third.cut()
  await expect.poll(() => screen().name).toBe('trouble')
  at.session.send({ type: 'again' })
  const fourth = await next('/credit-reports')
  expect(fourth.key).toBe(first.key)
  expect(fourth.body).toEqual({ ...first.body, sessionId: 'session-2' })
})

test('details changed and changed back still belong to what was never answered', async () => {
  const first = await submit()
  first.answer({ code: 'unavailable', message: '' }, 503)
  ;(await next('/credit-reports')).answer({ code: 'unavailable', message: '' }, 503)
  ;(await next('/credit-reports')).answer({ code: 'unavailable', message: '' }, 503)
  await expect.poll(() => screen().name).toBe('trouble')
  at.session.send({ type: 'reset' })
  const second = await submit({ firstName: 'S4m' })
  second.answer({ code: 'validation-error', message: 'firstName: must be a name' }, 400)
  await expect.poll(() => screen().name).toBe('details')
  expect((await submit()).key).toBe(first.key)
})

test('a key that the server has no more use for is given up', async () => {
  const first = await submit()
  first.answer({ code: 'validation-error', message: 'Idempotency-Key: begin again with a new key' }, 400)
  await expect.poll(() => screen().name).toBe('trouble')
  at.session.send({ type: 'again' })
  expect((await next('/credit-reports')).key).not.toBe(first.key)
})

test('a report that was delivered is not asked for under its key again', async () => {
  const first = await submit()
  first.answer(blocked)
  await expect.poll(() => screen().name).toBe('ended')
  at.session.send({ type: 'reset' })
  const second = await submit()
  expect(second.key).not.toBe(first.key)
})

test('a judgement that comes after the number was changed belongs to the old code', async () => {
  ;(await submit()).answer(challenged)
  await expect.poll(() => screen().name).toBe('code')
  at.session.send({ type: 'code', code: '000000' })
  const judged = await next('/credit-reports/r1/otp-challenge')
  at.session.send({ type: 'reset' })
  judged.answer({ meta, data: { status: 'failed', creditReportId: 'r1' } })
  await settled()
  expect(screen().name).toBe('details')
})

test('a resend whose answer was lost is repeated under the same key', async () => {
  ;(await submit()).answer(challenged)
  await expect.poll(() => screen().name).toBe('code')
  at.session.send({ type: 'resend' })
  const first = await next('/credit-reports/r1/resend-sms')
  first.cut()
  const second = await next('/credit-reports/r1/resend-sms')
  expect(second.key).toBe(first.key)
  second.answer({
    meta,
    data: { remainingSmsCount: 1, smsSentCount: 2, challenge: { ...challenge, textsRemaining: 1 } },
  })
  await expect.poll(() => screen()).toMatchObject({ notice: { words: 'resent' } })
  at.session.send({ type: 'resend' })
  expect((await next('/credit-reports/r1/resend-sms')).key).not.toBe(first.key)
})

test('coming back to the page many times asks once', async () => {
  ;(await submit()).answer(challenged)
  await expect.poll(() => screen().name).toBe('code')
  for (let time = 0; time < 5; time++) at.session.sync()
  await settled()
  expect(at.asked.filter(({ path }) => path.endsWith('/current'))).toHaveLength(1)
})

test('nothing is asked once the element is gone', async () => {
  ;(await submit()).answer(challenged)
  await expect.poll(() => screen().name).toBe('code')
  at.session.end()
  at.session.send({ type: 'code', code: '123456' })
  await settled()
  expect(at.asked).toEqual([])
})

describe('a report that was closed', () => {
  const complete = { meta, data: { status: 'complete', creditReportId: 'r1', creditReport: {} } }
  const gone = { meta, data: { status: 'complete', creditReportId: 'r1', closed: true } }

  async function closeOffline(): Promise<void> {
    ;(await submit()).answer(complete)
    await vi.waitFor(() => expect(screen().name).toBe('report'), 60_000)
    at.session.send({ type: 'close' })
    ;(await next('/credit-reports/current')).cut()
    await vi.waitFor(() => expect(screen()).toMatchObject({ name: 'closed', state: 'unreached' }), 60_000)
  }

  test('with the line down is closed again when it is back', async () => {
    await closeOffline()
    at.session.sync()
    ;(await next('/credit-reports/current')).answer(gone)
    await vi.waitFor(() => expect(screen()).toMatchObject({ name: 'closed', state: 'closed' }), 60_000)
  })

  test('with the line down is closed at the next start, before anything is asked or shown', async () => {
    await closeOffline()
    at.session.end()
    at.session = start()
    at.session.begin()
    await vi.waitFor(() => expect(screen()).toMatchObject({ name: 'closed', creditReportId: 'r1' }), 60_000)
    const first = await next('/credit-reports/current')
    expect([first.method, at.asked]).toEqual(['DELETE', []])
    first.answer(gone)
    const second = await next('/credit-reports/current')
    expect(second.method).toBe('GET')
    second.answer(gone)
    await vi.waitFor(() => expect(screen()).toMatchObject({ state: 'closed' }), 60_000)
  })
})

test('a report that is locked is asked for with another secret than before', async () => {
  ;(await submit()).answer({ meta, data: { status: 'complete', creditReportId: 'r1', creditReport: {} } })
  await vi.waitFor(() => expect(screen().name).toBe('report'), 60_000)
  const before = sessionStorage.getItem('credit-report-widget:/credit-reports:tab')
  at.session.send({ type: 'idle' })
  const request = await next('/credit-reports/current')
  expect(before).toMatch(/^[0-9a-f]{32}$/)
  expect([request.tab === null, request.tab === before]).toEqual([false, false])
})
