// The console's pages about checks.
import type { Hono } from 'hono'
import { read } from '../../contract/problems.ts'
import { ReportListQuery } from '../../contract/report-list.ts'
import type { Clock } from '../../kit/clock.ts'
import { ApiError } from '../../service/http/api-error.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { readReports } from '../../service/reports/read-report.ts'
import type { ReportSettings } from '../../service/reports/report-options.ts'
import type { Database } from '../../service/store/database.ts'
import { listLines } from '../../service/wallet/store.ts'
import { checksBody } from './check-pages.ts'
import type { Visits } from './page-context.ts'
import { writeReceipt } from './receipt.ts'
import { receiptBody } from './wallet-pages.ts'

type CheckPageOptions = { database: Database; clock: Clock; settings: ReportSettings; visits: Visits }

const path = '/console/checks'
const CHECKS_SHOWN = 50
/** More than any check can have: a report and three texts, each held and settled. */
const RECEIPT_LINES_MAX = 20

export function checkPageRoutes({ database, clock, settings, visits }: CheckPageOptions): Hono<ServiceEnv> {
  const { show, tenantPages } = visits
  const { routes, get } = tenantPages()

  get(path, async (context, visit) => {
    const reference = (context.req.query('reference') ?? '').trim()
    const asked = { ...(reference === '' ? {} : { externalReference: reference }), limit: CHECKS_SHOWN }
    const after = context.req.query('after')
    const query = read(ReportListQuery, { ...asked, ...(after === undefined ? {} : { after }) })
    const page = { path, title: 'Checks' }
    const none = { reference, list: { creditReports: [] }, problem: 'That cannot be searched for.' }
    // Only an address that was edited by hand can be wrong.
    const list = query.ok
      ? await readReports({ database, clock, settings }, { tenantId: visit.tenant.id, ...query.value }).catch(
          nullWhenRefused,
        )
      : null
    if (list === null) return show(context, visit, { ...page, body: checksBody(none) }, 400)
    return show(context, visit, { ...page, body: checksBody({ reference, list }) })
  })

  get('/console/checks/:creditReportId', async (context, visit) => {
    const creditReportId = context.req.param('creditReportId') ?? ''
    const wanted = { tenantId: visit.tenant.id, before: null, creditReportId, limit: RECEIPT_LINES_MAX }
    const lines = await listLines(database, wanted)
    if (!lines?.length) return context.redirect(path, 303)
    const body = receiptBody({ creditReportId, reference: lines[0]?.externalReference ?? null }, writeReceipt(lines))
    return show(context, visit, { path, title: 'Receipt', body })
  })

  return routes
}

function nullWhenRefused(error: unknown): null {
  if (error instanceof ApiError && error.code === 'validation-error') return null
  throw error
}
