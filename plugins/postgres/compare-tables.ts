// Checks that two databases have the same rows in every table, at a cost that a million rows allow: the number of rows,
// the sum of every number, the length of every text, and the last row in full, which for the audit trail is its head.
import type { Queries, Row, SqlValue } from '../../service/store/database.ts'
import type { Table } from './move-tables.ts'

/** The first difference, in words; null: none. `from` is SQLite, `to` PostgreSQL. */
export async function findDifference(from: Queries, to: Queries, tables: readonly Table[]): Promise<string | null> {
  for (const table of tables) {
    const sums = sumsOf(table)
    const [before, after] = [await from.first(sums), await to.first(sums)]
    for (const [what, value] of Object.entries(before ?? {})) {
      const other = after?.[what] ?? null
      if (value !== other) return `"${table.name}": ${what} ${value} in SQLite, ${other} in PostgreSQL`
    }
    const last = await readLast(from, table)
    if (last && textOf(last) !== textOf(await readRow(to, table, last))) {
      return `"${table.name}": another row at ${table.key.map((column) => last[column]).join(', ')}`
    }
  }
  return null
}

/**
 * A prime: sums of remainders stay exact in 64 bits, and one that changes by any amount that occurs changes its
 * remainder.
 */
const MODULUS = 1_000_000_007

function sumsOf({ name, columns }: Table): string {
  const sums = columns.map((column) => {
    const measure = column.type === 'INTEGER' ? `"${column.name}" % ${MODULUS}` : `LENGTH("${column.name}")`
    return `CAST(SUM(${measure}) AS TEXT) AS "sum of ${column.name}"`
  })
  return `SELECT ${['CAST(COUNT(*) AS TEXT) AS "rows"', ...sums].join(', ')} FROM ${name}`
}

async function readLast(from: Queries, { name, key }: Table): Promise<Row | null> {
  if (key[0] === 'rowid') return null
  return from.first(`SELECT * FROM ${name} ORDER BY ${key.map((column) => `${column} DESC`).join(', ')} LIMIT 1`)
}

function readRow(to: Queries, { name, key }: Table, row: Row): Promise<Row | null> {
  const values: SqlValue[] = key.map((column) => row[column] ?? null)
  return to.first(`SELECT * FROM ${name} WHERE ${key.map((column) => `${column} = ?`).join(' AND ')}`, ...values)
}

/** The engines list the columns of a widened table in different orders, and give bytes as different classes. */
function textOf(row: Row | null): string {
  const plain = Object.entries(row ?? {}).map(([column, value]) => [
    column,
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
  ])
  return JSON.stringify(plain.sort())
}
