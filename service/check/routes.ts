import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { generateRequest } from '../../contract/generate.ts'
import { REPLAYED_HEADER } from '../../contract/idempotency.ts'
import { CHALLENGE_EXPIRES_IN_HEADER } from '../../contract/tenant-proxy.ts'
import { requireMode } from '../http/access.ts'
import { isTestOnly } from '../http/caller.ts'
import { type ServiceEnv, timeTakenMs } from '../http/context.ts'
import { readIdempotencyKey } from '../http/idempotency-key.ts'
import { serve } from '../http/serve.ts'
import type { CheckOptions, ReportAnswer } from './check-options.ts'
import { generateLive } from './generate-live.ts'
import { generateTest } from './generate-test.ts'
import { tryDateOfBirth } from './open-report.ts'
import { checkRows } from './operations.ts'
import { readReport, readReports } from './read-report.ts'
import { resendText } from './resend-text.ts'
import { submitCode } from './submit-code.ts'

const { operations } = checkRows

export function creditReportRoutes(options: CheckOptions): Hono<ServiceEnv> {
  const { keys, settings, clock, plugins } = options
  const Generate = z.pipe(z.transform(dropTestOptions), generateRequest({ bureaus: settings.bureaus, nowMs: clock }))
  const routes = new Hono<ServiceEnv>()

  const generate = operations.generateCreditReport
  serve(routes, { ...generate, body: { ...generate.body, reads: Generate } }, async (context, request) => {
    requireMode(context, { test: request.test === true })
    // Before the lender's limit: a network above its share must not use up what is there for the others.
    if (request.test !== true) await plugins.admit({ tenantId: context.get('tenantId'), ipAddress: request.ipAddress })
    await context.get('countRequest')?.()
    const key = keyOf(context, 'generate', request)
    const { write: onFile } = context.get('act')
    const whose = { tenantId: context.get('tenantId'), test: request.test === true }
    plugins.heard(whose, { type: 'requested', headers: context.req.raw.headers })
    const input = { tenantId: whose.tenantId, requestId: context.get('requestId'), request, key, onFile }
    const answer = await (whose.test ? generateTest(options, input) : generateLive(options, input))
    const { status } = answer.data
    const waitedMs = timeTakenMs(context)
    const { creditReportId } = answer.data
    plugins.heard({ ...whose, creditReportId }, { type: 'answered', status, waitedMs, isReplay: answer.replayed })
    context.set('creditReportId', creditReportId)
    if (request.test !== true) await noteFile(context, answer.reportJson)
    // A replay needs the same body, so the mode of this request is the mode of the report.
    return answerWith(context, answer, { test: request.test === true, ...answer.data })
  })

  serve(routes, operations.listCreditReports, async (context, _body, query) => {
    return await readReports(options, {
      tenantId: context.get('tenantId'),
      isTestOnly: isTestOnly(context.get('caller')),
      ...query,
    })
  })

  serve(routes, operations.getCreditReport, async (context) => {
    const creditReportId = context.req.param('creditReportId')
    return answerWith(context, await readReport(options, { tenantId: context.get('tenantId'), creditReportId }))
  })

  serve(routes, operations.submitOtp, async (context, { challengeId, code }) => {
    const creditReportId = context.req.param('creditReportId')
    const { write: onFile } = context.get('act')
    const input = { tenantId: context.get('tenantId'), creditReportId, challengeId, code, onFile }
    const answer = await submitCode(options, input)
    const { status, test } = answer.data
    plugins.heard({ tenantId: input.tenantId, test: test === true }, { type: 'submitted', status })
    if (answer.data.test !== true) await noteFile(context, answer.reportJson)
    return answerWith(context, answer)
  })

  serve(routes, operations.openCreditReport, async (context, { dateOfBirth }) => {
    const creditReportId = context.req.param('creditReportId')
    return await tryDateOfBirth(options, { tenantId: context.get('tenantId'), creditReportId, dateOfBirth })
  })

  serve(routes, operations.resendSms, async (context, body) => {
    const creditReportId = context.req.param('creditReportId')
    const key = keyOf(context, `resend ${creditReportId}`, body)
    const input = { tenantId: context.get('tenantId'), creditReportId, ...body, key }
    return answerWith(context, await resendText(options, input))
  })

  return routes

  function keyOf(context: Context<ServiceEnv>, operation: string, body: unknown) {
    return readIdempotencyKey(context.req.raw, keys.indexes, { tenantId: context.get('tenantId'), operation, body })
  }
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
