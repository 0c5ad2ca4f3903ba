// The promises of the wallet, on every engine.

import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LineKind } from '../../contract/wallet.ts'
import { isClean, RULES, reconcile } from '../../plugins/statement/reconcile.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { fundedTenants } from '../../testing/funded-tenants.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import { REPORT_COLUMNS, reportValues } from '../../testing/report-rows.ts'
import type { Database } from '../store/database.ts'
import { capture, hold, listLines, readBalance, readHeld, readTopUp, release, topUp } from './ledger.ts'
import { createTenant } from './tenants.ts'

const NOW_MS = 1_700_000_000_000

onEachEngine('the wallet', (place) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(await place())
  })
  afterAll(() => database.close())

  const newTenant = fundedTenants(() => database, NOW_MS)

  const subject = (subjectId: string) => ({ purpose: 'report' as const, subjectId })
  const holdFor = (tenantId: string, subjectId: string, credits: number) =>
    database.transaction((queries) =>
      hold(queries, { tenantId, ...subject(subjectId), credits, creditReportId: subjectId, nowMs: NOW_MS }),
    )
  const walletOf = async (tenantId: string) => {
    const row = await database.first('SELECT * FROM wallet WHERE tenant_id = ?', tenantId)
    return [row?.balance_credits, row?.held_credits]
  }

  test('what was never held cannot be settled', async () => {
    expect(await capture(database, subject('nothing'), NOW_MS)).toBe(false)
    expect(await release(database, subject('nothing'), NOW_MS)).toBe(false)
    expect(await readHeld(database, subject('nothing'))).toBe(0)
    expect(await readBalance(database, 'no-one')).toBe(0)
  })

  test('a payment counts once, however often it is booked', async () => {
    const tenantId = await newTenant(0)
    const pay = () => topUp(database, { tenantId, credits: 10, reference: 'payment', nowMs: NOW_MS })
    expect((await Promise.all([pay(), pay(), pay()])).filter(Boolean)).toHaveLength(1)
    expect(await walletOf(tenantId)).toEqual([10, 0])
    expect(await readTopUp(database, { tenantId, reference: 'payment' })).toBe(10)
    expect(await readTopUp(database, { tenantId, reference: 'other' })).toBe(0)
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
        let balanceCredits = 0
        let heldCredits = 0
        const open: { id: string; credits: number }[] = []
        for (const [index, { kind, pick, credits }] of sequence.entries()) {
          const id = `${tenantId}-${index}`
          const held = open.length === 0 ? undefined : open[pick % open.length]
          if (kind === 'top-up') {
            await topUp(database, { tenantId, credits, reference: id, nowMs: NOW_MS })
            balanceCredits += credits
          } else if (kind === 'hold') {
            const done = await holdFor(tenantId, id, credits).then(
              () => true,
              () => false,
            )
            expect(done).toBe(credits <= balanceCredits)
            if (done) {
              balanceCredits -= credits
              heldCredits += credits
              open.push({ id, credits })
            }
          } else if (held) {
            const settle = kind === 'capture' ? capture : release
            expect(await readHeld(database, subject(held.id))).toBe(held.credits)
            expect(await settle(database, subject(held.id), NOW_MS)).toBe(true)
            for (const again of [capture, release]) expect(await again(database, subject(held.id), NOW_MS)).toBe(false)
            heldCredits -= held.credits
            if (kind === 'release') balanceCredits += held.credits
            open.splice(open.indexOf(held), 1)
          }
          expect(await walletOf(tenantId)).toEqual([balanceCredits, heldCredits])
        }
      }),
      { numRuns: 15 },
    )
  })
})

