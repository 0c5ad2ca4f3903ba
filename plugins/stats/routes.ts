import { Hono } from 'hono'
import { type DaySpending, STATS_DAYS_MAX } from '../../contract/stats.ts'
import { DAY_MS } from '../../kit/clock.ts'
import type { Days } from '../../kit/london.ts'
import { requireMode } from '../../service/http/access.ts'
import { validationError } from '../../service/http/api-error.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { serve } from '../../service/http/serve.ts'
import type { Database, Queries } from '../../service/store/database.ts'
import { statsRows } from './operations.ts'
import { readDayEnds, readFigures } from './read-stats.ts'
import type { StatCounters } from './stats.ts'
import type { Versions } from './versions.ts'

const { operations } = statsRows

/** A lender's spending on each of the days, from the ledger. */
export type ReadSpending = (queries: Queries, wanted: { tenantId: string } & Days) => Promise<DaySpending[]>

type StatsOptions = {
  database: Database
  stats: StatCounters
  readSpending: ReadSpending | null
  onVersions: Versions['see']
}

export function statsRoutes({ database, stats, readSpending, onVersions }: StatsOptions): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()

  serve(routes, operations.countSteps, async (context, { test, steps }) => {
    requireMode(context, { test })
    const whose = { tenantId: context.get('tenantId'), test }
    onVersions(whose, context.req.raw.headers)
    for (const { step, count, seconds } of steps) stats.add(whose, `step-${step}`, count, seconds * 1_000)
  })

  serve(routes, operations.getStats, async (context, _body, { from, to, mode }) => {
    requireMode(context, { test: mode === 'test' })
    const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
    if (days < 1 || days > STATS_DAYS_MAX) {
      const expected = `must be a day from \`from\` on, at most ${STATS_DAYS_MAX} days in all`
      throw validationError([{ path: 'to', expected }])
    }
    const wanted = { tenantId: context.get('tenantId'), test: mode === 'test', from, to }
    const [figures, ends] = [await readFigures(database, wanted), await readDayEnds(database, wanted)]
    const spending = wanted.test || readSpending === null ? {} : { spending: await readSpending(database, wanted) }
    return { from, to, mode, ...figures, days: ends, ...spending }
  })

  return routes
}
