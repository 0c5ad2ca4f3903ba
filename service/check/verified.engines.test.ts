// After the right code, on every engine: the bureaus are asked then and not before, once, and a failure costs nothing.
import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { eraseReport } from '../../plugins/people/erase-report.ts'
import { isClean, reconcile } from '../../plugins/statement/reconcile.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { createFaultyProviders } from '../../testing/faulty-providers.ts'
import { createTestApp, liveRequest, type TestApp } from '../../testing/test-app.ts'
import { joinPlugins } from '../plugin.ts'
import type { BureauConsumer } from '../providers/consumer.ts'
import { ProviderUnavailable } from '../providers/providers.ts'
import { WORK_LEASE_MS } from './keep-lease.ts'

const noPlugins = joinPlugins([])

onEachEngine('after the right code', (place) => {
  const { faults, asked, providers } = createFaultyProviders()
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp({ ...(await place()), providers })
  })
  afterEach(() => {
    delete faults.bureau
  })
  afterAll(async () => {
    expect(isClean(await reconcile(app.database))).toBe(true)
    await app.close()
  })

  async function start(request = liveRequest()) {
    const started = (await app.generate(request)).body.data
    const [code = ''] = await app.codes(started.creditReportId)
    const wrong = code === '000000' ? '000001' : '000000'
    return { started, code, wrong, creditReportId: String(started.creditReportId) }
  }
  const breakBureaus = () => {
    faults.bureau = () => Promise.reject(new ProviderUnavailable('equifax', 'time-out'))
  }
  const isKept = async (creditReportId: string) =>
    (await app.database.first('SELECT 1 AS one FROM sealed_report WHERE report_id = ?', creditReportId)) !== null
  const bureausOf = liveRequest().bureaus.length

  /** Bureaus that answer on request. */
  function holdBureaus(then: typeof providers.bureau.query = (...question) => providers.bureau.query(...question)) {
    let answer = () => {}
    const open = new Promise<void>((resolve) => {
      answer = resolve
    })
    const asking = new Promise<void>((isAsked) => {
      faults.bureau = async (...question) => {
        isAsked()
        await open
        delete faults.bureau
        return then(...question)
      }
    })
    return { asking, answer }
  }

  test('who is given the file is written down, each time it is given', async () => {
    const { started, code, wrong, creditReportId } = await start()
    for (const guess of [wrong, code, code]) await app.submit(started, guess)
    const lines = await app.database.all(
      'SELECT actor_kind, actor_id, action, outcome FROM audit_event WHERE object = ? ORDER BY sequence',
      creditReportId,
    )
    const line = { actor_kind: 'client', actor_id: 'demo-lender', action: 'report.code' }
    expect(lines).toEqual([
      { ...line, outcome: 'done' },
      { ...line, outcome: '200' },
    ])
  })

  test('no bureau hears of anybody before', async () => {
    const before = asked.bureaus
    const { started, code, wrong } = await start()
    await app.submit(started, wrong)
    await app.resend(started)
    expect(asked.bureaus).toBe(before)
    expect((await app.submit(started, code)).body.data.status).toBe('complete')
    expect(asked.bureaus).toBe(before + bureausOf)
  })

  test('they hear what they would have heard at generate, and the report is the same', async () => {
    const request = {
      ...liveRequest(),
      title: 'Dr',
      middleName: 'Zoë',
      gender: 'F' as const,
      email: 'test003@example.com',
    }
    const seen: BureauConsumer[] = []
    const plain = createFaultyProviders().providers.bureau
    faults.bureau = (...question) => {
      seen.push(question[1])
      return plain.query(...question)
    }
    const { started, code } = await start(request)
    const { body } = await app.submit(started, code)
    const { firstName, lastName, dateOfBirth, addresses, bureaus, searchType, title, middleName, gender } = request
    const same = { firstName, lastName, dateOfBirth, addresses, bureaus, searchType, title, middleName, gender }
    expect(seen[0]).toMatchObject(JSON.parse(JSON.stringify(same)))
    expect(JSON.stringify(seen[0])).not.toContain(request.mobileNumber)
    expect(body.data.creditReport.person).toMatchObject({ title: 'Dr', firstName, lastName })
  })

  test('a bureau that is away: 503, and the same code goes on without costing an attempt', async () => {
    const { started, code, wrong, creditReportId } = await start()
    const before = await app.wallet()
    await app.submit(started, wrong)
    breakBureaus()
    for (let tries = 0; tries < 4; tries += 1) {
      const { status, body, headers } = await app.submit(started, code)
      expect({ status, code: body.code }).toEqual({ status: 503, code: 'unavailable' })
      expect(headers.get('Retry-After')).toBe('5')
      expect(headers.get('X-Challenge-Expires-In')).toBe('300')
    }
    expect(await app.wallet()).toEqual(before)
    delete faults.bureau
    app.time.nowMs += 300_000
    const { body } = await app.submit(started, code)
    expect(body.data.status).toBe('complete')
    expect(await app.lines(creditReportId)).toEqual([
      'hold report 500',
      'hold text 40',
      'capture text 40',
      'capture report 500',
    ])
    expect((await app.submit(started, code)).body.data).toEqual(body.data)
  })

  test('a wrong code still counts, and the third ends it: nothing about the person is kept', async () => {
    const { started, code, wrong, creditReportId } = await start()
    breakBureaus()
    expect((await app.submit(started, code)).status).toBe(503)
    expect((await app.submit(started, wrong)).body.data).toMatchObject({ status: 'retry', attemptsRemaining: 2 })
    await app.submit(started, wrong)
    expect(await isKept(creditReportId)).toBe(true)
    expect((await app.submit(started, wrong)).body.data.status).toBe('failed')
    expect(await isKept(creditReportId)).toBe(false)
    delete faults.bureau
    expect((await app.submit(started, code)).body.data.status).toBe('failed')
    expect((await app.lines(creditReportId)).at(-1)).toBe('release report 500')
  })

  test('its time runs out: the hold goes back, with the next code or the sweeper, and the person is forgotten', async () => {
    breakBureaus()
    const [repeated, silent] = [await start(), await start()]
    for (const { started, code } of [repeated, silent]) expect((await app.submit(started, code)).status).toBe(503)
    app.time.nowMs += 300_001
    expect((await app.submit(repeated.started, repeated.code)).status).toBe(410)
    await app.sweeper.sweep()
    for (const { creditReportId } of [repeated, silent]) {
      expect((await app.lines(creditReportId)).at(-1)).toBe('release report 500')
      expect(await isKept(creditReportId)).toBe(false)
    }
  })

  test('two at once ask the bureaus once and answer the same', async () => {
    const { started, code, creditReportId } = await start()
    const before = asked.bureaus
    const { asking, answer } = holdBureaus()
    const submits = [app.submit(started, code), app.submit(started, code)]
    await asking
    submits.push(app.submit(started, code))
    // They wait as long as the bureau takes, rather than look a fixed number of times.
    await setTimeout(500)
    answer()
    const answers = await Promise.all(submits)
    expect(answers.map(({ body }) => body.data)).toEqual(Array(3).fill(answers[0]?.body.data))
    expect(answers[0]?.body.data.status).toBe('complete')
    // The faulty bureau asks the sound one, so each query counts twice.
    expect(asked.bureaus - before).toBe(2 * bureausOf)
    expect(await app.lines(creditReportId)).toHaveLength(4)
  })

  test('two at once, and the bureaus fail: both hear so, no one asks again, and the same code still goes on', async () => {
    const { started, code } = await start()
    const { asking, answer } = holdBureaus(() => Promise.reject(new ProviderUnavailable('equifax', 'time-out')))
    const submits = [app.submit(started, code), app.submit(started, code)]
    await asking
    submits.push(app.submit(started, code))
    // Long enough for the two to find work in progress: nothing else says that they wait.
    await setTimeout(500)
    const before = asked.bureaus
    answer()
    expect((await Promise.all(submits)).map(({ status }) => status)).toEqual([503, 503, 503])
    expect(asked.bureaus - before).toBeLessThan(bureausOf)
    delete faults.bureau
    expect((await app.submit(started, code)).body.data.status).toBe('complete')
  })

  test('while the bureaus are asked, a wrong code waits and comes too late; a resend is refused', async () => {
    const { started, code, wrong } = await start()
    const { asking, answer } = holdBureaus()
    const right = app.submit(started, code)
    await asking
    const late = app.submit(started, wrong)
    expect((await app.resend(started)).body.code).toBe('request-in-progress')
    answer()
    expect((await right).body.data.status).toBe('complete')
    expect((await late).status).toBe(410)
  })

  test('the worker dies: its lease ends, and the same code takes over', async () => {
    const { started, code, creditReportId } = await start()
    const asking = new Promise<void>((isAsked) => {
      faults.bureau = () => {
        isAsked()
        return new Promise(() => {})
      }
    })
    void app.submit(started, code).catch(() => {})
    await asking
    delete faults.bureau
    app.time.nowMs += WORK_LEASE_MS
    expect((await app.resend(started)).body.code).toBe('request-in-progress')
    app.time.nowMs += 1
    expect((await app.submit(started, code)).body.data.status).toBe('complete')
    expect((await app.lines(creditReportId)).at(-1)).toBe('capture report 500')
  })

  test('a worker that wakes up after its lease went to another writes nothing, and leaves the other its lease', async () => {
    const { started, code, creditReportId } = await start()
    const slow = holdBureaus()
    const first = app.submit(started, code)
    await slow.asking
    app.time.nowMs += WORK_LEASE_MS + 1
    const taken = holdBureaus()
    const second = app.submit(started, code)
    await taken.asking
    slow.answer()
    expect(await first).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(await app.lines(creditReportId)).toHaveLength(3)
    taken.answer()
    expect((await second).body.data.status).toBe('complete')
    expect((await app.lines(creditReportId)).at(-1)).toBe('capture report 500')
  })

  test('erased while the bureaus are asked: there is no such report any more, and it costs nothing', async () => {
    const { started, code, creditReportId } = await start()
    const { asking, answer } = holdBureaus()
    const submitted = app.submit(started, code)
    await asking
    await eraseReport(app.database, { creditReportId, nowMs: app.time.nowMs, plugins: noPlugins })
    answer()
    expect(await submitted).toMatchObject({ status: 404, body: { code: 'credit-report-not-found' } })
    expect((await app.lines(creditReportId)).at(-1)).toBe('release report 500')
  })

  test('the worker dies and no one comes back: the sweeper waits for the lease, then releases', async () => {
    const { started, code, creditReportId } = await start()
    const asking = new Promise<void>((isAsked) => {
      faults.bureau = () => {
        isAsked()
        return new Promise(() => {})
      }
    })
    app.time.nowMs += 299_999
    void app.submit(started, code).catch(() => {})
    await asking
    for (const ms of [2, WORK_LEASE_MS - 2]) {
      app.time.nowMs += ms
      await app.sweeper.sweep()
      expect((await app.lines(creditReportId)).at(-1)).toBe('capture text 40')
    }
    app.time.nowMs += 1
    await app.sweeper.sweep()
    expect((await app.lines(creditReportId)).at(-1)).toBe('release report 500')
    expect(await isKept(creditReportId)).toBe(false)
  })

  test('once it is complete the telephone number is gone, too', async () => {
    const { started, code, creditReportId } = await start()
    const sealedOf = () => app.database.first('SELECT content FROM sealed_report WHERE report_id = ?', creditReportId)
    const before = await sealedOf()
    await app.submit(started, code)
    expect(await sealedOf()).not.toEqual(before)
  })
})
