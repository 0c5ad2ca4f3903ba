// A plugin refuses in the transaction of its moment, on every engine: nothing of that moment is written.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleRequest } from '../contract/samples.ts'
import { type CoreApp, createCoreApp } from '../testing/core-app.ts'
import { onEachEngine } from '../testing/engines.ts'
import { ApiError } from './http/api-error.ts'
import type { Moments, Plugin } from './plugin.ts'

onEachEngine('a moment that throws', (place) => {
  /** The next calls of these moments throw. */
  const throwing = new Map<keyof Moments, () => Error>()
  let isSync = false
  const refuse = (name: keyof Moments) => (): Promise<unknown> => {
    const error = throwing.get(name)?.()
    if (error === undefined) return Promise.resolve()
    if (isSync) throw error
    return Promise.reject(error)
  }
  const moments = ['begin', 'hold', 'challenge', 'text', 'search', 'end', 'abandon'] as const
  const refuser: Plugin = { name: 'refuser', on: Object.fromEntries(moments.map((name) => [name, refuse(name)])) }
  let app: CoreApp
  beforeAll(async () => {
    app = await createCoreApp({ location: await place(), createPlugins: () => [refuser] })
  })
  afterAll(() => app?.close())

  const TABLES = ['credit_report', 'sealed_report', 'wallet_line', 'text_message', 'idempotency'] as const
  const FAILED = `credit_report WHERE status = 'failed'`
  async function snapshot(): Promise<{ [name: string]: unknown }> {
    const counts: { [table: string]: unknown } = {}
    for (const table of TABLES) counts[table] = await app.countRows(table)
    const { balanceCredits, heldCredits } = (await app.get('wallet')).body
    return { ...counts, balanceCredits, heldCredits }
  }
  const forbidden = () => new ApiError('forbidden', 'not at night')
  async function during<Answer>(name: keyof Moments, error: () => Error, work: () => Promise<Answer>): Promise<Answer> {
    throwing.set(name, error)
    try {
      return await work()
    } finally {
      throwing.clear()
    }
  }
  const inTest = (status: 'allow' | 'challenge' | 'block') => ({ ...sampleRequest, challengeOptions: { status } })
  const challenged = async () => (await app.generate(await app.liveRequest())).body.data

  test.each([
    ['begin', false],
    ['begin', true],
    ['hold', false],
    ['hold', true],
  ] as const)('%s of a live check (at once: %s): no report, no ledger line, and its own error', async (name, sync) => {
    isSync = sync
    const request = await app.liveRequest('Allow')
    const was = await snapshot()
    const { status, body } = await during(name, forbidden, () => app.generate(request))
    isSync = false
    expect([status, body]).toEqual([403, { code: 'forbidden', message: 'not at night' }])
    expect(await snapshot()).toEqual(was)
    expect((await app.generate(request)).body.data.status).toBe('complete')
  })

  test('a bug of a plugin is a 500 that writes nothing either', async () => {
    const request = await app.liveRequest('Allow')
    const was = await snapshot()
    const { status, body } = await during(
      'begin',
      () => new TypeError('a bug'),
      () => app.generate(request),
    )
    expect([status, body.code]).toEqual([500, 'internal-error'])
    expect(await snapshot()).toEqual(was)
  })

  test.each([
    ['begin', 'allow'],
    ['begin', 'challenge'],
    ['begin', 'block'],
    ['end', 'allow'],
    ['end', 'block'],
  ] as const)('%s of a test check that would %s: no report', async (name, branch) => {
    const was = await snapshot()
    const { status } = await during(name, forbidden, () => app.generate(inTest(branch)))
    expect(status).toBe(403)
    expect(await snapshot()).toEqual(was)
  })

  test.each([
    ['challenge', 'Example'],
    ['text', 'Example'],
    ['end', 'Allow'],
    ['end', 'Block'],
  ] as const)('%s of a live check of %s: the check has failed, and its hold went back', async (name, lastName) => {
    const request = await app.liveRequest(lastName)
    const [was, failed] = [await snapshot(), await app.countRows(FAILED)]
    const { status } = await during(name, forbidden, () => app.generate(request))
    expect(status).toBe(403)
    const now = await snapshot()
    expect(now).toMatchObject({ balanceCredits: was.balanceCredits, heldCredits: was.heldCredits })
    expect([now.sealed_report, now.text_message]).toEqual([was.sealed_report, was.text_message])
    expect(await app.countRows(FAILED)).toBe(Number(failed) + 1)
  })

  test('search, after the right code: no bureau is queried, and the same code goes on', async () => {
    const data = await challenged()
    const [code = ''] = app.codes(data.creditReportId)
    const was = await snapshot()
    expect((await during('search', forbidden, () => app.submit(data, code))).status).toBe(403)
    expect(await snapshot()).toEqual(was)
    expect((await app.submit(data, code)).body.data.status).toBe('complete')
  })

  test('end, after the right code: nothing is captured, and the same code goes on', async () => {
    const data = await challenged()
    const [code = ''] = app.codes(data.creditReportId)
    const was = await snapshot()
    expect((await during('end', forbidden, () => app.submit(data, code))).status).toBe(403)
    expect(await snapshot()).toEqual(was)
    expect((await app.submit(data, code)).body.data.status).toBe('complete')
  })

  test('text, again: nothing is sent, the send is not counted, and the next one is', async () => {
    const data = await challenged()
    const was = await snapshot()
    expect((await during('text', forbidden, () => app.resend(data))).status).toBe(403)
    expect(await snapshot()).toEqual(was)
    expect(app.codes(data.creditReportId)).toHaveLength(1)
    expect((await app.resend(data)).body.data).toEqual({ smsSentCount: 2, remainingSmsCount: 1 })
  })
})
