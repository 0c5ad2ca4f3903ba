import { type Context, Hono } from 'hono'
import { OtpSubmit, type ResendResult, ResendSms } from '../../contract/challenge.ts'
import type { WalletMeta } from '../../contract/envelope.ts'
import { generateRequest } from '../../contract/generate.ts'
import { SENDS_MAX } from '../../contract/limits.ts'
import { CHALLENGE_EXPIRES_IN_HEADER } from '../../contract/tenant-proxy.ts'
import { answerMetered, timeTakenMs } from '../http/answer.ts'
import { callerKey } from '../http/caller.ts'
import type { ServiceEnv } from '../http/context.ts'
import { readJson } from '../http/read-json.ts'
import { REPLAYED_HEADER, readIdempotencyKey } from '../idempotency/key.ts'
import { generateLive } from './generate-live.ts'
import { generateTest } from './generate-test.ts'
import type { ReportParts } from './parts.ts'
import { resendText } from './resend-text.ts'
import { submitCode } from './submit-code.ts'

/** Mounted below `/{tenantId}/v1/credit-reports`, behind the check that the caller belongs to the tenant. */
export function creditReportRoutes(parts: ReportParts): Hono<ServiceEnv> {
  const { keys, settings, clock } = parts
  const Generate = generateRequest({ bureaus: settings.bureaus, nowMs: clock })
  const routes = new Hono<ServiceEnv>()

  routes.post('/', async (context) => {
    const request = await readJson(context.req.raw, Generate)
    const key = keyOf(context, 'generate', request)
    const input = { tenantId: context.get('tenantId'), request, key, elapsedMs: () => timeTakenMs(context) }
    const answer = request.test === true ? await generateTest(parts, input) : await generateLive(parts, input)
    parts.onAnswered?.(answer.data.status)
    const wallet = { balance: answer.balanceCredits, cost: answer.costCredits }
    return answerAgain(context, { ...answer, wallet })
  })

  routes.post('/:creditReportId/otp-challenge', async (context) => {
    const { challengeId, code } = await readJson(context.req.raw, OtpSubmit)
    const reportId = context.req.param('creditReportId')
    const answer = await submitCode(parts, { tenantId: context.get('tenantId'), reportId, challengeId, code })
    parts.onAnswered?.(answer.data.status)
    return answerMetered(context, answer.data, { balance: answer.balanceCredits, cost: 0 }, expiryHeader(answer))
  })

  routes.post('/:creditReportId/resend-sms', async (context) => {
    const body = await readJson(context.req.raw, ResendSms)
    const reportId = context.req.param('creditReportId')
    const key = keyOf(context, `resend ${reportId}`, body)
    const elapsedMs = () => timeTakenMs(context)
    const answer = await resendText(parts, { tenantId: context.get('tenantId'), reportId, ...body, key, elapsedMs })
    const { smsSentCount } = answer
    const data: ResendResult = { remainingSmsCount: SENDS_MAX - smsSentCount, smsSentCount }
    return answerAgain(context, { ...answer, data })
  })

  return routes

  function keyOf(context: Context<ServiceEnv>, operation: string, body: unknown) {
    const caller = callerKey(context.get('caller'))
    return readIdempotencyKey(context.req.raw, keys.indexes, {
      tenantId: context.get('tenantId'),
      caller,
      operation,
      body,
    })
  }
}

type Repeatable = {
  data: object
  wallet?: WalletMeta
  timeTakenMs: number
  replayed: boolean
  expiresInSeconds: number | null
}

/** An answer whose time was kept with it, so that a replay says word for word the same. */
function answerAgain(context: Context<ServiceEnv>, answer: Repeatable): Response {
  const { data, wallet, replayed, timeTakenMs } = answer
  const headers = { ...expiryHeader(answer), ...(replayed ? { [REPLAYED_HEADER]: 'true' } : {}) }
  return context.json({ meta: { request: { timeTakenMs }, ...(wallet ? { wallet } : {}) }, data }, 200, headers)
}

function expiryHeader({ expiresInSeconds }: { expiresInSeconds: number | null }): { [name: string]: string } {
  return expiresInSeconds === null ? {} : { [CHALLENGE_EXPIRES_IN_HEADER]: `${expiresInSeconds}` }
}
