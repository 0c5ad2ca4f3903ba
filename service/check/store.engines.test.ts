// The store of reports, on every engine: a write succeeds only on the state that was read.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ReportReason } from '../../contract/report-list.ts'
import type { ReportState } from '../../contract/report-state.ts'
import { shortReference } from '../../contract/short-reference.ts'
import { newId } from '../../kit/new-id.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import { createTenant } from '../ledger/tenants.ts'
import type { Database } from '../store/database.ts'
import type { Challenge } from './challenge.ts'
import {
  challengePending,
  completeVerified,
  deleteSealed,
  endWork,
  findReport,
  findSealed,
  hasSealed,
  insertReport,
  insertSealed,
  isAtWork,
  LostRace,
  moveChallenge,
  reasonOf,
  renewLease,
  replaceSealed,
  type StoredReport,
  settlePending,
  takeOver,
  won,
} from './store.ts'

const NOW_MS = Date.UTC(2026, 10, 15)
const LEASE_MS = NOW_MS + 5_000
const agencies = [{ id: 'equifax', status: 'answered' }] as const
const open: Challenge = { status: 'open', attempts: 0, sentAtMs: [NOW_MS], verifiedSend: null, deviceVerified: false }
/** Of a report without one. */
const noChallenge: Challenge = { ...open, sentAtMs: [], deviceVerified: true }

