// One link of a chain: the hash of a line as lenders read it in their export, and of the hash before.
// docs/auditor/trail.md shows how a lender computes it; a field that comes later needs another name in front.
import { hash } from 'node:crypto'
import type { Change } from '../../service/store/database.ts'
import type { AuditRow } from './tables.ts'

const FORMAT = 'audit-1'

export function linkOf(previous: string, position: number, row: AuditRow): string {
  const { from, to } = changeOf(row)
  const content = [
    String(row.sequence),
    new Date(row.created_at_ms).toISOString(),
    row.actor_kind,
    row.actor_id,
    row.actor_name,
    row.actor_email,
    row.action,
    row.object,
    row.object_name,
    from,
    to,
    row.address,
    row.outcome,
  ]
  return hash('sha256', JSON.stringify([FORMAT, row.tenant_id, position, previous, ...content]), 'hex')
}

/** Both sides as JSON; null where nothing was changed. */
function changeOf({ change_json: json }: AuditRow): { from: string | null; to: string | null } {
  if (json === null) return { from: null, to: null }
  const { from, to }: Change = JSON.parse(json)
  return { from: JSON.stringify(from), to: JSON.stringify(to) }
}

/** The position up to which a chain was followed, and the hash there. */
export type Reached = { position: number; hash: string }

/** Follows the chain over these lines, in order; stops before the first that is missing or changed and says which. */
export function follow(from: Reached, rows: readonly AuditRow[]): Reached & { problem: string | null } {
  let { position, hash: previous } = from
  const ended = (problem: string | null) => ({ position, hash: previous, problem })
  for (const row of rows) {
    const own = row.link_position ?? 0
    if (own !== position + 1) return ended(missing(position + 1, own - 1))
    const link = linkIfReadable(previous, own, row)
    if (link === null || row.link_hash !== link) return ended(`event ${own} was changed`)
    position = own
    previous = link
  }
  return ended(null)
}

export function missing(first: number, last: number): string {
  return `the events from ${first} to ${last} are missing`
}

/** Null for a line whose time or change cannot have been written by the service. */
function linkIfReadable(previous: string, position: number, row: AuditRow): string | null {
  try {
    return linkOf(previous, position, row)
  } catch {
    return null
  }
}
