import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { generateRequest } from '../../contract/generate.ts'
import { REPLAYED_HEADER } from '../../contract/idempotency.ts'
import type { OpenResponse } from '../../contract/open-report.ts'
import type { ErasedResponse, PersonErasedResponse } from '../../contract/person-query.ts'
import type { ReportTimelineResponse } from '../../contract/report-timeline.ts'
import { CHALLENGE_EXPIRES_IN_HEADER } from '../../contract/tenant-proxy.ts'
import { reportOperations as operations } from '../../openapi/report-operations.ts'
import { explainCap } from '../../plugins/limits/spend-caps.ts'
import { readTimeline } from '../../plugins/look-up/timeline.ts'
import { eraseReport } from '../../plugins/people/erase-report.ts'
import { erasePerson, findReportsOf, giveOut } from '../../plugins/people/people.ts'
import { countAnswer, countRefusal } from '../../plugins/stats/count-checks.ts'
import { ApiError } from '../http/api-error.ts'
import { type ServiceEnv, timeTakenMs } from '../http/context.ts'
import { serve } from '../http/serve.ts'
import type { ReportAnswer, ReportOptions } from './check-options.ts'
import { reportNotFound } from './content.ts'
import { generateLive } from './generate-live.ts'
import { generateTest } from './generate-test.ts'
import { readIdempotencyKey } from './idempotency-key.ts'
import { tryDateOfBirth } from './open-report.ts'
import { readReport, readReports } from './read-report.ts'
import { resendText } from './resend-text.ts'
import { findReport } from './store.ts'
import { submitCode } from './submit-code.ts'

export function creditReportRoutes(options: ReportOptions): Hono<ServiceEnv> {
  const { keys, settings, clock } = options
  const Generate = z.pipe(z.transform(dropTestOptions), generateRequest({ bureaus: settings.bureaus, nowMs: clock }))
  const routes = new Hono<ServiceEnv>()

  serve(routes, { ...operations.generateCreditReport, body: { reads: Generate } }, async (context, request) => {
    // Before the lender's limit: a network above its share must not use up what is there for the others.
    if (request.test !== true)
      await options.consumerShare({ tenantId: context.get('tenantId'), ipAddress: request.ipAddress })
    await context.get('countRequest')?.()
    const key = keyOf(context, 'generate', request)
    const { write: onFile } = context.get('act')
    const whose = { tenantId: context.get('tenantId'), test: request.test === true }
    options.onVersions(whose, context.req.raw.headers)
    const input = { tenantId: whose.tenantId, requestId: context.get('requestId'), request, key, onFile }
    const answer = await (whose.test
      ? generateTest(options, input)
      : generateLive(options, input).catch(explained)
    ).catch(countRefusal(options, whose))
    if (!answer.replayed) countAnswer(options, whose, { status: answer.data.status, waitedMs: timeTakenMs(context) })
    options.onAnswered(answer.data.status)
    context.set('creditReportId', answer.data.creditReportId)
    if (request.test !== true) await noteFile(context, answer.reportJson)
    // A replay needs the same body, so the mode of this request is the mode of the report.
    return answerWith(context, answer, { test: request.test === true, ...answer.data })
  })

  serve(routes, operations.listCreditReports, async (context, _body, query) => {
    const data = await readReports(options, { tenantId: context.get('tenantId'), ...query })
    return context.json({ meta: { request: { timeTakenMs: timeTakenMs(context) } }, data })
  })

  serve(routes, operations.getCreditReport, async (context) => {
    const creditReportId = context.req.param('creditReportId')
    return answerWith(context, await readReport(options, { tenantId: context.get('tenantId'), creditReportId }))
  })

  serve(routes, operations.getCreditReportTimeline, async (context) => {
    const creditReportId = context.req.param('creditReportId')
    const { timeline } = await readTimeline(options, { tenantId: context.get('tenantId'), creditReportId })
    const meta = { request: { timeTakenMs: timeTakenMs(context) } }
    return context.json({ meta, data: timeline } satisfies ReportTimelineResponse)
  })

  serve(routes, operations.eraseCreditReport, async (context) => {
    const creditReportId = context.req.param('creditReportId')
    const report = await findReport(options.database, { tenantId: context.get('tenantId'), creditReportId })
    if (report === null) throw reportNotFound()
    // Once more does nothing and answers the same.
    await eraseReport(options.database, { creditReportId, nowMs: clock(), act: context.get('act') })
    const data = { creditReportId, erased: true } as const
    return context.json({ meta: { request: { timeTakenMs: timeTakenMs(context) } }, data } satisfies ErasedResponse)
  })

  serve(routes, operations.submitOtp, async (context, { challengeId, code }) => {
    const creditReportId = context.req.param('creditReportId')
    const { write: onFile } = context.get('act')
    const input = { tenantId: context.get('tenantId'), creditReportId, challengeId, code, onFile }
    const answer = await submitCode(options, input)
    options.onAnswered(answer.data.status)
    if (answer.data.test !== true) await noteFile(context, answer.reportJson)
    return answerWith(context, answer)
  })

  serve(routes, operations.openCreditReport, async (context, { dateOfBirth }) => {
    const creditReportId = context.req.param('creditReportId')
    const data = await tryDateOfBirth(options, { tenantId: context.get('tenantId'), creditReportId, dateOfBirth })
    return context.json({ meta: { request: { timeTakenMs: timeTakenMs(context) } }, data } satisfies OpenResponse)
  })

  serve(routes, operations.resendSms, async (context, body) => {
    const creditReportId = context.req.param('creditReportId')
    const key = keyOf(context, `resend ${creditReportId}`, body)
    const input = { tenantId: context.get('tenantId'), creditReportId, ...body, key }
    return answerWith(context, await resendText(options, input).catch(explained))
  })

  return routes

  async function explained(error: unknown): Promise<never> {
    throw await explainCap(options.database, error, settings)
  }

  function keyOf(context: Context<ServiceEnv>, operation: string, body: unknown) {
    return readIdempotencyKey(context.req.raw, keys.indexes, { tenantId: context.get('tenantId'), operation, body })
  }
}

