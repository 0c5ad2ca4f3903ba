// Findings of the service about a lender's set-up, with their remedies.

import { DAY_MS } from '../../kit/clock.ts'
import type { ListedClient, ManagedClients } from '../../plugins/clients/manage.ts'
import { readLowBalance } from '../../plugins/limits/spend-alerts.ts'
import { listDoctorReports, type StoredDoctorReport } from '../../plugins/stats/doctor.ts'
import { isOlder, type SeenVersion, type Versions } from '../../plugins/stats/versions.ts'
import { listDeliveries } from '../../plugins/webhooks/deliveries.ts'
import { listEndpoints } from '../../plugins/webhooks/endpoints.ts'
import type { Prices, TenantAccount } from '../../service/ledger/tenants.ts'
import { readTenant } from '../../service/ledger/tenants.ts'
import type { Queries } from '../../service/store/database.ts'

/** `problem`: checks or events fail now, or soon. `advice`: they work, and could be better. */
export type Finding = {
  code: FindingCode
  level: 'problem' | 'advice'
  /** The finding and its remedy. */
  says: string
  /** When it begins to matter, where that is known. */
  atMs?: number
}

export type FindingCode =
  | 'suspended'
  | 'balance-empty'
  | 'balance-low'
  | 'no-client'
  | 'secret-ends'
  | 'secret-in-use'
  | 'webhook-failing'
  | 'no-webhook'
  | 'no-live-check'
  | 'no-low-balance-alert'
  | 'no-match-provider'
  | 'newer-version'

/** Secrets that end so soon are named. */
const SOON_MS = 14 * DAY_MS
/** So many of the newest events are looked at. */
const EVENTS_SEEN = 100

export type SetUpFacts = {
  nowMs: number
  /** The version of this service. */
  newest: string
  tenant: Pick<TenantAccount, 'isSuspended' | 'balanceCredits' | 'reportPriceCredits'>
  /** Null: no alert. */
  lowBalanceCredits: number | null
  clients: readonly Pick<ListedClient, 'id' | 'name' | 'disabledAtMs' | 'secrets'>[]
  endpoints: number
  /** Of the newest events, tests left out. */
  failing: number
  hasLiveCheck: boolean
  hasMatch: boolean
  versions: readonly SeenVersion[]
  /** The findings of the lender's own server, by mode. */
  doctor: readonly StoredDoctorReport[]
}

export type SetUpOptions = {
  database: Queries
  clients: Pick<ManagedClients, 'list'>
  versions: Pick<Versions, 'list'>
  settings: Prices
  newest: string
  hasMatch: boolean
}

/** Null without such a tenant. */
export async function readSetUp(options: SetUpOptions, tenantId: string, nowMs: number): Promise<SetUpFacts | null> {
  const { database, clients, versions, settings, newest, hasMatch } = options
  const tenant = await readTenant(database, tenantId, settings)
  if (tenant === null) return null
  const events = await listDeliveries(database, { tenantId, limit: EVENTS_SEEN })
  const live = 'SELECT 1 AS one FROM credit_report WHERE tenant_id = ? AND test = 0 ORDER BY id DESC LIMIT 1'
  return {
    nowMs,
    newest,
    tenant,
    lowBalanceCredits: await readLowBalance(database, tenantId),
    clients: await clients.list(tenantId),
    endpoints: (await listEndpoints(database, tenantId)).length,
    failing: events.filter(
      ({ type, status, attempts }) => type !== 'endpoint.test' && status !== 'delivered' && attempts > 0,
    ).length,
    hasLiveCheck: (await database.first(live, tenantId)) !== null,
    hasMatch,
    versions: await versions.list(tenantId),
    doctor: await listDoctorReports(database, tenantId),
  }
}

/** Problems first. */
export function findSetUp(facts: SetUpFacts): Finding[] {
  const { tenant, nowMs, newest } = facts
  const findings: Finding[] = []
  const problem = (code: FindingCode, says: string, atMs?: number) =>
    findings.push({ code, level: 'problem', says, ...(atMs === undefined ? {} : { atMs }) })
  const advice = (code: FindingCode, says: string) => findings.push({ code, level: 'advice', says })

  if (tenant.isSuspended) problem('suspended', 'New checks are refused: your lender is suspended. Ask the operator.')
  if (tenant.balanceCredits < tenant.reportPriceCredits)
    problem('balance-empty', 'The balance does not pay for one report: live checks are refused.')
  else if (facts.lowBalanceCredits !== null && tenant.balanceCredits < facts.lowBalanceCredits)
    problem('balance-low', 'The balance is below your alert.')

  const active = facts.clients.filter(({ disabledAtMs }) => disabledAtMs === null)
  if (active.every(({ secrets }) => secrets.length === 0))
    problem('no-client', 'No server can get a token: create an API client.')
  for (const client of active) for (const found of secretFindings(client, nowMs)) problem(...found)

  if (facts.failing > 0)
    problem(
      'webhook-failing',
      `${facts.failing} of the newest ${EVENTS_SEEN} webhook events could not be delivered. Open one to see the answer.`,
    )
  if (facts.endpoints === 0)
    advice('no-webhook', 'No webhook: a report of a consumer who closed the page does not reach your server.')
  if (!facts.hasLiveCheck) advice('no-live-check', 'There was no live check yet.')
  if (facts.lowBalanceCredits === null)
    advice('no-low-balance-alert', 'No low-balance alert: the first sign of an empty balance would be a refused check.')
  if (!facts.hasMatch)
    advice(
      'no-match-provider',
      'This service has no match provider: whether a mobile number belongs to the person is not checked.',
    )
  const older = newestOf(facts.versions).filter(({ version }) => isOlder(version, newest))
  for (const says of new Set(
    older.map(({ kind, version }) => `The ${kind} runs version ${version}; ${newest} is available.`),
  ))
    advice('newer-version', says)
  return findings
}

type SecretFinding = [code: FindingCode, says: string, atMs: number]

function secretFindings({ id, name, secrets }: SetUpFacts['clients'][number], nowMs: number): SecretFinding[] {
  const last = secrets.at(-1)
  if (last === undefined) return []
  const client = name ?? id
  const ends = secrets.map(({ expiresAtMs }) => expiresAtMs ?? Number.POSITIVE_INFINITY)
  const endsAtMs = Math.max(...ends)
  // After that moment no secret is left: the others ended before.
  if (endsAtMs <= nowMs + SOON_MS)
    return [['secret-ends', `The last secret of ${client} ends, and its servers stop working. Replace it.`, endsAtMs]]
  return secrets.flatMap((secret): SecretFinding[] => {
    const { expiresAtMs, lastUsedAtMs } = secret
    const isEnding = secret !== last && expiresAtMs !== null && expiresAtMs <= nowMs + SOON_MS
    if (!isEnding || (lastUsedAtMs ?? 0) <= last.createdAtMs) return []
    const says = `A server still uses secret ${secret.id} of ${client}, which ends. Give it the newer one.`
    return [['secret-in-use', says, expiresAtMs]]
  })
}

/** Of each kind and mode, what was seen last: older rows are servers that were updated since. */
function newestOf(versions: readonly SeenVersion[]): SeenVersion[] {
  return versions.filter(
    (seen, index) => versions.findIndex(({ kind, test }) => kind === seen.kind && test === seen.test) === index,
  )
}
