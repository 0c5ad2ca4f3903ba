// Replacing SECRET_KEY: which of the keys wraps what, and wrapping it all under the first. A row says itself which key
// it is under, so the work can stop anywhere, begin again, and go on beside services that read and write.
import type { KeyList } from '../../kit/keys.ts'
import { KEY_ID_BYTES, keyId, rewrap } from '../../kit/seal.ts'
import type { SealedTable } from '../../service/plugin.ts'
import type { Database } from '../../service/store/database.ts'

/** Rows in one transaction: few enough that no one waits for it. */
export const REWRAP_ROWS_MAX = 200

/** The number of rows that each key wraps, in the order of the keys, and of rows that no key opens. */
export async function countByKey(
  database: Database,
  { table, wrappedKey, keys }: SealedTable,
  secretKeys: KeyList,
): Promise<{ counts: number[]; unknown: number }> {
  const rows = await database.all<{ key_id: Uint8Array; many: number }>(
    `SELECT SUBSTR(${wrappedKey}, 1, ${KEY_ID_BYTES}) AS key_id, COUNT(*) AS many FROM ${table}
     WHERE ${wrappedKey} IS NOT NULL GROUP BY 1`,
  )
  const counted = new Map(rows.map(({ key_id, many }) => [Buffer.from(key_id).toString('hex'), many]))
  const counts = keys(secretKeys).map((key) => counted.get(keyId(key).toString('hex')) ?? 0)
  const total = [...counted.values()].reduce((sum, many) => sum + many, 0)
  return { counts, unknown: total - counts.reduce((sum, many) => sum + many, 0) }
}

/** Wraps every row of the table under the first key; tells after each step how many it has done. */
export async function rewrapTable(
  database: Database,
  sealed: SealedTable,
  { secretKeys, onStep }: { secretKeys: KeyList; onStep(done: number): void },
): Promise<void> {
  let after = ''
  let done = 0
  for (;;) {
    const step = await rewrapSome(database, sealed, { secretKeys, after })
    if (step === null) return
    after = step.last
    done += step.changed
    onStep(done)
  }
}

async function rewrapSome(
  database: Database,
  { table, id, wrappedKey, tenant, keys }: SealedTable,
  { secretKeys, after }: { secretKeys: KeyList; after: string },
): Promise<{ last: string; changed: number } | null> {
  const wrappingKeys = keys(secretKeys)
  // In the order of their ids, so that no row is read twice.
  const rows = await database.all<{ row_id: string; tenant: string; wrapped: Uint8Array }>(
    `SELECT ${id} AS row_id, ${tenant} AS tenant, ${wrappedKey} AS wrapped FROM ${table}
     WHERE ${id} > ? AND ${wrappedKey} IS NOT NULL AND SUBSTR(${wrappedKey}, 1, ${KEY_ID_BYTES}) <> ?
     ORDER BY ${id} LIMIT ${REWRAP_ROWS_MAX}`,
    after,
    keyId(wrappingKeys[0]),
  )
  const last = rows.at(-1)
  if (last === undefined) return null
  const changed = await database.transaction(async (queries) => {
    let written = 0
    for (const { row_id: rowId, tenant: tenantId, wrapped } of rows) {
      const place = { tenantId, rowId }
      // Changes only rows that are as they were read: a service may have resealed or erased them meanwhile.
      const sql = `UPDATE ${table} SET ${wrappedKey} = ? WHERE ${id} = ? AND ${wrappedKey} = ?`
      written += await queries.run(sql, rewrap(wrappingKeys, place, wrapped), rowId, wrapped)
    }
    return written
  })
  return { last: last.row_id, changed }
}
