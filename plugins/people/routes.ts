// Erasure and export, for the lender that answers for the data.
import { Hono } from 'hono'
import { reportNotFound } from '../../service/check/content.ts'
import { findReport } from '../../service/check/store.ts'
import { isTestOnly } from '../../service/http/caller.ts'
import { type ServiceEnv, timeTakenMs } from '../../service/http/context.ts'
import { serve } from '../../service/http/serve.ts'
import type { Core } from '../../service/plugin.ts'
import { eraseReport } from './erase-report.ts'
import { peopleRows } from './operations.ts'
import { erasePerson, findReportsOf, type GivenOut, giveOut } from './people.ts'

const { operations } = peopleRows

export function peopleRoutes(core: Core): Hono<ServiceEnv> {
  const { database, keys, clock, config } = core
  const plugins = { erase: core.erase }
  const options = { database, clock, keys, settings: config }
  const routes = new Hono<ServiceEnv>()

  serve(routes, operations.eraseCreditReport, async (context) => {
    const creditReportId = context.req.param('creditReportId')
    const report = await findReport(database, { tenantId: context.get('tenantId'), creditReportId })
    if (report === null) throw reportNotFound()
    // Once more does nothing and answers the same.
    await eraseReport(database, { creditReportId, nowMs: clock(), plugins, act: context.get('act') })
    return { creditReportId, erased: true as const }
  })

  serve(routes, operations.exportPerson, async (context, person) => {
    const tenantId = context.get('tenantId')
    const { creditReportIds, ...page } = await findReportsOf(database, keys.indexes, {
      tenantId,
      person,
      testOnly: isTestOnly(context.get('caller')),
    })
    const act = context.get('act')
    const states: GivenOut[] = []
    for await (const state of giveOut(options, { tenantId, creditReportIds, act })) states.push(state)
    const meta = { request: { timeTakenMs: timeTakenMs(context) } }
    return context.json({ meta, data: { creditReports: states, ...page } })
  })

  serve(routes, operations.erasePerson, async (context, person) => {
    const testOnly = isTestOnly(context.get('caller'))
    const whose = { tenantId: context.get('tenantId'), person, testOnly }
    const wanted = { ...whose, nowMs: clock(), plugins, act: context.get('act') }
    const creditReportIds = await erasePerson(database, keys.indexes, wanted)
    return { creditReportIds }
  })

  return routes
}