onEachEngine('the store of reports', (place) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(await place())
    for (const id of ['acme', 'other']) await createTenant(database, { id, name: id, nowMs: NOW_MS })
  })
  afterAll(() => database.close())

  const about = { tenantId: 'acme', test: false, externalReference: null, requestId: null, history: {} }
  type Insert = Parameters<typeof insertReport>[1]
  async function insert(report: Partial<Insert> & Pick<Insert, 'status'>): Promise<string> {
    const creditReportId = newId(NOW_MS)
    await insertReport(database, { ...about, creditReportId, nowMs: NOW_MS, ...report } as Insert)
    return creditReportId
  }
  const find = async (creditReportId: string, tenantId = 'acme'): Promise<StoredReport> => {
    const report = await findReport(database, { tenantId, creditReportId })
    if (report === null) throw new Error('not found')
    return report
  }
  const insertPending = () => insert({ status: 'pending', leaseUntilMs: LEASE_MS })
  const insertChallenged = async () => {
    const creditReportId = await insertPending()
    const challenge = { ...open, deviceVerified: true }
    const opened = { creditReportId, leaseUntilMs: LEASE_MS, challengeId: 'c', challenge, match: null, history: {} }
    await challengePending(database, opened)
    return creditReportId
  }
  /** Another report in the same state, which nothing here may touch. */
  async function besides(insertOne: () => Promise<string>, work: (creditReportId: string) => Promise<void>) {
    const [creditReportId, bystander] = [await insertOne(), await insertOne()]
    const before = await find(bystander)
    await work(creditReportId)
    expect(await find(bystander)).toEqual(before)
  }

  const unended = { leaseUntilMs: null, challengeId: null, agencies: null, match: null, endedAtMs: null, ending: null }
  test.each<[name: string, inserted: Partial<Insert> & Pick<Insert, 'status'>, stored: Partial<StoredReport>]>([
    ['pending', { status: 'pending', leaseUntilMs: LEASE_MS }, { leaseUntilMs: LEASE_MS, challenge: noChallenge }],
    [
      'complete',
      { status: 'complete', agencies, match: 'matched', test: true },
      {
        test: true,
        agencies,
        match: 'matched',
        endedAtMs: NOW_MS,
        ending: 'complete',
        challenge: { ...noChallenge, status: 'complete' },
      },
    ],
    ['blocked', { status: 'blocked' }, { endedAtMs: NOW_MS, ending: 'risk', challenge: noChallenge }],
    [
      'challenged, on a device that could not be verified',
      {
        status: 'challenged',
        challengeId: 'c',
        challenge: open,
        agencies,
        externalReference: 'order 1',
        requestId: 'q',
      },
      { challengeId: 'c', challenge: open, agencies, externalReference: 'order 1', requestId: 'q' },
    ],
    [
      'challenged, on one that was',
      { status: 'challenged', challengeId: 'c', challenge: { ...open, deviceVerified: true }, agencies },
      { challengeId: 'c', challenge: { ...open, deviceVerified: true }, agencies },
    ],
  ])('%s: what was written is read, by its own lender', async (_name, inserted, stored) => {
    const creditReportId = await insert({ history: { asked: ['equifax'] }, ...inserted })
    expect(await find(creditReportId)).toEqual({
      ...about,
      ...unended,
      creditReportId,
      status: inserted.status,
      createdAtMs: NOW_MS,
      erasedAtMs: null,
      history: { asked: ['equifax'] },
      ...stored,
    })
    const row = await database.first('SELECT short_reference FROM credit_report WHERE id = ?', creditReportId)
    expect(row).toEqual({ short_reference: shortReference(creditReportId) })
    expect(await findReport(database, { tenantId: 'other', creditReportId })).toBeNull()
  })

  test('a report is taken over once its lease is over, not at its last millisecond', async () => {
    await besides(insertPending, async (creditReportId) => {
      const take = (nowMs: number) => takeOver(database, { creditReportId, nowMs, leaseUntilMs: nowMs + 1 })
      expect(await take(LEASE_MS)).toBeNull()
      expect(await take(LEASE_MS + 1)).toEqual({ requestId: null })
      expect((await find(creditReportId)).leaseUntilMs).toBe(LEASE_MS + 2)
    })
    const done = await insert({ status: 'complete', agencies })
    await database.run('UPDATE credit_report SET lease_until_ms = 1 WHERE id = ?', done)
    expect(await takeOver(database, { creditReportId: done, nowMs: NOW_MS, leaseUntilMs: LEASE_MS })).toBeNull()
  })

  test.each<[name: string, settled: object, stored: Partial<StoredReport>]>([
    ['blocked', { status: 'blocked' }, { ending: 'risk', challenge: noChallenge }],
    [
      'failed',
      { status: 'failed', reason: 'funds' },
      { ending: 'funds', challenge: { ...noChallenge, status: 'failed' } },
    ],
    [
      'complete',
      { status: 'complete', agencies, match: 'unknown', history: { riskMs: 3 } },
      {
        ending: 'complete',
        agencies,
        match: 'unknown',
        history: { riskMs: 3 },
        challenge: { ...noChallenge, status: 'complete' },
      },
    ],
  ])('a pending report that ends %s keeps its end, under its own lease alone', async (status, settled, stored) => {
    await besides(insertPending, async (creditReportId) => {
      type Settled = Parameters<typeof settlePending>[1]
      const settle = (leaseUntilMs: number) =>
        settlePending(database, { creditReportId, leaseUntilMs, nowMs: NOW_MS + 1, ...settled } as Settled)
      await expect(settle(LEASE_MS + 1)).rejects.toThrow(LostRace)
      const before = await find(creditReportId)
      await settle(LEASE_MS)
      const ended = { status, leaseUntilMs: null, endedAtMs: NOW_MS + 1 }
      expect(await find(creditReportId)).toEqual({ ...before, ...ended, ...stored })
      await expect(settle(LEASE_MS)).rejects.toThrow(LostRace)
    })
  })

  test('a challenge is opened under the report’s own lease, once', async () => {
    await besides(insertPending, async (creditReportId) => {
      const before = await find(creditReportId)
      const facts = { challengeId: 'c', challenge: open, match: 'matched', history: { riskMs: 4 } } as const
      const begin = (leaseUntilMs: number) => challengePending(database, { creditReportId, leaseUntilMs, ...facts })
      await expect(begin(LEASE_MS - 1)).rejects.toThrow(LostRace)
      await begin(LEASE_MS)
      expect(await find(creditReportId)).toEqual({ ...before, ...facts, status: 'challenged', leaseUntilMs: null })
      await expect(begin(LEASE_MS)).rejects.toThrow(LostRace)
    })
  })

  describe('a move of a challenge', () => {
    const moment = { nowMs: NOW_MS + 1_000, lifetimeMs: 300_000 }
    const verified = { ...open, deviceVerified: true, verifiedSend: 1 }

    test('writes what changed, under a lease where one is taken', async () => {
      await besides(insertChallenged, async (creditReportId) => {
        const was = await find(creditReportId)
        const sent = [NOW_MS, NOW_MS + 500, NOW_MS + 900]
        const next: Challenge = { ...was.challenge, attempts: 1, sentAtMs: sent, verifiedSend: 3 }
        await moveChallenge(database, { was, next, moment, leaseUntilMs: LEASE_MS })
        const history = { wrongCodesAtMs: [moment.nowMs], verifiedAtMs: moment.nowMs }
        const moved = { ...was, challenge: next, leaseUntilMs: LEASE_MS, history }
        expect(await find(creditReportId)).toEqual(moved)
        const failed: Challenge = { ...next, status: 'failed', attempts: 3 }
        await moveChallenge(database, { was: moved, next: failed, moment })
        expect(await find(creditReportId)).toMatchObject({
          status: 'failed',
          challenge: failed,
          leaseUntilMs: null,
          endedAtMs: moment.nowMs,
          ending: 'attempts',
        })
      })
    })

    test.each<[name: string, changes: Partial<Challenge>, leaseUntilMs: number | null]>([
      ['another code was wrong', { attempts: 1 }, null],
      ['another text was sent', { sentAtMs: [NOW_MS, NOW_MS + 1] }, null],
      ['another code was right', { verifiedSend: 1 }, null],
      ['another worker has it', {}, LEASE_MS],
      ['it failed', { status: 'failed' }, null],
    ])('comes too late once %s', async (_name, changes, leaseUntilMs) => {
      const creditReportId = await insertChallenged()
      const was = await find(creditReportId)
      await moveChallenge(database, { was, next: { ...was.challenge, ...changes }, moment, leaseUntilMs })
      const before = await find(creditReportId)
      const late = moveChallenge(database, { was, next: { ...was.challenge, attempts: 1 }, moment })
      expect(await won(late)).toBe(false)
      expect(await find(creditReportId)).toEqual(before)
    })

    /** Verified, and in progress. */
    const insertVerified = async () => {
      const creditReportId = await insertChallenged()
      const was = await find(creditReportId)
      await moveChallenge(database, { was, next: verified, moment, leaseUntilMs: LEASE_MS })
      return creditReportId
    }

    test('leads to the report under the worker’s lease alone', async () => {
      await besides(insertVerified, async (creditReportId) => {
        const before = await find(creditReportId)
        const complete = (leaseUntilMs: number) =>
          completeVerified(database, {
            creditReportId,
            leaseUntilMs,
            agencies,
            history: { riskMs: 1 },
            nowMs: NOW_MS + 2_000,
          })
        await expect(complete(LEASE_MS + 1)).rejects.toThrow(LostRace)
        await complete(LEASE_MS)
        expect(await find(creditReportId)).toEqual({
          ...before,
          status: 'complete',
          challenge: { ...verified, status: 'complete' },
          leaseUntilMs: null,
          agencies,
          history: { riskMs: 1 },
          endedAtMs: NOW_MS + 2_000,
          ending: 'complete',
        })
        await expect(complete(LEASE_MS)).rejects.toThrow(LostRace)
      })
    })

    test('a lease is renewed and ended by its owner alone', async () => {
      await besides(insertVerified, async (creditReportId) => {
        const renew = (leaseUntilMs: number, nextMs: number) =>
          renewLease(database, { creditReportId, leaseUntilMs, nextMs })
        expect(await renew(LEASE_MS + 1, LEASE_MS + 9)).toBe(false)
        expect(await renew(LEASE_MS, LEASE_MS + 2)).toBe(true)
        const history = { unansweredAtMs: [7] }
        await endWork(database, { creditReportId, leaseUntilMs: LEASE_MS, history })
        expect(await find(creditReportId)).toMatchObject({ leaseUntilMs: LEASE_MS + 2 })
        await endWork(database, { creditReportId, leaseUntilMs: LEASE_MS + 2, history })
        expect(await find(creditReportId)).toMatchObject({ status: 'challenged', leaseUntilMs: null, history })
        expect(await renew(LEASE_MS + 2, LEASE_MS + 9)).toBe(false)
      })
      const over = await insert({ status: 'complete', agencies })
      await database.run('UPDATE credit_report SET lease_until_ms = 1 WHERE id = ?', over)
      expect(await renewLease(database, { creditReportId: over, leaseUntilMs: 1, nextMs: 2 })).toBe(false)
    })
  })

  test('what is sealed is found, replaced and forgotten, each report’s own', async () => {
    const [creditReportId, other] = [await insertChallenged(), await insertChallenged()]
    const sealed = (byte: number) => ({ wrappedKey: new Uint8Array([byte]), content: new Uint8Array([byte, byte]) })
    await expect(replaceSealed(database, { creditReportId, ...sealed(1) })).rejects.toThrow('no sealed consumer')
    for (const [id, byte] of [
      [creditReportId, 1],
      [other, 2],
    ] as const)
      await insertSealed(database, { creditReportId: id, ...sealed(byte) })
    await replaceSealed(database, { creditReportId, ...sealed(3) })
    const bytesOf = async (id: string) => [...((await findSealed(database, id))?.content ?? [])]
    expect([await bytesOf(creditReportId), await bytesOf(other)]).toEqual([
      [3, 3],
      [2, 2],
    ])
    await deleteSealed(database, creditReportId)
    expect(await findSealed(database, creditReportId)).toBeNull()
    expect([await hasSealed(database, creditReportId), await hasSealed(database, other)]).toEqual([false, true])
  })
})

