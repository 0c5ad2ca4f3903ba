// Limits beyond the interface document, for operators and lenders: texts and searches per person and network, spend
// caps with their alerts, each network's share of a lender's requests, and the gates that shed load.

import type { Clock } from '../../kit/clock.ts'
import type { KeyList } from '../../kit/keys.ts'
import type { Config } from '../../service/config.ts'
import { createRateLimiter } from '../../service/http/rate-limit.ts'
import { createTenantLimits } from '../../service/ledger/tenants.ts'
import type { Log } from '../../service/log.ts'
import type { Plugin } from '../../service/plugin.ts'
import type { Queries } from '../../service/store/database.ts'
import { limitActs } from './acts.ts'
import { capRoutes } from './cap-routes.ts'
import { capRows } from './operations.ts'
import { createRequestCounters } from './requests.ts'
import { createSearchLimit, forgetOldSearches } from './searches.ts'
import { createGates, loadOf, shed } from './shed.ts'
import { announceAlerts, noteThresholds } from './spend-alerts.ts'
import { countSpend, enrol, explainCap, uncountSpend } from './spend-caps.ts'
import { limitTables } from './tables.ts'
import { forgetOldClaims } from './text-claims.ts'
import { createTextGuard, explainText } from './text-guard.ts'
import type { TextSettings } from './text-settings.ts'

export type LimitOptions = {
  config: Config
  database: Queries
  clock: Clock
  log: Log
  /** Turns people, numbers and addresses into indexes. */
  indexes: KeyList
  texts: TextSettings
  /** A simulated bureau marks no file, and a simulated text costs nothing: neither is limited. */
  isBureauLive: boolean
  isSmsLive: boolean
}

export function limits(options: LimitOptions): Plugin {
  const { config, database, clock, log, indexes, texts, isBureauLive, isSmsLive } = options
  const searches = createSearchLimit({ clock, key: indexes[0], max: config.searchesPerPersonPerDay })
  const guardText = createTextGuard({ key: indexes[0], ...texts, log })
  const limitOf = createTenantLimits({ database, clock, fallback: config.rateLimitPerMinute })
  const gates = createGates(config.gate)
  return {
    name: 'limits',
    tables: [limitTables],
    on: {
      hold: (queries, spending) => Promise.all([countSpend(queries, spending), noteThresholds(queries, spending)]),
      enrol,
      async end(queries, { creditReportId, test }, { status }) {
        if (status === 'complete' && !test) await uncountSpend(queries, creditReportId)
        if (status === 'blocked' && isBureauLive) await searches.giveBack(queries, creditReportId)
      },
      ...(isSmsLive && { text: guardText }),
      ...(isBureauLive && {
        begin: async (queries, check) => (check.test ? null : searches.claim(queries, check)),
        search: searches.claimProved,
        challenge: (queries, { creditReportId }) => searches.giveBack(queries, creditReportId),
        abandon: async (queries, { creditReportId }, isSearched) =>
          !isSearched && searches.giveBack(queries, creditReportId),
      }),
    },
    ...createRequestCounters({ clock, limitOf, limiter: createRateLimiter({ database, clock }) }),
    explain: async (queries, error) =>
      explainCap(queries, await explainText(queries, await searches.explain(queries, error)), config),
    edge({ telemetry }) {
      telemetry.watch('http_requests_running', 'Requests being worked on', () => loadOf(gates).running)
      telemetry.watch('http_requests_waiting', 'Requests waiting for their turn', () => loadOf(gates).waiting)
      return shed(gates, telemetry)
    },
    serve: async (core) => ({
      routes: capRoutes(core),
      rows: [capRows],
    }),
    sweeps: (core) => ({
      spendAlerts: () => announceAlerts(core.database, core.announce, clock()),
      oldSearches: () => forgetOldSearches(core.database, clock()),
      oldTextClaims: () => forgetOldClaims(core.database, clock()),
    }),
    acts: limitActs,
  }
}
