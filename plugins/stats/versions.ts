// The versions of the proxy and of the widget that a lender runs, as its checks say.
import { CLIENT_AGENT, readVersion, WIDGET_VERSION_HEADER } from '../../contract/versions.ts'
import { createBoundedMap } from '../../kit/bounded-map.ts'
import { type Clock, DAY_MS, HOUR_MS } from '../../kit/clock.ts'
import type { HeaderReader } from '../../kit/headers.ts'
import type { Queries } from '../../service/store/database.ts'
import { DELETE_ROWS_MAX } from '../../service/store/sweep-rows.ts'
import type { VersionSeenRow } from './tables.ts'

const WRITTEN_EVERY_MS = HOUR_MS
const KEPT_MS = 90 * DAY_MS
/** Of a lender, mode and kind: a header can name any number. */
const VERSIONS_MAX = 20
const REMEMBERED_MAX = 10_000

/** `proxy`: the package on the lender's server, with or without its mount. */
const KINDS = ['proxy', 'widget'] as const
type Kind = (typeof KINDS)[number]

type Whose = { tenantId: string; test: boolean }
export type SeenVersion = { kind: Kind; version: string; test: boolean; seenAtMs: number }

export type Versions = ReturnType<typeof createVersions>

export function createVersions({ database, clock }: { database: Queries; clock: Clock }) {
  const writtenAtMs = createBoundedMap<number>(REMEMBERED_MAX)

  async function write({ tenantId, test }: Whose, kind: Kind, version: string): Promise<void> {
    const key = [tenantId, test ? 1 : 0, kind] as const
    await database.run(
      `INSERT INTO version_seen (tenant_id, test, kind, version, seen_at_ms)
       SELECT ?, ?, ?, ?, ? WHERE ? > (SELECT COUNT(*) FROM version_seen
         WHERE tenant_id = ? AND test = ? AND kind = ? AND version <> ?)
       ON CONFLICT (tenant_id, test, kind, version) DO UPDATE SET seen_at_ms = excluded.seen_at_ms
       WHERE version_seen.seen_at_ms < excluded.seen_at_ms`,
      ...key,
      version,
      clock(),
      VERSIONS_MAX,
      ...key,
      version,
    )
  }

  return {
    /** Notes what a check came from, at most once an hour. Not waited for: a check never takes longer for it. */
    see(whose: Whose, headers: HeaderReader): void {
      const [agent, proxy] = (headers.get('User-Agent') ?? '').split('/', 2)
      const versions: { [kind in Kind]: string | undefined } = {
        proxy: agent === CLIENT_AGENT ? readVersion(proxy) : undefined,
        widget: readVersion(headers.get(WIDGET_VERSION_HEADER)),
      }
      for (const kind of KINDS) {
        const version = versions[kind]
        if (version === undefined) continue
        const key = [whose.tenantId, whose.test, kind, version].join(' ')
        const nowMs = clock()
        if (nowMs - (writtenAtMs.get(key) ?? Number.NEGATIVE_INFINITY) < WRITTEN_EVERY_MS) continue
        writtenAtMs.set(key, nowMs)
        // A lost write is repeated within an hour.
        void write(whose, kind, version).catch(() => {})
      }
    },

    /** The newest sight first. */
    async list(tenantId: string): Promise<SeenVersion[]> {
      const rows = await database.all<VersionSeenRow>(
        'SELECT * FROM version_seen WHERE tenant_id = ? ORDER BY seen_at_ms DESC, kind, test, version',
        tenantId,
      )
      return rows.flatMap((row) => {
        const kind = KINDS.find((known) => known === row.kind)
        return kind ? [{ kind, version: row.version, test: row.test === 1, seenAtMs: row.seen_at_ms }] : []
      })
    },

    forgetOld: (): Promise<number> =>
      database.run(
        `DELETE FROM version_seen WHERE (tenant_id, test, kind, version) IN
           (SELECT tenant_id, test, kind, version FROM version_seen WHERE seen_at_ms < ? LIMIT ?)`,
        clock() - KEPT_MS,
        DELETE_ROWS_MAX,
      ),
  }
}

/** True when `version` came before `other`. An unknown one did not. */
export function isOlder(version: string, other: string): boolean {
  const [ours, theirs] = [version, other].map((each) => each.split('.').map(Number))
  const index = (ours ?? []).findIndex((part, place) => part !== theirs?.[place])
  return index !== -1 && (ours?.[index] ?? 0) < (theirs?.[index] ?? 0)
}
