import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { REFERENCE_LENGTH_MAX } from '../contract/limits.ts'
import { sampleReport } from '../contract/samples.ts'
import { createTestMount, refused, report, type TestMount } from '../testing/proxy-mount.ts'
import { another } from '../testing/proxy-service.ts'
import type { ConsentRecord, ReportContext } from './options.ts'

let at: TestMount
beforeEach(async () => {
  at = await createTestMount()
})
afterEach(() => at.service.stop())

const agencies = [
  { id: 'equifax', status: 'answered' },
  { id: 'experian', status: 'unavailable' },
]

describe('hooks', () => {
  test('onReport gets the whole report once per completion, however often it is asked for', async () => {
    const got: [unknown, ReportContext][] = []
    at.mount({ onReport: (...args) => got.push(args), exposeReport: 'none', externalReference: () => 'order-7' })
    at.service.agencies = agencies
    const { base, challengeId } = await at.begin()
    const submit = () => at.browser.post(`${base}/otp-challenge`, { challengeId, code: '123456' })
    await Promise.all([submit(), submit(), submit()])
    await at.proxy.drain()
    const context = { creditReportId: 'report-1', externalReference: 'order-7', test: false, agencies }
    expect(got).toEqual([[sampleReport, context]])
  })

  test('who stops the proxy can wait for what a hook did not take at first', async () => {
    const taken: string[] = []
    const takesSecond = (hook: string) => {
      let tries = 0
      return () => {
        tries += 1
        if (tries === 1) throw new Error('database is away')
        taken.push(hook)
      }
    }
    at.mount({ onReport: takesSecond('onReport'), consentRecord: takesSecond('consentRecord') })
    at.service.branch = 'allow'
    await at.browser.generate()
    expect(taken).toEqual([])
    await at.proxy.drain()
    expect(taken.toSorted()).toEqual(['consentRecord', 'onReport'])
  })

  test.each([
    ['full', { creditReport: sampleReport, agencies }],
    ['summary', { summary: { openAccounts: 1, settledAccounts: 0, searches: 1 }, agencies }],
    ['none', {}],
  ] as const)('exposeReport %s decides what the browser gets', async (exposeReport, exposed) => {
    at.mount({ exposeReport })
    at.service.branch = 'allow'
    at.service.agencies = agencies
    const { opening: _opening, ...shown } = await report(await at.browser.generate())
    expect(shown).toEqual({
      status: 'complete',
      creditReportId: 'report-1',
      ...exposed,
    })
    at.service.branch = 'challenge'
    const { base, challengeId, creditReportId } = await at.begin(another)
    const answer = await at.browser.post(`${base}/otp-challenge`, { challengeId, code: '123456' })
    const { opening: _again, ...verified } = await report(answer)
    expect(verified).toEqual({ status: 'complete', creditReportId, ...exposed })
  })

  test('consentRecord gets that the person lived abroad, and the service does not', async () => {
    const records: unknown[] = []
    at.mount({ consentRecord: (record) => records.push(record) })
    await at.browser.generate({ consent: undefined, livedAbroad: true })
    expect(records).toMatchObject([{ livedAbroad: true, agreedAt: expect.any(String) }])
    expect(at.lastBody()).not.toHaveProperty('livedAbroad')
    await at.browser.generate({ consent: undefined, livedAbroad: false })
    expect(records).toHaveLength(1)
  })

  test('consentRecord gets wording, locale and time', async () => {
    const records: ConsentRecord[] = []
    at.mount({ consentRecord: (record) => records.push(record), externalReference: async () => ' order-8 ' })
    await at.browser.generate()
    expect(records).toStrictEqual([
      {
        creditReportId: 'report-1',
        externalReference: 'order-8',
        wordingVersion: '2026-10',
        locale: 'en-GB',
        agreedAt: '2026-11-15T12:00:00.000Z',
        test: false,
      },
    ])
    expect(at.lastBody()).not.toHaveProperty('consent')
  })

  test('consentRecord gets what was shown, with or without a box to tick', async () => {
    const records: ConsentRecord[] = []
    at.mount({ consentRecord: (record) => records.push(record) })
    await at.browser.generate({ consent: { locale: 'cy', ticked: false, notice: '2026-11', shown: 'a1b2' } })
    expect(records).toMatchObject([{ locale: 'cy', ticked: false, noticeVersion: '2026-11', shownHash: 'a1b2' }])
    expect(records[0]).not.toHaveProperty('wordingVersion')
  })

  test.each<[string, () => string]>([
    [
      'cannot be had',
      () => {
        throw new Error('no session')
      },
    ],
    ['is longer than the service takes', () => 'x'.repeat(REFERENCE_LENGTH_MAX + 1)],
  ])('a reference that %s stops the check before it costs anything', async (_what, externalReference) => {
    at.mount({ externalReference })
    expect(await refused(await at.browser.generate())).toMatchObject({ status: 503, code: 'unavailable' })
    expect(at.service.seen).toHaveLength(0)
    expect(at.events).toMatchObject([{ type: 'hook-failed', hook: 'externalReference' }])
  })

  test('a reference may be as long as the service takes', async () => {
    const externalReference = 'x'.repeat(REFERENCE_LENGTH_MAX)
    at.mount({ externalReference: () => externalReference })
    expect((await at.browser.generate()).status).toBe(200)
    expect(at.lastBody()).toMatchObject({ externalReference })
  })

  test.each(['', ' ', undefined])('a reference of %j is none', async (reference) => {
    at.mount({ externalReference: () => reference })
    expect((await at.browser.generate()).status).toBe(200)
    expect(at.lastBody()).not.toHaveProperty('externalReference')
  })

  test('onEvent gets ids, codes and credits, and may throw', async () => {
    await at.browser.generate()
    expect(at.events).toEqual([
      {
        type: 'answered',
        operation: 'generate',
        status: 'authentication-required',
        creditReportId: 'report-1',
        test: false,
        wallet: { cost: 500, balance: 999_500 },
        requestId: 'request-1',
      },
    ])
    at.mount({
      onEvent: () => {
        throw new Error('monitoring is down')
      },
    })
    expect((await at.browser.generate()).status).toBe(200)
  })
})
