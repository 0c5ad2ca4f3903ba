// Links in the database. A token is derived from its link's id: the database alone holds nothing that opens a page.
import { createHash, createHmac } from 'node:crypto'
import { type HostedLink, LINK_MINUTES_DEFAULT, LinkStart, type LinkState, type NewLink } from '../contract/link.ts'
import { read } from '../contract/problems.ts'
import { DAY_MS, MINUTE_MS } from '../kit/clock.ts'
import { tryParseJson } from '../kit/json-body.ts'
import { addDays, type Days, startOfDay } from '../kit/london.ts'
import { firstIdAt } from '../kit/new-id.ts'
import { seal, unseal } from '../kit/seal.ts'
import { momentOf } from '../service/check/check-options.ts'
import { describe } from '../service/check/read-report.ts'
import { toReport } from '../service/check/store.ts'
import type { ReportRow } from '../service/check/tables.ts'
import { readTenant } from '../service/ledger/tenants.ts'
import type { Core } from '../service/plugin.ts'
import type { Queries, Transactions } from '../service/store/database.ts'
import { DELETE_ROWS_MAX } from '../service/store/sweep-rows.ts'
import { USUAL_SCOPES } from '../service/tokens/clients.ts'
import { newLinkId } from './link-id.ts'
import type { HostedKeys, LinkRow } from './tables.ts'

const TOKEN_BYTES = 16
/** A link is forgotten so long after its end. */
const KEPT_MS = 30 * DAY_MS

export type LinkCounts = { made: number; opened: number; begun: number; complete: number }
export type Link = LinkRow & { check: LinkCheckState | null }
type LinkCheckState = {
  creditReportId: string
  status: NonNullable<HostedLink['check']>['status']
  endedAtMs: number | null
}

/** The newest check of a link; one that is complete, or about to be, before any other. */
const CHECK_OF_LINKS = `SELECT link_id, SUBSTR(MAX(bought || report_id), 2) AS report_id FROM hosted_check`

type LinkOptions = Pick<Core, 'config' | 'database' | 'clock'> & { keys: HostedKeys; pageUrl: string }

export type Links = ReturnType<typeof createLinks>