export function peopleRoutes(options: ReportOptions): Hono<ServiceEnv> {
  const { database, keys, clock } = options
  const routes = new Hono<ServiceEnv>()

  serve(routes, operations.exportPerson, async (context, person) => {
    const tenantId = context.get('tenantId')
    const { creditReportIds, ...page } = await findReportsOf(database, keys.indexes, { tenantId, person })
    const open = (creditReportId: string) => readReport(options, { tenantId, creditReportId }).catch(unlessNotFound)
    const states: object[] = []
    for await (const { data, reportJson } of giveOut(creditReportIds, { database, act: context.get('act'), open })) {
      states.push({ ...data, ...(reportJson && { creditReport: JSON.parse(reportJson) }) })
    }
    const meta = { request: { timeTakenMs: timeTakenMs(context) } }
    return context.json({ meta, data: { creditReports: states, ...page } })
  })

  serve(routes, operations.erasePerson, async (context, person) => {
    const wanted = { tenantId: context.get('tenantId'), person, nowMs: clock(), act: context.get('act') }
    const creditReportIds = await erasePerson(database, keys.indexes, wanted)
    const meta = { request: { timeTakenMs: timeTakenMs(context) } }
    return context.json({ meta, data: { creditReportIds } } satisfies PersonErasedResponse)
  })

  return routes
}

function unlessNotFound(error: unknown): null {
  if (error instanceof ApiError && error.code === 'credit-report-not-found') return null
  throw error
}

/** A file that was completed before is given again; one that this request completed has its line already. */
async function noteFile(context: Context<ServiceEnv>, reportJson: string | null): Promise<void> {
  if (reportJson !== null) await context.get('act').note('200', { isFailure: false })
}

/** Outside test mode `challengeOptions` counts for nothing, so nothing can be wrong with it either. */
function dropTestOptions(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('challengeOptions' in body)) return body
  if ('test' in body && body.test === true) return body
  const { challengeOptions: _ignored, ...counted } = body
  return counted
}

function answerWith(
  context: Context<ServiceEnv>,
  answer: ReportAnswer & { replayed?: boolean },
  data: object = answer.data,
): Response {
  const { wallet, reportJson, replayed, expiresInSeconds } = answer
  const meta = {
    request: { timeTakenMs: timeTakenMs(context) },
    ...(wallet === null ? {} : { wallet }),
  }
  return context.body(envelopeJson({ meta, data }, reportJson), 200, {
    'Content-Type': 'application/json',
    ...(expiresInSeconds === null ? {} : { [CHALLENGE_EXPIRES_IN_HEADER]: `${expiresInSeconds}` }),
    ...(replayed ? { [REPLAYED_HEADER]: 'true' } : {}),
  })
}

/** Puts the report behind the other fields of `data`: large JSON that is neither parsed nor written again. */
function envelopeJson(envelope: { meta: object; data: object }, reportJson: string | null): string {
  const json = JSON.stringify(envelope)
  return reportJson === null ? json : `${json.slice(0, -'}}'.length)},"creditReport":${reportJson}}}`
}
