import { CLOCK_SKEW_MAX_MS } from '../../kit/clock.ts'
import { countEach, SWEEP_ROWS_MAX } from '../store/sweep-rows.ts'
import { isExpired } from './challenge.ts'
import type { CheckOptions } from './check-options.ts'
import { endWithout, expireChallenge } from './end-report.ts'
import { dropUnfinishedKey } from './idempotency.ts'
import { settlePending, toReport, won } from './store.ts'
import type { ReportRow } from './tables.ts'

/** Time for which a report whose worker died waits for a retry before its hold is released. */
const ABANDONED_AFTER_MS = 60_000

type SweepOptions = Pick<CheckOptions, 'database' | 'clock' | 'settings' | 'plugins'>

/**
 * Ends challenges that were not answered in time, whose bureaus did not answer, or whose times are in the future
 * because a clock was wrong.
 */
export async function expireChallenges(options: SweepOptions): Promise<number> {
  const { database, clock, settings } = options
  const nowMs = clock()
  const lifetimeMs = settings.challengeLifetimeMs
  const rows = await database.all<ReportRow>(
    // The first condition on status only makes the planner use the partial index credit_report_open.
    `SELECT * FROM credit_report WHERE test = 0 AND status IN ('pending', 'challenged') AND status = 'challenged'
       AND COALESCE(sent_3_at_ms, sent_2_at_ms, sent_1_at_ms) NOT BETWEEN ? AND ?
       AND COALESCE(lease_until_ms, 0) < ? ORDER BY id LIMIT ?`,
    nowMs - lifetimeMs,
    nowMs + CLOCK_SKEW_MAX_MS,
    nowMs,
    SWEEP_ROWS_MAX,
  )
  return countEach(rows, async (row) => {
    const was = toReport(row)
    const moment = { nowMs, lifetimeMs }
    return isExpired(was.challenge, moment) && expireChallenge(options, was, moment)
  })
}

/** Gives the holds of reports back whose worker died and whose caller did not come back. */
export async function failAbandoned(options: SweepOptions): Promise<number> {
  const { database, clock, plugins } = options
  const nowMs = clock()
  const rows = await database.all<ReportRow>(
    `SELECT * FROM credit_report WHERE test = 0 AND status IN ('pending', 'challenged') AND status = 'pending'
       AND lease_until_ms < ? ORDER BY id LIMIT ?`,
    nowMs - ABANDONED_AFTER_MS,
    SWEEP_ROWS_MAX,
  )
  return countEach(rows, async (row) => {
    const report = toReport(row)
    const { creditReportId, leaseUntilMs } = report
    if (leaseUntilMs === null) return false
    const isEnded = await won(
      database.batch(report.tenantId, (queries) =>
        Promise.all([
          settlePending(queries, { creditReportId, leaseUntilMs, status: 'failed', reason: 'interrupted', nowMs }),
          dropUnfinishedKey(queries, creditReportId),
          endWithout(options, queries, report, { status: 'failed', ending: 'interrupted' }),
        ]),
      ),
    )
    if (isEnded) plugins.heard(report, { type: 'abandoned', ending: 'interrupted' })
    return isEnded
  })
}