export function createLinks({ config, database, clock, keys, pageUrl }: LinkOptions) {
  const tokenBy = (key: Uint8Array, id: string) =>
    createHmac('sha256', key).update(id).digest().subarray(0, TOKEN_BYTES).toString('base64url')

  /** Null for a link of a secret key that is gone. */
  function urlOf({ id, token_hash }: Pick<LinkRow, 'id' | 'token_hash'>): string | null {
    const token = keys.tokens.map((key) => tokenBy(key, id)).find((each) => hashOf(each) === token_hash)
    return token === undefined ? null : `${pageUrl}/c/${token}`
  }

  async function withChecks(tenantId: string, rows: readonly LinkRow[]): Promise<Link[]> {
    if (rows.length === 0) return []
    const newest = await database.all<{ link_id: string; report_id: string }>(
      `${CHECK_OF_LINKS} WHERE link_id IN ${among(rows)} GROUP BY link_id`,
      ...rows.map(({ id }) => id),
    )
    const reports =
      newest.length === 0
        ? []
        : await database.all<ReportRow>(
            `SELECT * FROM credit_report WHERE id IN ${among(newest)}`,
            ...newest.map(({ report_id }) => report_id),
          )
    const tenant = reports.length === 0 ? null : await readTenant(database, tenantId, config)
    return rows.map((row) => {
      const reportId = newest.find(({ link_id }) => link_id === row.id)?.report_id
      const found = reports.find(({ id }) => id === reportId)
      if (found === undefined || tenant === null) return { ...row, check: null }
      const report = toReport(found)
      const { status } = describe(report, momentOf({ clock, settings: config }, tenant, report), clock())
      return { ...row, check: { creditReportId: report.creditReportId, status, endedAtMs: report.endedAtMs } }
    })
  }

  async function withCheck(row: LinkRow): Promise<Link> {
    const [link = { ...row, check: null }] = await withChecks(row.tenant_id, [row])
    return link
  }

  return {
    urlOf,

    /**
     * `made`: indexes of the Idempotency-Key and the body. Resolves to the link of the first request with that key, or
     * null when its body was another.
     */
    async make(
      act: Transactions,
      { tenantId, link, made }: { tenantId: string; link: NewLink; made: { key: string; body: string } | null },
    ): Promise<LinkRow | null> {
      const nowMs = clock()
      const id = newLinkId(nowMs)
      const sealed = link.start && seal(keys.starts, { tenantId, rowId: id }, JSON.stringify(link.start))
      return act.transaction(async (queries) => {
        await enrolClient(queries, tenantId, nowMs)
        await queries.run(
          `INSERT INTO hosted_link (id, tenant_id, test, token_hash, external_reference, return_url, wrapped_key, start,
               made_key, made_body, created_at_ms, expires_at_ms)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (tenant_id, made_key) WHERE made_key IS NOT NULL DO NOTHING`,
          id,
          tenantId,
          link.test ? 1 : 0,
          hashOf(tokenBy(keys.tokens[0], id)),
          link.externalReference || null,
          link.returnUrl ?? null,
          sealed?.wrappedKey ?? null,
          sealed?.content ?? null,
          made?.key ?? null,
          made?.body ?? null,
          nowMs,
          nowMs + (link.expiresInMinutes ?? LINK_MINUTES_DEFAULT) * MINUTE_MS,
        )
        const own = made === null ? 'id = ?' : 'tenant_id = ? AND made_key = ?'
        const names = made === null ? [id] : [tenantId, made.key]
        const row = await queries.first<LinkRow>(`SELECT * FROM hosted_link WHERE ${own}`, ...names)
        return row === null || (made !== null && row.made_body !== made.body) ? null : row
      }, id)
    },

    /** Of the links that were made in these days, how far each came. */
    async count({ tenantId, test, from, to }: Days & { tenantId: string; test: boolean }): Promise<LinkCounts> {
      const withCheck = (condition: string) =>
        `COUNT(CASE WHEN EXISTS (SELECT 1 FROM hosted_check JOIN credit_report ON credit_report.id = report_id
           WHERE link_id = hosted_link.id${condition}) THEN 1 END)`
      const counts = await database.first<LinkCounts>(
        `SELECT COUNT(*) AS made, COUNT(opened_at_ms) AS opened, ${withCheck('')} AS begun,
           ${withCheck(` AND credit_report.status = 'complete'`)} AS complete
         FROM hosted_link WHERE tenant_id = ? AND test = ? AND id >= ? AND id < ?`,
        tenantId,
        test ? 1 : 0,
        firstIdAt(startOfDay(from)),
        firstIdAt(startOfDay(addDays(to, 1))),
      )
      return counts ?? { made: 0, opened: 0, begun: 0, complete: 0 }
    },

    async find(tenantId: string, id: string): Promise<Link | null> {
      const sql = 'SELECT * FROM hosted_link WHERE tenant_id = ? AND id = ?'
      const row = await database.first<LinkRow>(sql, tenantId, id)
      return row && withCheck(row)
    },

    /** By the token of its address: one query, whether or not there is such a link. */
    peek: (token: string) => database.first<LinkRow>('SELECT * FROM hosted_link WHERE token_hash = ?', hashOf(token)),

    withCheck,

    /** Newest first. */
    async list(query: {
      tenantId: string
      externalReference?: string | undefined
      after?: string | undefined
      limit: number
    }): Promise<Link[]> {
      const { tenantId, externalReference, after, limit } = query
      const rows = await database.all<LinkRow>(
        `SELECT * FROM hosted_link WHERE tenant_id = ? ${externalReference === undefined ? '' : 'AND external_reference = ?'}
           ${after === undefined ? '' : 'AND id < ?'} ORDER BY id DESC LIMIT ?`,
        tenantId,
        ...(externalReference === undefined ? [] : [externalReference]),
        ...(after === undefined ? [] : [after]),
        limit,
      )
      return withChecks(tenantId, rows)
    },

    /** The lender's details of the applicant; null for none. */
    startOf({ id, tenant_id: tenantId, wrapped_key: wrappedKey, start }: LinkRow): LinkStart | null {
      if (wrappedKey === null || start === null) return null
      const text = unseal(keys.starts, { tenantId, rowId: id }, { wrappedKey, content: start })
      const reading = read(LinkStart, tryParseJson(Buffer.from(text)))
      return reading.ok ? reading.value : null
    },

    /** Takes one of the link's tries; false when none is left. */
    async takeTry(id: string): Promise<boolean> {
      const sql = 'UPDATE hosted_link SET tries_left = tries_left - 1 WHERE id = ? AND tries_left > 0'
      return (await database.run(sql, id)) === 1
    },

    /** The right date of birth costs none. */
    giveTryBack: (id: string) =>
      database.run('UPDATE hosted_link SET tries_left = tries_left + 1 WHERE id = ? AND tries_left < 3', id),

    noteOpened: (id: string) =>
      database.run('UPDATE hosted_link SET opened_at_ms = ? WHERE id = ? AND opened_at_ms IS NULL', clock(), id),

    /** Checks that were begun with it. */
    async countChecks(id: string): Promise<number> {
      const sql = 'SELECT COUNT(*) AS many FROM hosted_check WHERE link_id = ?'
      return (await database.first<{ many: number }>(sql, id))?.many ?? 0
    },

    /**
     * Forgets known applicants at the end of their links; later the links that no check came of, and the dates of birth
     * of all others. Resolves to how many links were forgotten.
     */
    async sweep(): Promise<number> {
      await database.run(
        `UPDATE hosted_link SET wrapped_key = NULL, start = NULL WHERE expires_at_ms < ? AND start IS NOT NULL`,
        clock(),
      )
      const old = await database.all<{ id: string }>(
        `SELECT id FROM hosted_link WHERE is_forgotten = 0 AND expires_at_ms < ? ORDER BY expires_at_ms LIMIT ?`,
        clock() - KEPT_MS,
        DELETE_ROWS_MAX,
      )
      if (old.length === 0) return 0
      const ids = old.map(({ id }) => id)
      await database.transaction(async (queries) => {
        await queries.run(`UPDATE hosted_check SET born = '' WHERE link_id IN ${among(ids)}`, ...ids)
        await queries.run(
          `DELETE FROM hosted_link WHERE id IN ${among(ids)}
             AND NOT EXISTS (SELECT 1 FROM hosted_check WHERE link_id = hosted_link.id)`,
          ...ids,
        )
        await queries.run(`UPDATE hosted_link SET is_forgotten = 1 WHERE id IN ${among(ids)}`, ...ids)
      })
      return old.length
    },
  }
}

