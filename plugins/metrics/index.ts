// Numbers for the operator's Prometheus. `createMetrics` makes the telemetry that the core reports to; the plugin
// serves it.
import type { Clock } from '../../kit/clock.ts'
import type { Config } from '../../service/config.ts'
import type { Plugin } from '../../service/plugin.ts'
import type { Database } from '../../service/store/database.ts'
import type { Metrics } from './metrics.ts'
import { metricsRoute } from './metrics-route.ts'
import { metricsRows } from './operations.ts'

export type MetricsOptions = { config: Config; database: Database; clock: Clock; metrics: Metrics }

export function metricsPlugin({ config, database, clock, metrics }: MetricsOptions): Plugin {
  metrics.watchDatabase(database, clock)
  return {
    name: 'metrics',
    heard: (_whose, what) => metrics.heard(what),
    serve: async () => ({
      routes: metricsRoute({ ...config, metrics, token: config.metricsToken }),
      rows: [metricsRows],
    }),
  }
}
