// Failed sign-ins at one account, counted per hour of the clock for all processes together. The audit trail has a line
// for each of the first twenty within an hour; an hour with many ends with a line that says how many there were.
import { type Clock, DAY_MS, HOUR_MS } from '../../kit/clock.ts'
import { writeAudit } from '../../plugins/audit/store.ts'
import type { Account } from '../../service/http/context.ts'
import type { Database } from '../../service/store/database.ts'
import type { Users } from './users.ts'

/** Up to so many in each of two hours of the clock, and every one of them has a line of its own. */
const LINES_MAX = 10
const SUBJECT = 'failed sign-ins '
/** A count is kept for so long after its hour: the sweeper reads it then. */
const KEPT_MS = DAY_MS

type CountRow = { subject: string; tries: number }

export type FailedSignIns = ReturnType<typeof createFailedSignIns>

export function createFailedSignIns({ database, clock, users }: { database: Database; clock: Clock; users: Users }) {
  async function report(subject: string, nowMs: number): Promise<void> {
    const [userId = ''] = subject.slice(SUBJECT.length).split(' ')
    const account = await users.findAccount('id', userId)
    await database.transaction(async (queries) => {
      // Of two processes at once, one has the row.
      const row = await queries.first<CountRow>(
        'DELETE FROM guess WHERE subject = ? AND ends_at_ms <= ? RETURNING subject, tries',
        subject,
        nowMs + KEPT_MS,
      )
      if (row === null || row.tries <= LINES_MAX || account === undefined) return
      const { name, email, tenantIds } = account
      const line = { actorKind: 'unknown', actorId: null, actorName: name, actorEmail: email, address: null } as const
      const what = { action: 'sign-in.try', object: userId, outcome: '400' } as const
      const change = { from: null, to: { 'failed sign-ins': row.tries } }
      for (const tenantId of tenantIds.length > 0 ? tenantIds : [null]) {
        await writeAudit(queries, { atMs: nowMs, tenantId, ...line, ...what, change })
      }
    })
  }

  return {
    async count({ userId }: Pick<Account, 'userId'>): Promise<void> {
      const hour = Math.floor(clock() / HOUR_MS)
      await database.run(
        `INSERT INTO guess (subject, tries, ends_at_ms) VALUES (?, 1, ?)
         ON CONFLICT (subject) DO UPDATE SET tries = guess.tries + 1`,
        `${SUBJECT}${userId} ${hour}`,
        (hour + 1) * HOUR_MS + KEPT_MS,
      )
    },

    /** A task of the sweeper: resolves to how many hours are over. */
    async reportOver(): Promise<number> {
      const nowMs = clock()
      const over = await database.all<CountRow>(
        `SELECT subject, tries FROM guess WHERE subject LIKE '${SUBJECT}%' AND ends_at_ms <= ?`,
        nowMs + KEPT_MS,
      )
      for (const { subject } of over) await report(subject, nowMs)
      return over.length
    },
  }
}