/** False when the lender has no such link. A second time changes nothing. */
export async function revokeLinkRow(
  act: Transactions,
  { tenantId, linkId, nowMs }: { tenantId: string; linkId: string; nowMs: number },
): Promise<boolean> {
  const sql = `UPDATE hosted_link SET revoked_at_ms = COALESCE(revoked_at_ms, ?) WHERE tenant_id = ? AND id = ?`
  return (await act.transaction((queries) => queries.run(sql, nowMs, tenantId, linkId), linkId)) === 1
}

function among(values: readonly unknown[]): string {
  return `(${values.map(() => '?').join(', ')})`
}

export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/** A check that has begun can end after its link did. */
export function stateOf(link: Link, nowMs: number): LinkState {
  const { check } = link
  if (check?.status === 'complete') return 'complete'
  if (link.revoked_at_ms !== null) return 'revoked'
  if (check?.status === 'pending' || check?.status === 'authentication-required') return 'started'
  if (link.expires_at_ms <= nowMs) return 'expired'
  if (check !== null) return 'started'
  return link.opened_at_ms === null ? 'new' : 'opened'
}

const at = (timeMs: number) => new Date(timeMs).toISOString()

export function showLink(link: Link, nowMs: number): HostedLink {
  return {
    linkId: link.id,
    status: stateOf(link, nowMs),
    test: link.test === 1,
    ...(link.external_reference !== null && { externalReference: link.external_reference }),
    ...(link.return_url !== null && { returnUrl: link.return_url }),
    createdAt: at(link.created_at_ms),
    expiresAt: at(link.expires_at_ms),
    ...(link.opened_at_ms !== null && { openedAt: at(link.opened_at_ms) }),
    ...(link.check && { check: { creditReportId: link.check.creditReportId, status: link.check.status } }),
  }
}

/** The lender's built-in client, by which its page asks the service. */
export function clientIdOf(tenantId: string): string {
  return `${tenantId}-hosted`
}

/** Makes the lender's built-in client, in the transaction of its first link. */
function enrolClient(queries: Queries, tenantId: string, nowMs: number): Promise<number> {
  return queries.run(
    `INSERT INTO api_client (id, tenant_id, name, scopes, created_at_ms) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    clientIdOf(tenantId),
    tenantId,
    'Hosted page',
    USUAL_SCOPES.join(' '),
    nowMs,
  )
}
