// Numbers that stand in the database: read when they are collected, so that every process says the same.
import { type Clock, DAY_MS } from '../../kit/clock.ts'
import type { Database } from '../../service/store/database.ts'

/** An installation may have thousands of lenders. */
const TENANTS_SHOWN_MAX = 50

const TOTALS = `SELECT
  (SELECT CAST(COALESCE(SUM(balance_credits), 0) AS BIGINT) FROM wallet) AS spendable,
  (SELECT CAST(COALESCE(SUM(held_credits), 0) AS BIGINT) FROM wallet) AS held,
  (SELECT COUNT(*) FROM credit_report WHERE test = 0 AND status IN ('pending', 'challenged')) AS open_reports,
  (SELECT COUNT(*) FROM text_message WHERE status IN ('queued', 'accepted') AND status = 'queued') AS queued,
  (SELECT MIN(created_at_ms) FROM text_message WHERE status IN ('queued', 'accepted') AND status = 'queued') AS oldest,
  (SELECT COUNT(*) FROM text_message WHERE status IN ('queued', 'accepted') AND status = 'accepted') AS accepted,
  (SELECT COUNT(*) FROM webhook_delivery WHERE status = 'queued') AS webhooks,
  (SELECT MIN(queued_at_ms) FROM webhook_delivery WHERE status = 'queued') AS oldest_webhook,
  (SELECT COUNT(*) FROM audit_event WHERE link_position IS NULL) AS unlinked,
  (SELECT MIN(created_at_ms) FROM audit_event WHERE link_position IS NULL) AS oldest_unlinked,
  (SELECT COUNT(*) FROM audit_head WHERE verified_problem IS NOT NULL) AS broken_chains,
  (SELECT at_ms FROM backup_time) AS backed_up`

type Totals = {
  spendable: number
  held: number
  open_reports: number
  queued: number
  oldest: number | null
  accepted: number
  webhooks: number
  oldest_webhook: number | null
  unlinked: number
  oldest_unlinked: number | null
  broken_chains: number
  backed_up: number | null
}

// Only lenders with recent activity: an empty wallet of a lender that has left is no emergency.
const POOREST = `SELECT tenant_id, balance_credits, held_credits FROM wallet
  WHERE EXISTS (SELECT 1 FROM spend WHERE spend.tenant_id = wallet.tenant_id AND day_started_at_ms >= ?)
  ORDER BY balance_credits, tenant_id LIMIT ?`

type Poor = { tenant_id: string; balance_credits: number; held_credits: number }

const BIGGEST = `SELECT tenant_id, purpose, day_credits FROM spend WHERE day_started_at_ms = ? AND day_credits > 0
  ORDER BY day_credits DESC, tenant_id LIMIT ?`

type Big = { tenant_id: string; purpose: string; day_credits: number }

type Read = Pick<Database, 'first' | 'all' | 'load'>

/** A number, or one for each value of its labels. */
export type Gauge = { set(value: number): void; set(labels: { [name: string]: string }, value: number): void }
type Fill = (gauge: Gauge) => Promise<void> | void
/** Makes a gauge that is empty until `fill` sets it, each time that the numbers are collected. */
type AddGauge = (name: string, help: string, fill: Fill, labelNames?: string[]) => void

export function watchDatabase(gauge: AddGauge, database: Read, clock: Clock): void {
  const readTotals = shared(() => database.first<Totals>(TOTALS))
  const ofTotals = (fill: (gauge: Gauge, row: Totals) => void) => async (gauge: Gauge) => {
    const row = await readTotals()
    if (row !== null) fill(gauge, row)
  }

  const credits = ofTotals((gauge, row) => {
    gauge.set({ state: 'spendable' }, row.spendable)
    gauge.set({ state: 'held' }, row.held)
  })
  gauge('wallet_credits', 'Credits of all tenants: spendable, and held for reports and texts', credits, ['state'])
  const openReports = ofTotals((gauge, row) => gauge.set(row.open_reports))
  gauge('reports_open', 'Open live reports: each holds credits', openReports)
  const texts = ofTotals((gauge, row) => {
    gauge.set({ state: 'queued' }, row.queued)
    gauge.set({ state: 'accepted' }, row.accepted)
  })
  gauge('outbox_texts', 'Texts not settled yet: queued for the gateway, or waiting for a receipt', texts, ['state'])
  const ageSeconds = (sinceMs: number | null) => (sinceMs === null ? 0 : Math.max(0, clock() - sinceMs) / 1000)
  const oldest = ofTotals((gauge, row) => gauge.set(ageSeconds(row.oldest)))
  gauge('outbox_oldest_seconds', 'Age of the oldest text the gateway has not taken', oldest)
  const webhooks = ofTotals((gauge, row) => gauge.set(row.webhooks))
  gauge('webhooks_queued', 'Webhooks not delivered yet and not parked', webhooks)
  const oldestWebhook = ofTotals((gauge, row) => gauge.set(ageSeconds(row.oldest_webhook)))
  gauge('webhooks_oldest_seconds', 'Age of the oldest of them', oldestWebhook)

  const unlinked = ofTotals((gauge, row) => gauge.set(row.unlinked))
  gauge('audit_unlinked_events', 'Events of the audit trail that are not linked yet', unlinked)
  const oldestUnlinked = ofTotals((gauge, row) => gauge.set(ageSeconds(row.oldest_unlinked)))
  gauge('audit_unlinked_oldest_seconds', 'Age of the oldest of them', oldestUnlinked)
  const brokenChains = ofTotals((gauge, row) => gauge.set(row.broken_chains))
  gauge('audit_chains_broken', 'Chains of the audit trail in which the daily check found something', brokenChains)

  const backedUp = ofTotals((gauge, row) =>
    gauge.set(row.backed_up === null ? Number.POSITIVE_INFINITY : ageSeconds(row.backed_up)),
  )
  gauge(
    'backup_age_seconds',
    'Age of the newest backup that "admin backup" made or "admin backed-up" recorded',
    backedUp,
  )

  const startOfDay = () => clock() - (clock() % DAY_MS)
  const biggest = async (gauge: Gauge) => {
    for (const row of await database.all<Big>(BIGGEST, startOfDay(), TENANTS_SHOWN_MAX))
      gauge.set({ tenant: row.tenant_id, purpose: row.purpose }, row.day_credits)
  }
  const spent = `Credits spent since midnight UTC by the ${TENANTS_SHOWN_MAX} biggest spenders, as the spend caps count them`
  gauge('tenant_spent_credits', spent, biggest, ['tenant', 'purpose'])

  const poorest = async (gauge: Gauge) => {
    for (const row of await database.all<Poor>(POOREST, startOfDay() - DAY_MS, TENANTS_SHOWN_MAX)) {
      gauge.set({ tenant: row.tenant_id, state: 'spendable' }, row.balance_credits)
      gauge.set({ tenant: row.tenant_id, state: 'held' }, row.held_credits)
    }
  }
  const help = `Credits of the ${TENANTS_SHOWN_MAX} tenants with the least left, of those that spent any today or yesterday`
  gauge('tenant_credits', help, poorest, ['tenant', 'state'])
  const connections = (gauge: Gauge) => {
    const { inUse, waiting } = database.load()
    gauge.set({ state: 'in-use' }, inUse)
    gauge.set({ state: 'waiting' }, waiting)
  }
  gauge('database_connections', 'Connections in use, and requests waiting for one', connections, ['state'])
}

/** Concurrent callers share one query. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | null = null
  return () => {
    reading ??= read().finally(() => {
      reading = null
    })
    return reading
  }
}
