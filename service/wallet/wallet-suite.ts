// What the wallet promises on every engine. Each engine's test file runs all of it.
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LineKind } from '../../contract/wallet.ts'
import { applyLine, type Balances, EMPTY } from '../../testing/ledger.ts'
import { ApiError } from '../http/api-error.ts'
import type { Database } from '../store/database.ts'
import { createTenant } from '../tenants/store.ts'
import { isClean, RULES, reconcile } from './reconcile.ts'
import { capture, hold, listLines, readBalance, release, topUp } from './store.ts'

const NOW_MS = 1_700_000_000_000

export function describeWallet(name: string, open: () => Promise<Database>): void {
  describe(`${name}: the wallet`, () => {
    let database: Database
    beforeAll(async () => {
      database = await open()
    })
    afterAll(() => database.close())

    let tenants = 0
    async function newTenant(credits: number): Promise<string> {
      tenants += 1
      const tenantId = `tenant-${tenants}`
      await database.transaction(async (queries) => {
        await createTenant(queries, { id: tenantId, name: 'Tenant', nowMs: NOW_MS })
        await topUp(queries, { tenantId, credits, reference: 'first', nowMs: NOW_MS })
      })
      return tenantId
    }

    const subject = (subjectId: string) => ({ purpose: 'report' as const, subjectId })
    const holdFor = (tenantId: string, subjectId: string, credits: number) =>
      database.transaction((queries) =>
        hold(queries, { tenantId, ...subject(subjectId), credits, creditReportId: subjectId, nowMs: NOW_MS }),
      )
    const walletOf = async (tenantId: string) => {
      const row = await database.first('SELECT * FROM wallet WHERE tenant_id = ?', tenantId)
      return [row?.balance_credits, row?.held_credits]
    }

    test('a hold reserves, a capture spends, a release gives back', async () => {
      const tenantId = await newTenant(100)
      await holdFor(tenantId, `${tenantId}-a`, 30)
      await holdFor(tenantId, `${tenantId}-b`, 20)
      expect(await walletOf(tenantId)).toEqual([50, 50])
      expect(await capture(database, subject(`${tenantId}-a`), NOW_MS)).toBe(true)
      expect(await walletOf(tenantId)).toEqual([50, 20])
      expect(await release(database, subject(`${tenantId}-b`), NOW_MS)).toBe(true)
      expect(await walletOf(tenantId)).toEqual([70, 0])
    })

    test('a captured hold cannot also be released, nor captured again', async () => {
      const tenantId = await newTenant(100)
      await holdFor(tenantId, tenantId, 30)
      expect(await capture(database, subject(tenantId), NOW_MS)).toBe(true)
      expect(await release(database, subject(tenantId), NOW_MS)).toBe(false)
      expect(await capture(database, subject(tenantId), NOW_MS)).toBe(false)
      expect(await walletOf(tenantId)).toEqual([70, 0])
    })

    test('what was never held cannot be settled', async () => {
      expect(await capture(database, subject('nothing'), NOW_MS)).toBe(false)
      expect(await release(database, subject('nothing'), NOW_MS)).toBe(false)
    })

    test('a payment counts once, however often it is booked', async () => {
      const tenantId = await newTenant(0)
      const pay = () => topUp(database, { tenantId, credits: 10, reference: 'payment', nowMs: NOW_MS })
      expect((await Promise.all([pay(), pay(), pay()])).filter(Boolean)).toHaveLength(1)
      expect(await walletOf(tenantId)).toEqual([10, 0])
    })

    test('two hundred credits buy exactly 28 of 60 holds of seven, all at once', async () => {
      const tenantId = await newTenant(200)
      const outcomes = await Promise.allSettled(
        Array.from({ length: 60 }, (_, index) => holdFor(tenantId, `${tenantId}-${index}`, 7)),
      )
      const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
      expect(refused).toHaveLength(32)
      for (const error of refused) expect(error).toMatchObject({ code: 'insufficient-funds', status: 402 })
      expect(await walletOf(tenantId)).toEqual([4, 196])
    })

    test('a hold that is refused leaves nothing of its transaction', async () => {
      const tenantId = await newTenant(5)
      const refused = database.transaction(async (queries) => {
        await topUp(queries, { tenantId, credits: 1, reference: 'second', nowMs: NOW_MS })
        await hold(queries, { tenantId, ...subject('poor'), credits: 7, creditReportId: 'poor', nowMs: NOW_MS })
      })
      await expect(refused).rejects.toThrow(ApiError)
      expect(await walletOf(tenantId)).toEqual([5, 0])
    })

    test('capture and release race, and one of them wins', async () => {
      const tenantId = await newTenant(1_000)
      for (let round = 0; round < 100; round += 1) {
        const id = `${tenantId}-race-${round}`
        await holdFor(tenantId, id, 1)
        const settled = await Promise.all(
          [capture, release, capture, capture, release].map((settle) => settle(database, subject(id), NOW_MS)),
        )
        expect(settled.filter(Boolean)).toHaveLength(1)
      }
      const [balance, held] = await walletOf(tenantId)
      expect(held).toBe(0)
      expect(balance).toBe(await readBalance(database, tenantId))
    })

    test.each([
      ['changed', `UPDATE wallet_line SET credits = credits + 1`],
      ['deleted', `DELETE FROM wallet_line`],
    ])('a line is never %s', async (_what, sql) => {
      await newTenant(10)
      await expect(database.run(sql)).rejects.toThrow()
    })

    test('lines are listed newest first, page by page', async () => {
      const tenantId = await newTenant(10)
      for (const id of ['1', '2', '3']) await holdFor(tenantId, `${tenantId}-${id}`, 1)
      const list = (before: string | null) => listLines(database, { tenantId, before, creditReportId: null, limit: 2 })
      const page = await list(null)
      expect(page?.map((line) => line.creditReportId)).toEqual([`${tenantId}-3`, `${tenantId}-2`])
      const next = await list(page?.at(-1)?.id ?? '')
      expect(next?.map((line) => line.kind)).toEqual(['hold', 'top-up'])
      expect(await list('no such line')).toBeNull()
      const other = await newTenant(1)
      const foreign = listLines(database, {
        tenantId: other,
        before: page?.[0]?.id ?? '',
        creditReportId: null,
        limit: 2,
      })
      expect(await foreign).toBeNull()
    })

    test('the database moves a balance exactly as the ledger says', async () => {
      type Step = { kind: LineKind; pick: number; credits: number }
      const kinds: LineKind[] = ['top-up', 'hold', 'capture', 'release']
      const steps = fc.array(
        fc.record<Step>({ kind: fc.constantFrom(...kinds), pick: fc.nat(20), credits: fc.nat(50) }),
        { maxLength: 25 },
      )
      await fc.assert(
        fc.asyncProperty(steps, async (sequence) => {
          const tenantId = await newTenant(0)
          let expected: Balances = EMPTY
          const open: { id: string; credits: number }[] = []
          for (const [index, { kind, pick, credits }] of sequence.entries()) {
            const id = `${tenantId}-${index}`
            const held = open.length === 0 ? undefined : open[pick % open.length]
            if (kind === 'top-up') {
              await topUp(database, { tenantId, credits, reference: id, nowMs: NOW_MS })
              expected = applyLine(expected, { kind, credits })
            } else if (kind === 'hold') {
              const done = await holdFor(tenantId, id, credits).then(
                () => true,
                () => false,
              )
              expect(done).toBe(credits <= expected.balanceCredits)
              if (done) {
                expected = applyLine(expected, { kind, credits })
                open.push({ id, credits })
              }
            } else if (held) {
              const settle = kind === 'capture' ? capture : release
              expect(await settle(database, subject(held.id), NOW_MS)).toBe(true)
              expected = applyLine(expected, { kind, credits: held.credits })
              open.splice(open.indexOf(held), 1)
            }
            expect(await walletOf(tenantId)).toEqual([expected.balanceCredits, expected.heldCredits])
          }
        }),
        { numRuns: 15 },
      )
    })
  })

  describe(`${name}: reconciling`, () => {
    let database: Database
    beforeAll(async () => {
      database = await open()
      await createTenant(database, { id: 'tenant', name: 'Tenant', nowMs: NOW_MS })
      await topUp(database, { tenantId: 'tenant', credits: 10_000, reference: 'first', nowMs: NOW_MS })
    })
    afterAll(() => database.close())

    const report = (id: string, status: string, { isTest = 0, sends = 0 } = {}) =>
      `INSERT INTO credit_report (id, tenant_id, test, status, challenge_id, sends, sent_1_at_ms, created_at_ms)
       VALUES ('${id}', 'tenant', ${isTest}, '${status}', ${sends ? `'c'` : 'NULL'}, ${sends}, ${sends ? 1 : 'NULL'}, 1)`
    const line = (id: string, kind: string, creditReportId: string, holdId = '', credits = 5, purpose = 'report') =>
      `INSERT INTO wallet_line (id, tenant_id, kind, purpose, credits, report_id, hold_id, created_at_ms)
       VALUES ('${id}', 'tenant', '${kind}', '${purpose}', ${credits}, '${creditReportId}', ${holdId ? `'${holdId}'` : 'NULL'}, 1)`
    const text = (id: string, creditReportId: string, status: string) =>
      `INSERT INTO text_message (id, report_id, tenant_id, send_number, status, lease_until_ms, created_at_ms)
       VALUES ('${id}', '${creditReportId}', 'tenant', 1, '${status}', 1, 1)`
    const held = (id: string, status: string, options = {}) => [
      report(id, status, options),
      line(`hold_report_${id}`, 'hold', id),
    ]

    // Each breach is one that only a bug or an operator with a database client could make.
    const breaches: [rule: string, id: string, statements: string[]][] = [
      ['every balance is the sum of its lines', 'tenant', ['UPDATE wallet SET balance_credits = balance_credits + 1']],
      [
        'a capture or release is for exactly what was held',
        'cheap',
        [...held('a', 'complete'), line('cheap', 'capture', 'a', 'hold_report_a', 4)],
      ],
      ['a live complete report has exactly one capture', 'b', held('b', 'complete')],
      ['a blocked, failed or expired report has given its hold back', 'c', held('c', 'failed')],
      [
        'a blocked, failed or expired report has given its hold back',
        'd',
        [...held('d', 'expired'), line('x', 'capture', 'd', 'hold_report_d')],
      ],
      [
        'a live report under way has its hold',
        'e',
        [report('e', 'challenged', { sends: 1 }), text('t', 'e', 'delivered')],
      ],
      [
        'a text is charged when it was delivered, and only then',
        'f-1',
        [
          ...held('f', 'challenged', { sends: 1 }),
          text('f-1', 'f', 'delivered'),
          line('hold_sms_f-1', 'hold', 'f', '', 5, 'sms'),
        ],
      ],
      [
        'a text is charged when it was delivered, and only then',
        'g-1',
        [
          ...held('g', 'challenged', { sends: 1 }),
          text('g-1', 'g', 'undelivered'),
          line('hold_sms_g-1', 'hold', 'g', '', 5, 'sms'),
          line('y', 'capture', 'g', 'hold_sms_g-1', 5, 'sms'),
        ],
      ],
      ['every send of a live challenge has its text', 'h', held('h', 'challenged', { sends: 1 })],
      ['every hold is for a live report or text that exists', 'hold_report_i', [line('hold_report_i', 'hold', 'i')]],
      ['test mode leaves no line and no text', 'hold_report_j', held('j', 'complete', { isTest: 1 })],
    ]

    test('finds nothing in books that are right', async () => {
      const { counts, findings } = await reconcile(database)
      expect(counts).toEqual({ wallets: 1, lines: 1, reports: 0, texts: 0, heldCredits: 0 })
      expect(findings).toEqual(RULES.map(({ name }) => ({ name, breaches: [] })))
    })

    test.each(breaches)('notices a breach of: %s', async (rule, id, statements) => {
      // Undone afterwards, by an error that ends the transaction.
      const undone = database.transaction(async (queries) => {
        for (const statement of statements) await queries.run(statement)
        const found = await queries.all(RULES.find(({ name }) => name === rule)?.sql ?? '')
        expect(found.map((row) => row.id)).toContain(id)
        throw new RangeError('undo')
      })
      await expect(undone).rejects.toThrow(RangeError)
      expect(isClean(await reconcile(database))).toBe(true)
    })

    test('every rule can be broken', () => {
      // These two cannot: the database itself refuses what would break them.
      const refused = ['nothing is below zero', 'a hold is settled at most once']
      const broken = new Set([...breaches.map(([rule]) => rule), ...refused])
      expect(RULES.map(({ name }) => name).filter((rule) => !broken.has(rule))).toEqual([])
    })
  })
}
