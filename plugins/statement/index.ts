// The ledger as finance reads it: lines, monthly statements, open holds, and the check that the books balance.
import type { Clock } from '../../kit/clock.ts'
import type { Log } from '../../service/log.ts'
import type { Plugin } from '../../service/plugin.ts'
import type { Database } from '../../service/store/database.ts'
import type { Telemetry } from '../../service/telemetry.ts'
import { walletActs } from './acts.ts'
import { createBooksCheck } from './check-books.ts'
import { statementRows } from './operations.ts'
import { statementRoutes } from './routes.ts'
import { statementTables } from './tables.ts'
import { ledgerCommand, reconcileCommand } from './wallet-commands.ts'

export type StatementOptions = { database: Database; clock: Clock; log: Log; telemetry: Pick<Telemetry, 'set'> }

export function statement({ database, clock, log, telemetry }: StatementOptions): Plugin {
  const onChecked = (broken: number) => telemetry.set('books_broken', broken)
  return {
    name: 'statement',
    tables: [statementTables],
    serve: async () => ({ routes: statementRoutes({ database, clock }), rows: [statementRows] }),
    sweeps: () => ({ books: createBooksCheck({ database, clock, log, onChecked }) }),
    acts: walletActs,
    commands: [ledgerCommand, reconcileCommand],
  }
}
