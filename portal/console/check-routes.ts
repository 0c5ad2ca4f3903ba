// The console's pages about checks.
import type { Hono } from 'hono'
import { CreditReport } from '../../contract/credit-report.ts'
import { read } from '../../contract/problems.ts'
import { ReportListQuery } from '../../contract/report-list.ts'
import type { Clock } from '../../kit/clock.ts'
import { isId } from '../../kit/new-id.ts'
import { findReports } from '../../plugins/look-up/find-reports.ts'
import { readTimeline } from '../../plugins/look-up/timeline.ts'
import type { CheckSettings } from '../../service/check/check-options.ts'
import { readContent, readListed, readReports } from '../../service/check/read-report.ts'
import { ApiError } from '../../service/http/api-error.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import type { Keys } from '../../service/keys.ts'
import type { Core } from '../../service/plugin.ts'
import type { Database } from '../../service/store/database.ts'
import { checkBody, checksBody, foundBody, unknownCheckBody } from './check-pages.ts'
import { may, type TenantVisit } from './frame.ts'
import type { PageContext, Visits } from './page-context.ts'
import { writeReceipt } from './receipt.ts'
import { noReportBody, problemOfReason, REASON_LENGTH, reasonBody, reportBody } from './report-pages.ts'

type CheckPageOptions = {
  database: Database
  clock: Clock
  settings: CheckSettings
  /** That reports are sealed under. */
  keys: Pick<Keys, 'reports'>
  timeline: Core['timeline']
  visits: Visits
}

type OpenReport = { creditReportId: string; test: boolean; report: CreditReport }

const path = '/console/checks'
const CHECKS_SHOWN = 50

export function checkPageRoutes({
  database,
  clock,
  settings,
  keys,
  timeline,
  visits,
}: CheckPageOptions): Hono<ServiceEnv> {
  const { show, tenantPages } = visits
  const { routes, get, post } = tenantPages()
  const options = { database, clock, settings }

  get(path, async (context, visit) => {
    const { id: tenantId } = visit.tenant
    const { reference = '', mode: given, status = '', reason = '', from = '', to = '', after } = context.req.query()
    const page = { path, title: 'Checks' }
    const typed = reference.trim()
    if (typed !== '') {
      const found = await findReports(database, { tenantId, typed, limit: CHECKS_SHOWN })
      const [only] = found
      if (only !== undefined && found.length === 1) return context.redirect(`${path}/${only.creditReportId}`, 303)
      const listed = await readListed(options, tenantId, found)
      return show(context, visit, { ...page, body: foundBody({ typed, found: listed, limit: CHECKS_SHOWN }) })
    }
    const mode = given === 'test' ? 'test' : 'live'
    const filters = { status, reason, from, to }
    const chosen = Object.fromEntries(Object.entries(filters).filter(([, value]) => value))
    const cursor = after === undefined ? {} : { after }
    const query = read(ReportListQuery, { ...chosen, ...cursor, test: mode === 'test', limit: CHECKS_SHOWN })
    // Only an address that was edited by hand can be wrong.
    const list = query.ok
      ? await readReports(options, { tenantId, ...query.value }).catch(nullWhen('validation-error'))
      : null
    if (list === null) {
      const problem = 'This address is not complete, or was edited. Choose again below.'
      return show(
        context,
        visit,
        { ...page, body: checksBody({ mode, filters, list: { creditReports: [] }, problem }) },
        400,
      )
    }
    return show(context, visit, { ...page, body: checksBody({ mode, filters, list }) })
  })

  get('/console/checks/:creditReportId', async (context, visit) => {
    const creditReportId = context.req.param('creditReportId') ?? ''
    const wanted = { tenantId: visit.tenant.id, creditReportId }
    const found = isId(creditReportId)
      ? await readTimeline({ database, clock, config: settings, timeline }, wanted).catch(
          nullWhen('credit-report-not-found'),
        )
      : null
    if (found === null) return show(context, visit, { path, title: 'No such check', body: unknownCheckBody() }, 404)
    const body = checkBody(found.timeline, writeReceipt(found.lines), {
      mayOpen: may(visit, 'report'),
      mayErase: may(visit, 'data'),
    })
    return show(context, visit, { path, title: 'Check', body })
  })

  const reportPath = `${path}/:creditReportId/report`

  /** The report of the path, or the page that says why there is none. */
  async function openReport(context: PageContext, visit: TenantVisit): Promise<OpenReport | Response> {
    const creditReportId = context.req.param('creditReportId') ?? ''
    const place = { tenantId: visit.tenant.id, creditReportId }
    const content = isId(creditReportId) ? await readContent({ database, keys }, place) : null
    if (content === null) return show(context, visit, { path, title: 'No such check', body: unknownCheckBody() }, 404)
    if (typeof content === 'string') {
      const body = noReportBody(creditReportId, content)
      return show(context, visit, { path, title: 'No report to open', body }, 409)
    }
    // Sealed by us as a report, so it is one.
    return { creditReportId, test: content.test, report: CreditReport.parse(JSON.parse(content.reportJson)) }
  }

  get(reportPath, async (context, visit) => {
    const opened = await openReport(context, visit)
    if (opened instanceof Response) return opened
    const isOpen = visit.opened === opened.creditReportId
    const body = isOpen ? reportBody(opened) : reasonBody({ ...opened, press: visit.press })
    return show(context, visit, { path, title: isOpen ? 'Credit report' : 'Open the report', body })
  })

  post(reportPath, reportPath, async (context, visit, form) => {
    const opened = await openReport(context, visit)
    if (opened instanceof Response) return opened
    const { creditReportId, report } = opened
    const reason = (form.get('reason') ?? '').replace(/\s+/g, ' ').trim()
    const problem = problemOfReason(reason, report)
    if (problem !== null) {
      const typed = reason.slice(0, REASON_LENGTH.max)
      const body = reasonBody({ creditReportId, typed, problem, press: visit.press })
      return show(context, visit, { path, title: 'Error: open the report', body }, 400)
    }
    // Nothing changes but the trail, which says so before anything is shown.
    const said = { object: creditReportId, change: { from: null, to: { reason } } }
    await context.get('act').transaction(
      async () => true,
      () => said,
    )
    return {
      notice: 'The audit trail says that you opened this report, and why.',
      opens: creditReportId,
    }
  })

  return routes
}

function nullWhen(code: ApiError['code']) {
  return (error: unknown): null => {
    if (error instanceof ApiError && error.code === code) return null
    throw error
  }
}
