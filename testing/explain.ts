// Test support: the plans of queries, for tests that look at which index is used.
import type { Database, Queries } from '../service/store/database.ts'

/** Queries that collect the plan of each `all` in `plans` and give back no row. */
export function collectPlans(queries: Queries, { engine }: Pick<Database, 'engine'>, plans: string[]): Queries {
  const explain = engine === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'
  return {
    ...queries,
    async all(sql, ...values) {
      plans.push(JSON.stringify(await queries.all(`${explain} ${sql}`, ...values)))
      return []
    },
  }
}
