// Figures about checks, versions of our packages and what a lender's own server found wrong: for lenders and
// developers.
import type { Clock } from '../../kit/clock.ts'
import { requireMode } from '../../service/http/access.ts'
import { serve } from '../../service/http/serve.ts'
import type { Log } from '../../service/log.ts'
import type { Plugin } from '../../service/plugin.ts'
import type { Database } from '../../service/store/database.ts'
import { countCheck } from './count-checks.ts'
import { writeDoctorReport } from './doctor.ts'
import { doctorReportTables } from './doctor-tables.ts'
import { statsRows } from './operations.ts'
import { type ReadSpending, statsRoutes } from './routes.ts'
import { createStats, forgetOldStats, type Stats } from './stats.ts'
import { statTables } from './tables.ts'
import { createVersions, type Versions } from './versions.ts'

export type StatsOptions = {
  database: Database
  clock: Clock
  log: Log
  /** From the plugin `statement`. @default none: the figures say nothing of money */
  readSpending?: ReadSpending
}

/** `counters` and `versions` are for the console. */
export function stats({
  database,
  clock,
  log,
  readSpending,
}: StatsOptions): Plugin & { counters: Stats; versions: Versions } {
  const counters = createStats({ database, clock, log })
  const versions = createVersions({ database, clock })
  return {
    name: 'stats',
    counters,
    versions,
    tables: [statTables, doctorReportTables],
    heard(whose, what) {
      if (what.type === 'requested') versions.see(whose, what.headers)
      else countCheck(counters, whose, what)
    },
    async serve() {
      const routes = statsRoutes({
        database,
        stats: counters,
        readSpending: readSpending ?? null,
        onVersions: versions.see,
      })
      serve(routes, statsRows.operations.reportDoctor, async (context, { test, findings }) => {
        requireMode(context, { test })
        await writeDoctorReport(database, { tenantId: context.get('tenantId'), test, findings, nowMs: clock() })
      })
      return { routes, rows: [statsRows] }
    },
    sweeps: () => ({ oldStats: () => forgetOldStats(database, clock()), oldVersions: versions.forgetOld }),
    start: () => counters.start(),
  }
}
