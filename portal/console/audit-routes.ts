// The console's page about who did what, and its files.
import type { Hono } from 'hono'
import * as z from 'zod/mini'
import { AuditFilters } from '../../contract/audit.ts'
import { toEntry } from '../../plugins/audit/audit-routes.ts'
import { readVerified } from '../../plugins/audit/check-chain.ts'
import { type FoundEvent, searchAudit, walkAudit } from '../../plugins/audit/store.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import type { Database } from '../../service/store/database.ts'
import type { Members } from '../identity/members.ts'
import { AUDIT, auditBody, auditCsv, FILTER_NAMES, type TypedFilters } from './audit-pages.ts'
import type { PageContext, Visits } from './page-context.ts'

type AuditPageOptions = { database: Database; members: Members; visits: Visits }

const EVENTS_SHOWN = 100

export function auditPageRoutes({ database, members, visits }: AuditPageOptions): Hono<ServiceEnv> {
  const { show, showUnknown, download, tenantPages } = visits
  const { routes, get } = tenantPages()

  get(AUDIT, async (context, visit) => {
    const { id: tenantId } = visit.tenant
    const { typed, filters } = readFilters(context)
    const before = context.req.query('before') ?? null
    const found = filters && (await searchAudit(database, { tenantId, filters, before, limit: EVENTS_SHOWN }))
    const body = auditBody({
      ...(found ?? { events: [], nextBefore: null }),
      typed,
      problem:
        found === null
          ? 'One of the filters is not valid, or the address is not complete. Choose again below.'
          : undefined,
      people: new Map((await members.list(tenantId)).map(({ id, name }) => [id, name])),
      verified: await readVerified(database, tenantId),
    })
    return show(context, visit, { path: AUDIT, title: 'Audit', body }, found === null ? 400 : 200)
  })

  function getFile(ending: 'csv' | 'jsonl', write: (pages: AsyncGenerator<FoundEvent[]>) => AsyncGenerator<string>) {
    const type = ending === 'csv' ? 'text/csv' : 'application/jsonl'
    get(`${AUDIT}.${ending}`, (context, visit) => {
      const { filters } = readFilters(context)
      if (filters === null) return showUnknown(context, visit, AUDIT)
      const { id: tenantId } = visit.tenant
      const texts = write(walkAudit(database, { tenantId, filters }))
      return download(context, { name: `audit-${tenantId}.${ending}`, type, texts })
    })
  }
  getFile('csv', auditCsv)
  getFile('jsonl', auditJsonLines)

  return routes
}

/** `filters`: null when something typed is none. An empty field of the form is no filter. */
function readFilters(context: PageContext): { typed: TypedFilters; filters: AuditFilters | null } {
  const typed: TypedFilters = {}
  for (const name of FILTER_NAMES) {
    const value = context.req.query(name)?.trim()
    if (value) typed[name] = value
  }
  const read = z.safeParse(AuditFilters, typed)
  return { typed, filters: read.success ? read.data : null }
}

async function* auditJsonLines(pages: AsyncGenerator<FoundEvent[]>): AsyncGenerator<string> {
  for await (const events of pages) yield events.map((event) => `${JSON.stringify(toEntry(event))}\n`).join('')
}
