// Test support: what every database promises, on each engine and behind a pooler.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTenant } from '../service/ledger/tenants.ts'
import { ConstraintViolation, type Database, type Queries } from '../service/store/database.ts'
import type { Columns } from '../service/store/rows.ts'
import { ALL_COLUMNS } from './open-database.ts'
import { REPORT_COLUMNS, reportValues } from './report-rows.ts'

const NOW_MS = 1_700_000_000_000

export function describeStore(name: string, open: () => Promise<Database>): void {
  describe(`${name}: what every engine promises`, () => {
    let database: Database
    beforeAll(async () => {
      database = await open()
      await createTenant(database, { id: 'tenant', name: 'Tenant', nowMs: NOW_MS })
    })
    afterAll(() => database.close())

    const insert = (id: string) =>
      ['INSERT INTO migration (name, applied_at_ms) VALUES (?, ?)', `test ${id}`, NOW_MS] as const
    const find = (id: string) => database.first('SELECT * FROM migration WHERE name = ?', `test ${id}`)

    test.each(Object.entries(ALL_COLUMNS))('%s has the columns that are read of it', async (table, columns) => {
      // More is fine: the portal has columns of its own in the service's tables.
      expect(await readColumns(database, table)).toMatchObject(columns)
    })

    test('values come back as they went in', async () => {
      const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
      const content = Uint8Array.of()
      await database.transaction(async (queries) => {
        await queries.run(
          `INSERT INTO credit_report (id, tenant_id, test, status, created_at_ms, ${REPORT_COLUMNS})
           VALUES ('values', 'tenant', 1, 'complete', ?, ${reportValues('complete')})`,
          Number.MAX_SAFE_INTEGER,
        )
        await queries.run(
          'INSERT INTO sealed_report (report_id, wrapped_key, content) VALUES (?, ?, ?)',
          'values',
          bytes,
          content,
        )
      })
      const row = await database.first(
        'SELECT * FROM credit_report JOIN sealed_report ON report_id = id WHERE id = ?',
        'values',
      )
      expect(row).toMatchObject({ created_at_ms: Number.MAX_SAFE_INTEGER, test: 1, challenge_id: null })
      expect(new Uint8Array(row?.wrapped_key as Uint8Array)).toEqual(bytes)
      expect(new Uint8Array(row?.content as Uint8Array)).toEqual(content)
    })

    test('text is text, whatever is in it', async () => {
      const text = `quotes ' " \\ ; -- $1 \u{1f600} é`
      await createTenant(database, { id: 'text', name: text, nowMs: NOW_MS })
      expect(await database.first('SELECT name FROM tenant WHERE id = ?', 'text')).toMatchObject({ name: text })
    })

    test('counts and sums are numbers', async () => {
      const row = await database.first(
        'SELECT COUNT(*) AS many, CAST(SUM(applied_at_ms) AS BIGINT) AS total FROM migration',
      )
      expect(typeof row?.many).toBe('number')
      expect(typeof row?.total).toBe('number')
    })

    test('run says how many rows it changed, first says null when there is none', async () => {
      expect(await database.run(...insert('run'))).toBe(1)
      expect(await database.run('UPDATE migration SET applied_at_ms = 1 WHERE name = ?', 'no such')).toBe(0)
      expect(await find('no such')).toBeNull()
      expect(await database.all('SELECT name FROM migration WHERE name = ?', 'no such')).toEqual([])
    })

    test('a write with RETURNING gives its rows back', async () => {
      const row = await database.first(
        `INSERT INTO migration (name, applied_at_ms) VALUES (?, ?) RETURNING name`,
        'test returning',
        1,
      )
      expect(row).toEqual({ name: 'test returning' })
    })

    test('a transaction that throws leaves nothing behind, and says what was thrown', async () => {
      const broken = database.transaction(async (queries) => {
        await queries.run(...insert('thrown'))
        throw new RangeError('on purpose')
      })
      await expect(broken).rejects.toThrow(RangeError)
      expect(await find('thrown')).toBeNull()
    })

    test('a broken rule is named, and takes its transaction with it', async () => {
      const broken = database.transaction(async (queries) => {
        await queries.run(...insert('broken rule'))
        await queries.run(`UPDATE wallet SET balance_credits = -1 WHERE tenant_id = 'tenant'`)
      })
      const error = await broken.catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(ConstraintViolation)
      expect(error).toMatchObject({ constraint: 'wallet_balance_not_negative' })
      expect(await find('broken rule')).toBeNull()
    })

    test('of many transactions at once, those that fail do not harm those that succeed', async () => {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 60 }, (_, index) =>
          database.transaction(async (queries) => {
            await queries.run(...insert(`at once ${index}`))
            if (index % 3 === 0) throw new Error('on purpose')
            // A rule that breaks in one must not end its neighbours' transaction either.
            if (index % 3 === 1) await queries.run(...insert(`at once ${index}`))
            return index
          }),
        ),
      )
      const kept = await database.all(`SELECT name FROM migration WHERE name LIKE 'test at once %'`)
      const succeeded = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
      expect(succeeded).toHaveLength(20)
      expect(kept.map((row) => row.name).sort()).toEqual(succeeded.map((index) => `test at once ${index}`).sort())
    })

    const refusal = { error: () => new RangeError('refused') }
    const change = 'UPDATE migration SET applied_at_ms = 2 WHERE name = ?'

    test('a batch is one transaction, and each statement sees those before it', async () => {
      const [inserted, changed, row, none] = await database.batch('tenant', (queries) =>
        Promise.all([
          queries.run(...insert('batch')),
          queries.must(refusal, `${change} RETURNING applied_at_ms`, 'test batch'),
          queries.must(refusal, 'SELECT applied_at_ms FROM migration WHERE name = ?', 'test batch'),
          queries.all('SELECT name FROM migration WHERE name = ?', 'no such'),
        ]),
      )
      expect([inserted, changed, row, none]).toEqual([1, { applied_at_ms: 2 }, { applied_at_ms: 2 }, []])
      expect(await find('batch')).toMatchObject({ applied_at_ms: 2 })
    })

    test.each([change, `${change} RETURNING name`, 'SELECT name FROM migration WHERE name = ?'])(
      'what must change or find something and does not undoes its batch: %s',
      async (sql) => {
        const broken = database.batch('tenant', (queries) =>
          Promise.all([
            queries.run(...insert('undone')),
            queries.must(refusal, sql, 'no such'),
            // Never reached, or it would be another error.
            queries.run('INSERT INTO migration (name) VALUES (?)', 'undone'),
          ]),
        )
        await expect(broken).rejects.toThrow('refused')
        expect(await find('undone')).toBeNull()
      },
    )

    test('a rule that equals “nothing to change” gives the same error, in a transaction too', async () => {
      const overdraw = (queries: Queries) =>
        queries.must(
          { ...refusal, constraint: 'wallet_balance_not_negative' },
          `UPDATE wallet SET balance_credits = -1 WHERE tenant_id = ?`,
          'tenant',
        )
      await expect(database.batch('tenant', overdraw)).rejects.toThrow('refused')
      await expect(database.transaction(overdraw)).rejects.toThrow('refused')
      await expect(database.transaction((queries) => queries.must(refusal, change, 'no such'))).rejects.toThrow(
        'refused',
      )
    })

    test('of many batches of one lender at once, those that fail do not harm those that succeed', async () => {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 90 }, (_, index) =>
          database.batch('tenant', async (queries) => {
            const written = queries.run(...insert(`together ${index}`))
            const checked = index % 30 === 7 ? queries.must(refusal, change, 'no such') : null
            await Promise.all([written, checked])
            return index
          }),
        ),
      )
      const failed = outcomes.flatMap((outcome, index) => (outcome.status === 'rejected' ? [index] : []))
      expect(failed).toEqual([7, 37, 67])
      expect(await database.all(`SELECT name FROM migration WHERE name LIKE 'test together %'`)).toHaveLength(87)
    })

    test('no reader sees what is not committed yet', async () => {
      let seen: unknown = 'not looked'
      await database.transaction(async (queries) => {
        await queries.run(...insert('uncommitted'))
        seen = await find('uncommitted')
        expect(await queries.first('SELECT name FROM migration WHERE name = ?', 'test uncommitted')).not.toBeNull()
      })
      expect(seen).toBeNull()
      expect(await find('uncommitted')).not.toBeNull()
    })

    test('a snapshot sees one moment', async () => {
      await database.snapshot(async (queries) => {
        const count = () => queries.first('SELECT COUNT(*) AS many FROM migration')
        const before = await count()
        await database.run(...insert('during the snapshot'))
        expect(await count()).toEqual(before)
      })
      expect(await find('during the snapshot')).not.toBeNull()
    })

    test('two writers that add to the same number lose nothing', async () => {
      await database.run(...insert('sum'))
      await database.run('UPDATE migration SET applied_at_ms = 0 WHERE name = ?', 'test sum')
      await Promise.all(
        Array.from({ length: 50 }, () =>
          database.transaction((queries) =>
            queries.run('UPDATE migration SET applied_at_ms = applied_at_ms + 1 WHERE name = ?', 'test sum'),
          ),
        ),
      )
      expect(await find('sum')).toMatchObject({ applied_at_ms: 50 })
    })
  })
}

async function readColumns(database: Database, table: string): Promise<Columns> {
  const rows =
    database.engine === 'sqlite'
      ? await database.all<{ name: string; type: string; required: number }>(
          'SELECT name, type, "notnull" + pk AS required FROM pragma_table_info(?)',
          table,
        )
      : await database.all<{ name: string; type: string; required: number }>(
          `SELECT column_name AS name, data_type AS type, CASE is_nullable WHEN 'NO' THEN 1 ELSE 0 END AS required
           FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = ?`,
          table,
        )
  return Object.fromEntries(
    rows.map(({ name, type, required }) => {
      const kind = KINDS[type.toLowerCase()] ?? 'text'
      return [name, required > 0 ? kind : (`${kind} or null` as const)]
    }),
  )
}

const KINDS: { [type: string]: 'integer' | 'blob' } = {
  integer: 'integer',
  bigint: 'integer',
  blob: 'blob',
  bytea: 'blob',
}