const left = { ending: null, challenge: { ...open, deviceVerified: true } }
test.each<[status: ReportState['status'], report: Partial<StoredReport>, reason: ReportReason | null]>([
  ['pending', {}, null],
  ['authentication-required', {}, null],
  ['complete', { ending: 'complete' }, null],
  ['blocked', { ending: 'risk' }, 'risk'],
  ['failed', { ending: 'spend-cap' }, 'spend-cap'],
  ['expired', { ending: 'agencies' }, 'agencies'],
  // Not swept yet.
  ['expired', {}, 'timeout'],
  ['expired', { challenge: { ...open, verifiedSend: 1 } }, 'agencies'],
])('a report that is %s with %j: %s', (status, report, reason) => {
  expect(reasonOf({ ...left, ...report } as StoredReport, status)).toBe(reason)
})

test.each<[status: StoredReport['status'], leaseUntilMs: number | null, isBusy: boolean]>([
  ['challenged', NOW_MS + 1, true],
  ['challenged', NOW_MS, true],
  ['challenged', NOW_MS - 1, false],
  ['challenged', null, false],
  ['pending', NOW_MS + 1, false],
  ['complete', NOW_MS + 1, false],
])('%s under a lease until %s: in progress is %s', (status, leaseUntilMs, isBusy) => {
  expect(isAtWork({ status, leaseUntilMs } as StoredReport, NOW_MS)).toBe(isBusy)
})

test('what fails for another reason than a race is no loss of one', async () => {
  const error = new RangeError('no')
  await expect(won(Promise.reject(error))).rejects.toBe(error)
  expect(await won(Promise.resolve())).toBe(true)
})
