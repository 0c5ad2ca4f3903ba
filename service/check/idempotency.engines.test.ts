// Idempotency keys on every engine: for a day, for one request, and under every secret there is.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { onEachEngine } from '../../testing/engines.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import type { IdempotencyKey } from '../http/idempotency-key.ts'
import { topUp } from '../ledger/ledger.ts'
import { createTenant } from '../ledger/tenants.ts'
import type { Database } from '../store/database.ts'
import {
  dropUnfinishedKey,
  findKey,
  findUse,
  forgetOldKeys,
  type KeptAnswer,
  KeyInUse,
  keepAnswer,
  takeKey,
} from './idempotency.ts'

const START_MS = Date.UTC(2026, 10, 17, 14)
const DAY_MS = 86_400_000

function keyOf(name: string, { fingerprint = 'body' } = {}): IdempotencyKey {
  return { scope: name, fingerprint, older: [] }
}

/** The same once secrets were replaced: `name` is what it was called before. */
function renewed(name: string): IdempotencyKey {
  const { older: _older, ...before } = keyOf(name)
  return { scope: `new ${name}`, fingerprint: 'new body', older: [before] }
}

onEachEngine('idempotency keys', (place) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(await place())
    await createTenant(database, { id: 'acme', name: 'Acme', nowMs: START_MS })
    await topUp(database, { tenantId: 'acme', credits: 700, reference: 'first', nowMs: START_MS })
  })
  afterAll(() => database?.close())
  beforeEach(() => database.run('DELETE FROM idempotency'))

  const answer: KeptAnswer = { outcome: 'complete', costCredits: 500, balanceCredits: 200, sends: 2 }

  type Use = { creditReportId?: string; answer?: KeptAnswer | null; nowMs?: number }
  function take(key: IdempotencyKey | null, use: Use = {}): Promise<void> {
    const { creditReportId = 'r1', nowMs = START_MS } = use
    return database.transaction((queries) =>
      takeKey(queries, key, { creditReportId, answer: use.answer ?? null, nowMs }),
    )
  }
  const find = (key: IdempotencyKey, nowMs = START_MS) => findKey(database, key, nowMs)
  const stored = () => database.all('SELECT scope, outcome FROM idempotency ORDER BY scope')

  test('a request without a key takes none', async () => {
    await take(null)
    expect(await stored()).toEqual([])
  })

  test('a key in use stands for its report, without an answer until there is one', async () => {
    await take(keyOf('a'))
    await take(keyOf('b'), { creditReportId: 'r2', answer })
    expect(await find(keyOf('a'))).toEqual({
      scope: 'a',
      fingerprint: 'body',
      creditReportId: 'r1',
      answer: null,
    })
    expect(await find(keyOf('b'))).toMatchObject({ creditReportId: 'r2', answer })
    expect(await find(keyOf('c'))).toBeNull()
    expect(await stored()).toHaveLength(2)
  })

  test('an answer of nothing is kept as it is', async () => {
    const nothing: KeptAnswer = { outcome: 'blocked', costCredits: 0, balanceCredits: 0, sends: 0 }
    await take(keyOf('a'), { answer: nothing })
    expect((await find(keyOf('a')))?.answer).toEqual(nothing)
  })

  describe('a key that is taken', () => {
    test('is not taken again', async () => {
      await take(keyOf('a'))
      await expect(take(keyOf('a'), { creditReportId: 'r2' })).rejects.toBeInstanceOf(KeyInUse)
      expect(await find(keyOf('a'))).toMatchObject({ creditReportId: 'r1' })
      expect(await stored()).toHaveLength(1)
    })

    test('is found for a day, and free a millisecond later', async () => {
      await take(keyOf('a'))
      expect(await find(keyOf('a'), START_MS + DAY_MS)).toMatchObject({ creditReportId: 'r1' })
      await expect(take(keyOf('a'), { nowMs: START_MS + DAY_MS })).rejects.toBeInstanceOf(KeyInUse)
      expect(await find(keyOf('a'), START_MS + DAY_MS + 1)).toBeNull()
      await take(keyOf('a', { fingerprint: 'other' }), {
        creditReportId: 'r2',
        answer,
        nowMs: START_MS + DAY_MS + 1,
      })
      expect(await find(keyOf('a'), START_MS + 2 * DAY_MS + 1)).toMatchObject({
        creditReportId: 'r2',
        fingerprint: 'other',
        answer,
      })
    })

    test('is found under the secret before the current one, and not taken under the current one, for its day', async () => {
      await take(keyOf('a'))
      expect(await find(renewed('a'))).toMatchObject({ creditReportId: 'r1' })
      const again = (nowMs: number) => take(renewed('a'), { creditReportId: 'r2', nowMs })
      await expect(again(START_MS + DAY_MS)).rejects.toBeInstanceOf(KeyInUse)
      await again(START_MS + DAY_MS + 1)
      expect(await find(renewed('a'), START_MS + DAY_MS + 1)).toMatchObject({ creditReportId: 'r2' })
    })

    test('while secrets are replaced, a new one is taken once', async () => {
      await take(renewed('b'))
      await expect(take(renewed('b'))).rejects.toBeInstanceOf(KeyInUse)
      expect(await find(renewed('b'))).toMatchObject({ scope: 'new b', fingerprint: 'new body' })
    })
  })

  describe('what a key in use stands for', () => {
    const use = (key: IdempotencyKey | null, error: unknown) => findUse(database, key, { error, nowMs: START_MS })

    test('is repeated for the same body, and refused for another', async () => {
      await take(keyOf('a'), { answer })
      expect(await use(keyOf('a'), new KeyInUse())).toMatchObject({ creditReportId: 'r1', answer })
      const other = keyOf('a', { fingerprint: 'other' })
      await expect(use(other, new KeyInUse())).rejects.toThrow('was used with another body')
    })

    test('is to be asked for again when it was freed meanwhile', async () => {
      await expect(use(keyOf('a'), new KeyInUse())).rejects.toMatchObject({ code: 'request-in-progress' })
    })

    test('is not looked for after any other error, or without a key', async () => {
      await take(keyOf('a'), { answer })
      const [failure, inUse] = [new Error('disk full'), new KeyInUse()]
      await expect(use(keyOf('a'), failure)).rejects.toBe(failure)
      await expect(use(null, inUse)).rejects.toBe(inUse)
    })
  })

  test('an answer is kept once, with the balance as it is then, for every key of its report', async () => {
    await take(keyOf('a'))
    await take(keyOf('b'), { creditReportId: 'r2' })
    const given = { creditReportId: 'r1', tenantId: 'acme', outcome: 'complete', costCredits: 500, sends: 1 } as const
    expect(await keepAnswer(database, given)).toBe(700)
    const kept = { outcome: 'complete', costCredits: 500, balanceCredits: 700, sends: 1 }
    expect((await find(keyOf('a')))?.answer).toEqual(kept)
    expect((await find(keyOf('b')))?.answer).toBeNull()
    expect(await keepAnswer(database, { ...given, outcome: 'blocked' })).toBe(0)
    expect((await find(keyOf('a')))?.answer).toEqual(kept)
  })

  test('an unfinished use of its report is dropped; a finished one, and another report’s, stays', async () => {
    await take(keyOf('a'))
    await take(keyOf('b'), { creditReportId: 'r2' })
    await take(keyOf('c'), { answer })
    await dropUnfinishedKey(database, 'r1')
    expect((await stored()).map(({ scope }) => scope)).toEqual(['b', 'c'])
  })

  test('keys are forgotten after their day, and not before', async () => {
    await take(keyOf('a'))
    await take(keyOf('b'), { nowMs: START_MS + 1 })
    expect(await forgetOldKeys(database, START_MS + DAY_MS)).toBe(0)
    expect(await forgetOldKeys(database, START_MS + DAY_MS + 1)).toBe(1)
    expect((await stored()).map(({ scope }) => scope)).toEqual(['b'])
  })
})