onEachEngine('reconciling', (place) => {
  type Line = { kind: string; holdId?: string; credits?: number; purpose?: string; tenantId?: string }
  const report = (id: string, status: string, { isTest = 0, sends = 0, tenantId = 'tenant' } = {}) =>
    `INSERT INTO credit_report (id, tenant_id, test, status, challenge_id, sends, sent_1_at_ms, created_at_ms, ${REPORT_COLUMNS})
       VALUES ('${id}', '${tenantId}', ${isTest}, '${status}', ${sends ? `'c'` : 'NULL'}, ${sends}, ${sends ? 1 : 'NULL'}, 1,
       ${reportValues(status)})`
  const line = (
    id: string,
    creditReportId: string,
    { kind, holdId, credits = 5, purpose = 'report', tenantId = 'tenant' }: Line,
  ) =>
    `INSERT INTO wallet_line (id, tenant_id, kind, purpose, credits, report_id, hold_id, created_at_ms)
       VALUES ('${id}', '${tenantId}', '${kind}', '${purpose}', ${credits}, '${creditReportId}', ${holdId ? `'${holdId}'` : 'NULL'}, 1)`
  const text = (id: string, creditReportId: string, status: string) =>
    `INSERT INTO text_message (id, report_id, tenant_id, send_number, status, lease_until_ms, created_at_ms)
       VALUES ('${id}', '${creditReportId}', 'tenant', 1, '${status}', 1, 1)`
  const holdOf = (id: string, options = {}) => line(`hold_report_${id}`, id, { kind: 'hold', ...options })
  const settledReport = (id: string, kind: string, options = {}) =>
    line(`${kind}_report_${id}`, id, { kind, holdId: `hold_report_${id}`, ...options })
  const refundOf = (id: string, credits: number, { lineId = `refund_report_${id}`, tenantId = 'tenant' } = {}) =>
    line(lineId, id, { kind: 'top-up', purpose: 'top-up', credits, tenantId })
  /** The capture of a report by the number of its agencies. */
  const priced = (id: string, { asked, delivered }: { asked: number; delivered: number }) =>
    settledReport(id, 'capture')
      .replace('created_at_ms)', 'created_at_ms, agencies_asked, agencies_delivered)')
      .replace(/, 1\)$/, `, 1, ${asked}, ${delivered})`)
  /** A report with its hold. */
  const held = (id: string, status: string, options = {}) => [report(id, status, options), holdOf(id, options)]
  /** A report whose one text stands as this, with the holds of both. */
  const texted = (id: string, status: string) => [
    ...held(id, 'challenged', { sends: 1 }),
    text(`${id}-1`, id, status),
    line(`hold_text_${id}-1`, id, { kind: 'hold', purpose: 'text' }),
  ]
  const settledText = (id: string, kind: string) =>
    line(`${kind}_text_${id}-1`, id, { kind, holdId: `hold_text_${id}-1`, purpose: 'text' })

  /** One of everything that may be in the books, and an empty wallet. */
  const rightBooks = [
    ...held('done', 'complete'),
    settledReport('done', 'capture'),
    ...['blocked', 'failed', 'expired'].flatMap((status) => [
      ...held(status, status),
      settledReport(status, 'release'),
    ]),
    ...held('begun', 'pending'),
    ...held('theirs', 'pending', { tenantId: 'other' }),
    ...texted('read', 'delivered'),
    settledText('read', 'capture'),
    ...texted('lost', 'undelivered'),
    settledText('lost', 'release'),
    ...texted('queued', 'queued'),
    ...texted('accepted', 'accepted'),
    report('synthetic', 'complete', { isTest: 1 }),
    report('synthetic-code', 'challenged', { isTest: 1, sends: 1 }),
    report('synthetic-failed', 'failed', { isTest: 1 }),
    ...held('part', 'complete'),
    priced('part', { asked: 2, delivered: 1 }),
    refundOf('part', 2),
    line('hold_match_done', 'done', { kind: 'hold', purpose: 'match' }),
    line('capture_match_done', 'done', { kind: 'capture', purpose: 'match', holdId: 'hold_match_done' }),
    line('hold_correction_tenant_1', 'none', { kind: 'hold' }),
    line('capture_correction_tenant_1', 'none', { kind: 'capture', holdId: 'hold_correction_tenant_1' }),
  ]

  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(await place())
    for (const [id, credits] of Object.entries({ tenant: 10_000, other: 10, empty: 0 })) {
      await createTenant(database, { id, name: 'Tenant', nowMs: NOW_MS })
      await topUp(database, { tenantId: id, credits, reference: 'first', nowMs: NOW_MS })
    }
    for (const statement of rightBooks) await database.run(statement)
  })
  afterAll(() => database.close())

  const EXACT = 'a capture or release is for exactly what was held'
  const SHARE = 'what is given back of a report is the share of the agencies missing from it, once'
  const GIVEN_BACK = 'a blocked, failed or expired report has given its hold back'
  const CHARGED = 'a text is charged when it was delivered, and only then'
  const EXISTS = 'every hold is for a live report or text that exists, or a correction'
  const halfPaid = [...held('a', 'complete'), priced('a', { asked: 2, delivered: 1 })]
  // Each breach is one that only a bug or an operator with a database client could make.
  const breaches: [rule: string, id: string, statements: string[]][] = [
    [
      'every balance is the sum of its lines',
      'empty',
      [`UPDATE wallet SET balance_credits = 1 WHERE tenant_id = 'empty'`],
    ],
    [
      'every balance is the sum of its lines',
      'empty',
      [`UPDATE wallet SET held_credits = 1 WHERE tenant_id = 'empty'`],
    ],
    [
      'every day is the sum of its lines',
      'tenant',
      [`UPDATE wallet_day SET credits = credits + 1 WHERE item = 'top-up' AND tenant_id = 'tenant'`],
    ],
    [
      'every day is the sum of its lines',
      'tenant',
      [`UPDATE wallet_day SET held_credits = held_credits + 1 WHERE item = 'text' AND tenant_id = 'tenant'`],
    ],
    [EXACT, 'capture_report_a', [...held('a', 'complete'), settledReport('a', 'capture', { credits: 4 })]],
    [EXACT, 'capture_report_a', [...held('a', 'complete'), settledReport('a', 'capture', { purpose: 'text' })]],
    [EXACT, 'capture_report_a', [...held('a', 'complete'), settledReport('a', 'capture', { tenantId: 'other' })]],
    [EXACT, 'x', [...held('a', 'complete'), line('x', 'done', { kind: 'capture', holdId: 'hold_report_a' })]],
    [EXACT, 'x', [line('x', 'done', { kind: 'release', holdId: 'top-up_tenant_first', credits: 5 })]],
    ['a live complete report has exactly one capture', 'b', held('b', 'complete')],
    [SHARE, 'refund_report_a', [refundOf('a', 4)]],
    [SHARE, 'refund_report_a', [...held('a', 'complete'), settledReport('a', 'capture'), refundOf('a', 2)]],
    [SHARE, 'refund_report_a', [...halfPaid, refundOf('a', 3)]],
    [SHARE, 'refund_report_a', [...halfPaid, refundOf('a', 2, { tenantId: 'other' })]],
    [SHARE, 'twice', [...halfPaid, refundOf('a', 2), refundOf('a', 2, { lineId: 'twice' })]],
    [GIVEN_BACK, 'c', held('c', 'failed')],
    [GIVEN_BACK, 'd', [...held('d', 'expired'), settledReport('d', 'capture')]],
    [
      'a live report in progress has its hold',
      'e',
      [report('e', 'challenged', { sends: 1 }), text('t', 'e', 'delivered')],
    ],
    ['a live report in progress has its hold', 'e', [...held('e', 'pending'), settledReport('e', 'release')]],
    [CHARGED, 'f-1', texted('f', 'delivered')],
    [CHARGED, 'g-1', [...texted('g', 'undelivered'), settledText('g', 'capture')]],
    [CHARGED, 'g-1', [...texted('g', 'accepted'), settledText('g', 'capture')]],
    [CHARGED, 'g-1', [...held('g', 'challenged', { sends: 1 }), text('g-1', 'g', 'queued')]],
    ['every send of a live challenge has its text', 'h', held('h', 'challenged', { sends: 1 })],
    [EXISTS, 'hold_report_i', [holdOf('i')]],
    [EXISTS, 'hold_report_i', [line('hold_report_i', 'done', { kind: 'hold' })]],
    [EXISTS, 'hold_match_i', [line('hold_match_i', 'i', { kind: 'hold', purpose: 'match' })]],
    [EXISTS, 'hold_text_i', [line('hold_text_i', 'done', { kind: 'hold', purpose: 'text' })]],
    [EXISTS, 'hold_text_i', [line('hold_text_i', 'read', { kind: 'hold', purpose: 'text' })]],
    [EXISTS, 'hold_report_i', [report('i', 'pending', { tenantId: 'other' }), holdOf('i')]],
    [EXISTS, 'hold_report_i', held('i', 'pending', { isTest: 1 })],
    [
      EXISTS,
      'hold_text_i',
      [text('i', 'done', 'queued'), line('hold_text_i', 'read', { kind: 'hold', purpose: 'text' })],
    ],
    [
      EXISTS,
      'hold_text_i',
      [text('i', 'done', 'queued'), line('hold_text_i', 'done', { kind: 'hold', purpose: 'text', tenantId: 'other' })],
    ],
    ['test mode leaves no line and no text', 'hold_report_j', held('j', 'complete', { isTest: 1 })],
    ['test mode leaves no line and no text', 'j-1', [text('j-1', 'synthetic', 'queued')]],
  ]

  test('finds nothing in books that are right', async () => {
    const { counts, findings } = await reconcile(database)
    expect(counts).toEqual({ wallets: 3, lines: 30, reports: 14, texts: 4, heldCredits: 40 })
    expect(findings).toEqual(RULES.map(({ name }) => ({ name, breaches: [] })))
  })

  test.each(breaches)('notices a breach of: %s (%s)', async (rule, id, statements) => {
    // Undone afterwards, by an error that ends the transaction.
    const undone = database.transaction(async (queries) => {
      for (const statement of statements) await queries.run(statement)
      const found = await queries.all(RULES.find(({ name }) => name === rule)?.sql ?? '')
      expect(found.map((row) => row.id)).toEqual([id])
      throw new RangeError('undo')
    })
    await expect(undone).rejects.toThrow(RangeError)
    expect(isClean(await reconcile(database))).toBe(true)
  })

  test('says which rule is broken, and by what', async () => {
    await database.run(`UPDATE wallet SET balance_credits = 1 WHERE tenant_id = 'empty'`)
    const broken = await reconcile(database)
    expect(isClean(broken)).toBe(false)
    expect(broken.findings.filter(({ breaches }) => breaches.length > 0)).toEqual([
      { name: 'every balance is the sum of its lines', breaches: ['empty'] },
    ])
    await database.run(`UPDATE wallet SET balance_credits = 0 WHERE tenant_id = 'empty'`)
  })

  test('every rule can be broken', () => {
    // These two cannot: the database itself refuses what would break them.
    const refused = ['nothing is below zero', 'a hold is settled at most once']
    const broken = new Set([...breaches.map(([rule]) => rule), ...refused])
    expect(RULES.map(({ name }) => name).filter((rule) => !broken.has(rule))).toEqual([])
  })
})
