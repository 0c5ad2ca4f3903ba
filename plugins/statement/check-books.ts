// Adds the ledger up all the time, a bounded part each round, so that a balance that is not the sum of its lines is
// noticed within minutes. `reconcile` checks every rule, and everything at once.
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../kit/clock.ts'
import type { WalletRow } from '../../service/ledger/tables.ts'
import type { Log } from '../../service/log.ts'
import type { Database, Queries } from '../../service/store/database.ts'
import { BALANCE_OF_LINES } from './reconcile.ts'

/** Added up by one statement, in a millisecond: SQLite reads on the thread that answers requests. */
const PART_LINES = 1_000
/** One after the other in a round; requests are answered in between. */
const ROUND_PARTS = 20
/** Lines may be committed in another order than they are numbered; after so long none can come in between. */
const SETTLED_AFTER_MS = 60_000
/** Once everything is added up. */
const COMPARE_EVERY_MS = 60_000

type Sums = { balance: number; held: number }
type SumRow = { tenant_id: string; balance: number; held: number; last: number; many: number }

type BooksOptions = {
  database: Database
  clock: Clock
  log: Log
  /** Called with the number of lenders whose balance is not the sum of their lines. */
  onChecked: (brokenLenders: number) => void
}

/** For the sweeper. */
export function createBooksCheck({ database, clock, log, onChecked }: BooksOptions): () => Promise<number> {
  const sums = new Map<string, Sums>()
  let upTo = 0
  let comparedAtMs = 0

  return async () => {
    let isBehind = true
    for (let part = 0; isBehind && part < ROUND_PARTS; part += 1) {
      isBehind = await addPart()
      await setImmediate()
    }
    if (isBehind || Math.abs(clock() - comparedAtMs) < COMPARE_EVERY_MS) return 0
    comparedAtMs = clock()
    const broken = await findBroken()
    for (const tenantId of broken) log.error('books do not balance', { tenantId })
    onChecked(broken.length)
    return 0
  }

  /** True when there may be more settled lines. */
  async function addPart(): Promise<boolean> {
    const settled = await sumLines(database, { after: upTo, before: clock() - SETTLED_AFTER_MS, limit: PART_LINES })
    let lines = 0
    for (const row of settled) {
      add(sums, row)
      upTo = Math.max(upTo, row.last)
      lines += row.many
    }
    return lines === PART_LINES
  }

  /** The wallets, and the lines since those that are added up, as of one moment. */
  function findBroken(): Promise<string[]> {
    return database.snapshot(async (queries) => {
      const expected = new Map([...sums].map(([tenantId, { balance, held }]) => [tenantId, { balance, held }]))
      for (const row of await sumLines(queries, { after: upTo, before: null, limit: null })) add(expected, row)
      const wallets = await queries.all<WalletRow>('SELECT * FROM wallet ORDER BY tenant_id')
      return wallets.flatMap(({ tenant_id, balance_credits, held_credits }) => {
        const { balance, held } = expected.get(tenant_id) ?? { balance: 0, held: 0 }
        return balance === balance_credits && held === held_credits ? [] : [tenant_id]
      })
    })
  }
}

function add(sums: Map<string, Sums>, { tenant_id, balance, held }: SumRow): void {
  const sum = sums.get(tenant_id) ?? { balance: 0, held: 0 }
  sums.set(tenant_id, { balance: sum.balance + balance, held: sum.held + held })
}

type Window = {
  /** The number of a line. */
  after: number
  /** Ends with the line before the first that is younger. Null: no end. */
  before: number | null
  limit: number | null
}

function sumLines(queries: Queries, { after, before, limit }: Window): Promise<SumRow[]> {
  const columns = 'sequence, tenant_id, kind, credits, created_at_ms'
  const firstYoung = 'SELECT MIN(sequence) FROM next WHERE created_at_ms >= ?'
  return queries.all<SumRow>(
    `WITH next AS (SELECT ${columns} FROM wallet_line WHERE sequence > ? ORDER BY sequence ${limit === null ? '' : 'LIMIT ?'})
     SELECT tenant_id, ${BALANCE_OF_LINES}, MAX(sequence) AS last, COUNT(*) AS many FROM next
     ${before === null ? '' : `WHERE sequence < COALESCE((${firstYoung}), sequence + 1)`} GROUP BY tenant_id`,
    after,
    ...(limit === null ? [] : [limit]),
    ...(before === null ? [] : [before]),
  )
}
