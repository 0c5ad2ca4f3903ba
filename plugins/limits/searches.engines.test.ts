// The limit on searches of one person's file, on every engine.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Match } from '../../contract/credit-report.ts'
import type { GenerateRequest } from '../../contract/generate.ts'
import { WORK_LEASE_MS } from '../../service/check/keep-lease.ts'
import { ProviderUnavailable, wasNeverAsked } from '../../service/providers/providers.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { createFaultyProviders } from '../../testing/faulty-providers.ts'
import { createTestApp, liveRequest, type TestApp, testRequest } from '../../testing/test-app.ts'
import { isClean, reconcile } from '../statement/reconcile.ts'
import { createSearchLimit, forgetOldSearches } from './searches.ts'

const DAY_MS = 86_400_000

onEachEngine('searches of one person', (place) => {
  const { faults, asked, providers } = createFaultyProviders()
  let app: TestApp
  let other: TestApp
  beforeAll(async () => {
    const { databaseUrl, dataDir } = await place()
    // A bureau that is not simulated: only its searches are counted.
    const live = { BUREAU_URL: 'http://127.0.0.1:9', BUREAU_TOKEN: 'a token that is long enough' }
    app = await createTestApp({ databaseUrl, dataDir, environment: live, providers })
    other = await createTestApp({ databaseUrl, dataDir, role: 'operator', environment: live, providers })
  })
  afterAll(async () => {
    expect(isClean(await reconcile(app.database))).toBe(true)
    await other.close()
    await app.close()
  })

  let people = 0
  /** Someone of their own. `Allow` decides what risk says; the rest makes the person unique. */
  function someone(lastName = 'Allow'): GenerateRequest {
    people += 1
    const dateOfBirth = new Date(Date.UTC(1950, 0, people)).toISOString().slice(0, 10)
    return { ...liveRequest(lastName), dateOfBirth }
  }
  const statuses = async (times: number, request: GenerateRequest) => {
    const answers = []
    for (let count = 0; count < times; count += 1) answers.push((await app.generate(request)).status)
    return answers
  }
  const codeOf = async (creditReportId: string) => (await app.codes(creditReportId)).at(-1)

  /** The outcome of each of so many checks of one person. */
  const endings = async (times: number, request: GenerateRequest) => {
    const answers: string[] = []
    for (let count = 0; count < times; count += 1) {
      const { body } = await app.generate(request)
      answers.push(body.data?.status ?? body.code)
    }
    return answers
  }
  const [DONE, CODE] = ['complete', 'authentication-required']

  test('five a day where risk says allow; the sixth needs a code, and a namesake does not', async () => {
    const person = someone()
    expect(await endings(5, person)).toEqual([DONE, DONE, DONE, DONE, DONE])
    const bureaus = asked.bureaus
    expect(await endings(2, person)).toEqual([CODE, CODE])
    expect(asked.bureaus).toBe(bureaus)
    // The same person in other letters.
    expect(await endings(1, { ...person, lastName: 'ALLOW', firstName: `${person.firstName} Alex` })).toEqual([CODE])
    // Their true address as a previous one, behind an invented one: bureaus search both.
    const [lived] = person.addresses
    const current = { type: 'current', ukAddress: { ...lived?.ukAddress, postcode: 'M1 1AA' } }
    const addresses = [current, { ...lived, type: 'previous' }] as GenerateRequest['addresses']
    expect(await endings(1, { ...person, addresses })).toEqual([CODE])
    expect(await endings(1, { ...person, firstName: 'Other' })).toEqual([DONE])
    expect((await app.generate(person, { token: 'other-lender' })).body.data.status).toBe(DONE)
    const { mobileNumber: _none, ...unreachable } = person
    expect((await app.generate(unreachable)).body).toMatchObject({ code: 'validation-error' })
    app.time.nowMs += DAY_MS
    expect(await endings(1, person)).toEqual([DONE])
  })

  test('the person that strangers have used up the searches of gets a report with a code', async () => {
    const person = someone()
    await statuses(5, person)
    const { data } = (await app.generate(person)).body
    expect((await app.submit(data, await codeOf(data.creditReportId))).body.data.status).toBe(DONE)
  })

  test('a repeat under the same key counts once, and test mode not at all', async () => {
    const person = someone()
    for (let count = 0; count < 8; count += 1)
      expect((await app.generate(person, { 'Idempotency-Key': `once` })).status).toBe(200)
    for (let count = 0; count < 8; count += 1)
      expect((await app.generate({ ...testRequest('allow'), lastName: person.lastName })).status).toBe(200)
    expect(await endings(5, person)).toEqual([DONE, DONE, DONE, DONE, CODE])
  })

  test('a retry that takes over a check whose process died asks for the code too, and counts nothing twice', async () => {
    const person = someone()
    /** A request whose process stops while it asks risk. */
    const strand = async (key: object): Promise<void> => {
      await new Promise<void>((wasAsked) => {
        faults.risk = () => {
          wasAsked()
          return new Promise(() => {})
        }
        void app.generate(person, { ...key })
      })
      delete faults.risk
      app.time.nowMs += WORK_LEASE_MS + 1
    }
    const takenOver = async () => {
      const key = { 'Idempotency-Key': randomUUID() }
      await strand(key)
      return (await app.generate(person, key)).body.data.status
    }
    expect(await endings(4, person)).toEqual([DONE, DONE, DONE, DONE])
    expect(await takenOver()).toBe(DONE)
    expect(await takenOver()).toBe(CODE)
  })

  test('what searches nothing counts nothing: blocked, challenged, and a bureau that is known to be away', async () => {
    const blocked = someone('Block')
    expect(await statuses(7, blocked)).toEqual(Array(7).fill(200))
    const challenged = someone('Example')
    expect(await statuses(7, challenged)).toEqual(Array(7).fill(200))
    const person = someone()
    faults.bureau = () => Promise.reject(new ProviderUnavailable('equifax', 'circuit-open'))
    expect(await statuses(7, person)).toEqual(Array(7).fill(503))
    faults.bureau = () => Promise.reject(new ProviderUnavailable('equifax', 'time-out'))
    // May have been searched: it counts.
    expect(await statuses(6, person)).toEqual([503, 503, 503, 503, 503, 200])
    delete faults.bureau
  })

  test('five a day with a code, each once however often it is sent; the sixth says when to come back', async () => {
    const person = someone('Example')
    const started: Awaited<ReturnType<TestApp['generate']>>['body']['data'][] = []
    for (let count = 0; count < 6; count += 1) started.push((await app.generate(person)).body.data)
    const submit = async (index: number) => app.submit(started[index], await codeOf(started[index].creditReportId))
    for (const index of [0, 0, 1, 2, 3, 4, 4]) expect((await submit(index)).status).toBe(200)
    app.time.nowMs += 60_000
    const [before, bureaus] = [await app.wallet(), asked.bureaus]
    const sixth = await submit(5)
    expect(sixth).toMatchObject({ status: 429, body: { code: 'rate-limited' } })
    expect(sixth.headers.get('Retry-After')).toBe(String(DAY_MS / 1_000 - 60))
    expect(await app.wallet()).toEqual(before)
    expect(asked.bureaus).toBe(bureaus)
  })

  test('however many ask at once, on two processes', async () => {
    const person = someone()
    other.time.nowMs = app.time.nowMs
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? app : other).generate(person)),
    )
    const count = (status: string | undefined) => answers.filter(({ body }) => body.data.status === status).length
    expect([count(DONE), count(CODE)]).toEqual([5, 15])
  })

  test('claims are forgotten after a day', async () => {
    app.time.nowMs += DAY_MS + 1
    await app.sweeper.sweep()
    expect(await app.database.all('SELECT 1 AS one FROM person_search')).toEqual([])
  })

  test('a refusal lasts until the oldest of the last few is a day old, to the second', async () => {
    const HOUR_MS = 3_600_000
    const person = someone()
    const time = { nowMs: Date.UTC(2027, 0, 1) }
    const limit = createSearchLimit({ clock: () => time.nowMs, key: new Uint8Array(32), max: 3 })
    const known = {
      tenantId: 'demo-lender',
      test: false,
      externalReference: null,
      requestId: null,
      mobileNumber: '+447700900123',
    }
    const claim = (creditReportId: string, consumer = person, match: Match = 'unknown') =>
      app.database.batch('demo-lender', (queries) =>
        limit.claimProved(queries, { ...known, creditReportId, consumer, match }),
      )
    const waitOf = async (creditReportId: string, match?: Match) => {
      const error = await claim(creditReportId, person, match).catch((thrown: unknown) =>
        limit.explain(app.database, thrown),
      )
      return (error as { headers: object } | undefined)?.headers
    }
    await claim('stranger', someone())
    for (const report of ['first', 'second', 'third', 'fourth']) {
      if (report !== 'fourth') await claim(report)
      time.nowMs += HOUR_MS
    }
    expect(await waitOf('fifth')).toEqual({ 'Retry-After': String(20 * 3_600) })
    // A number that is known for the person has a place of its own.
    expect(await waitOf('matched', 'matched')).toBeUndefined()
    // The same report again is not one more.
    await claim('third')
    time.nowMs += 20 * HOUR_MS - 1_500
    expect(await waitOf('fifth')).toEqual({ 'Retry-After': '2' })
    time.nowMs += 1_499
    expect(await waitOf('fifth')).toEqual({ 'Retry-After': '1' })
    time.nowMs += 1
    expect(await waitOf('fifth')).toBeUndefined()
    // The second, an hour younger than the first, is the next to make room.
    expect(await waitOf('sixth')).toEqual({ 'Retry-After': '3600' })
    await limit.giveBack(app.database, 'fifth')
    expect(await waitOf('sixth')).toBeUndefined()
  })

  test('a claim is kept for a day, not longer', async () => {
    const nowMs = Date.UTC(2028, 0, 1)
    await app.database.run('DELETE FROM person_search')
    for (const [report, ageMs] of Object.entries({ old: DAY_MS + 1, edge: DAY_MS, young: 1 }))
      await app.database.run(
        `INSERT INTO person_search (report_id, place_index, claimed_at_ms) VALUES (?, 'p', ?)`,
        report,
        nowMs - ageMs,
      )
    expect(await forgetOldSearches(app.database, nowMs)).toBe(1)
    const left = await app.database.all('SELECT report_id FROM person_search ORDER BY report_id')
    expect(left).toEqual([{ report_id: 'edge' }, { report_id: 'young' }])
  })

  test('what failed otherwise stays what it is', async () => {
    const error = new RangeError('no')
    const limit = createSearchLimit({ clock: () => 0, key: new Uint8Array(32), max: 1 })
    expect(await limit.explain(app.database, error)).toBe(error)
    expect(wasNeverAsked(Object.assign(error, { reason: 'circuit-open' }))).toBe(false)
  })
})
