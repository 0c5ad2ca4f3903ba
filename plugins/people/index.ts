// The lender's duties to people: erasure, export, retention and the index of reports by person. For lenders and
// auditors.
import type { Clock } from '../../kit/clock.ts'
import type { Config } from '../../service/config.ts'
import type { Keys } from '../../service/keys.ts'
import type { Log } from '../../service/log.ts'
import type { Plugin } from '../../service/plugin.ts'
import type { Database } from '../../service/store/database.ts'
import type { Telemetry } from '../../service/telemetry.ts'
import { peopleActs } from './acts.ts'
import { createContentCheck } from './check-contents.ts'
import { peopleRows } from './operations.ts'
import { forgetPerson, indexPerson } from './people.ts'
import { eraseCommand, personEraseCommand, personFindCommand } from './people-commands.ts'
import { createRetention } from './retention.ts'
import { peopleRoutes } from './routes.ts'
import { peopleTables } from './tables.ts'

export type PeopleOptions = {
  config: Config
  database: Database
  clock: Clock
  log: Log
  keys: Keys
  telemetry: Pick<Telemetry, 'set'>
}

export function people({ config, database, clock, log, keys, telemetry }: PeopleOptions): Plugin {
  return {
    name: 'people',
    tables: [peopleTables],
    on: {
      begin: (queries, { tenantId, creditReportId, consumer: person }) =>
        indexPerson(queries, keys.indexes, { tenantId, creditReportId, person }),
      erase: forgetPerson,
    },
    serve: async (core) => ({ routes: peopleRoutes(core), rows: [peopleRows] }),
    sweeps() {
      const retention = createRetention({ database, clock, reportRetentionMs: config.reportRetentionMs })
      const onUnreadable = (count: number) => telemetry.set('reports_unreadable', count)
      return {
        unreadableReports: createContentCheck({ database, keys, log, onUnreadable }),
        oldReports: retention.eraseOldReports,
        oldReportsOfTenants: retention.eraseOldOfTenants,
        oldTestReports: retention.deleteOldTestReports,
      }
    },
    acts: peopleActs,
    commands: [eraseCommand, personFindCommand, personEraseCommand],
  }
}
