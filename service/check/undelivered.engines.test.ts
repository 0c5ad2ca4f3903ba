// Texts that do not arrive, on every engine: what they cost, how often they are tried, and when no longer.
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isClean, reconcile } from '../../plugins/statement/reconcile.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { createTestApp, liveRequest, type TestApp } from '../../testing/test-app.ts'
import type { SmsProvider } from '../providers/providers.ts'

onEachEngine('a gateway that does not deliver', (place) => {
  let app: TestApp
  let gateway: SmsProvider['send'] = async () => 'refused'
  let handedOver: string[] = []
  beforeAll(async () => {
    const sms: SmsProvider = {
      send(message, signal) {
        handedOver.push(message.messageId)
        return gateway(message, signal)
      },
    }
    app = await createTestApp({ ...(await place()), providers: { sms } })
  })
  afterAll(async () => {
    expect(isClean(await reconcile(app.database))).toBe(true)
    await app.close()
  })
  const start = async () => {
    handedOver = []
    return (await app.generate(liveRequest())).body.data
  }

  test('a refused text counts as a send and costs nothing', async () => {
    gateway = async () => 'refused'
    const started = await start()
    expect(await app.lines(started.creditReportId)).toEqual(['hold report 500', 'hold text 40', 'release text 40'])
    expect((await app.resend(started)).body.data).toEqual({ smsSentCount: 2, remainingSmsCount: 1 })
  })

  test('an accepted text is held until its receipt, and given back after a day without one', async () => {
    gateway = async () => 'accepted'
    const started = await start()
    expect(await app.lines(started.creditReportId)).toEqual(['hold report 500', 'hold text 40'])
    app.time.nowMs += 86_400_001
    expect((await app.sweeper.sweep()).unacknowledgedTexts).toBe(1)
    expect((await app.lines(started.creditReportId)).slice(2).sort()).toEqual(['release report 500', 'release text 40'])
  })

  test('the time that a gateway takes is part of the answer’s', async () => {
    gateway = async () => {
      await setTimeout(50)
      return 'delivered'
    }
    const key = { 'Idempotency-Key': 'slow-gateway' }
    const { body } = await app.generate(liveRequest(), key)
    expect(body.meta.request.timeTakenMs).toBeGreaterThanOrEqual(49)
    const resent = (await app.resend(body.data, key)).body
    expect(resent.meta.request.timeTakenMs).toBeGreaterThanOrEqual(49)
  })

  test('a gateway that cannot tell is asked again with the same id, after ten seconds each, while the code is good', async () => {
    gateway = () => Promise.reject(new Error('time-out'))
    const started = await start()
    expect(await app.lines(started.creditReportId)).toEqual(['hold report 500', 'hold text 40'])
    const tries: number[] = []
    for (const laterMs of [0, 10_000, 1, 10_000]) {
      app.time.nowMs += laterMs
      await app.sweeper.sweep()
      tries.push(handedOver.length)
    }
    expect(tries).toEqual([1, 1, 2, 2])
    app.time.nowMs += 1
    gateway = async () => 'delivered'
    expect((await app.sweeper.sweep()).queuedTexts).toBe(1)
    expect(handedOver).toHaveLength(3)
    expect(new Set(handedOver).size).toBe(1)
    expect((await app.lines(started.creditReportId)).at(-1)).toBe('capture text 40')
  })

  test('by one of two sweepers', async () => {
    gateway = () => Promise.reject(new Error('time-out'))
    await start()
    app.time.nowMs += 10_001
    gateway = async () => 'delivered'
    const rounds = await Promise.all([app.sweeper.sweep(), app.sweeper.sweep()])
    expect(rounds.map(({ queuedTexts }) => queuedTexts).toSorted()).toEqual([0, 1])
    expect(handedOver).toHaveLength(2)
  })

  test('but not when the consumer’s number has been erased', async () => {
    gateway = () => Promise.reject(new Error('time-out'))
    const started = await start()
    await app.database.run('DELETE FROM sealed_report WHERE report_id = ?', started.creditReportId)
    app.time.nowMs += 10_001
    expect((await app.sweeper.sweep()).queuedTexts).toBe(0)
    expect(handedOver).toHaveLength(1)
  })

  test('nor when the check has failed: its credits come back when its code is too old', async () => {
    gateway = () => Promise.reject(new Error('time-out'))
    const started = await start()
    for (let guess = 0; guess < 3; guess += 1) await app.submit(started, 'wrong')
    app.time.nowMs += 300_000
    await app.sweeper.sweep()
    expect(await app.lines(started.creditReportId)).not.toContain('release text 40')
    app.time.nowMs += 1
    await app.sweeper.sweep()
    expect(await app.lines(started.creditReportId)).toContain('release text 40')
    expect(handedOver).toHaveLength(1)
  })

  test('nor once the code is too old', async () => {
    gateway = () => Promise.reject(new Error('time-out'))
    await start()
    app.time.nowMs += 300_001
    expect((await app.sweeper.sweep()).queuedTexts).toBe(0)
    expect(handedOver).toHaveLength(1)
  })

  test('nor the first of two texts, once its own code is too old', async () => {
    gateway = () => Promise.reject(new Error('time-out'))
    const started = await start()
    app.time.nowMs += 200_000
    await app.resend(started)
    const [first, second] = handedOver
    app.time.nowMs += 100_001
    expect((await app.sweeper.sweep()).queuedTexts).toBe(1)
    expect(handedOver).toEqual([first, second, second])
  })

  test('and then its credits come back, because it will not be sent', async () => {
    gateway = () => Promise.reject(new Error('time-out'))
    const started = await start()
    // The last try, at the last moment, has its ten seconds too.
    for (const laterMs of [300_000, 10_000]) {
      app.time.nowMs += laterMs
      await app.sweeper.sweep()
      expect(await app.lines(started.creditReportId)).not.toContain('release text 40')
    }
    app.time.nowMs += 1
    await app.sweeper.sweep()
    expect(await app.lines(started.creditReportId)).toContain('release text 40')
  })
})
