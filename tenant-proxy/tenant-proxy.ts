import { StepSeen } from '../contract/stats.ts'
import { mayWrite } from '../kit/same-origin.ts'
import {
  type Answer,
  type BrowserRequest,
  type OwnRequest,
  readJson,
  takeUse,
  toBrowserRequest,
} from './check/browser-request.ts'
import { resendSms, submitCode } from './check/challenge.ts'
import { forgetCurrent, showCurrent } from './check/current.ts'
import { generate } from './check/generate.ts'
import { createParts, type Parts } from './check/parts.ts'
import { Refusal } from './check/refusal.ts'
import { findPlace, type Route, requireMethod } from './check/route.ts'
import {
  type CheckDecision,
  type CompletedCheck,
  type DecideOptions,
  decide,
  findCompleted,
  type WhichCheck,
} from './decide.ts'
import { createEmit, type Operation } from './events.ts'
import { BodyTaken, fromRequest, type Incoming, json, type Outgoing, protect, refusal, toResponse } from './exchange.ts'
import { listAddresses } from './extras/addresses.ts'
import { type Diagnosis, diagnose, diagnoseMistake, sayDiagnosis } from './extras/doctor.ts'
import { draftCookies, dropDraft, saveDraft } from './extras/draft.ts'
import { openCurrent } from './extras/reopen.ts'
import { type BeginOptions, begin } from './extras/start.ts'
import { receiveWebhook } from './extras/webhook.ts'
import type { ProxyContext, TenantProxyOptions } from './options.ts'
import { isLazy, readMountPath, readOptions } from './settings.ts'
import { WIDGET_FILE } from './widget-files.ts'

export type TenantProxy = {
  /** Answers one request. Never throws: what goes wrong is an answer too. */
  (request: Request, context?: ProxyContext): Promise<Response>
  /** The same for adapters, without `Request` and `Response`. */
  exchange(incoming: Incoming, context: ProxyContext): Promise<Outgoing>
  /** For an applicant you know: the sealed value of the element's `start`, good for one completed check within an hour. */
  begin(options: BeginOptions): string
  /**
   * What your own routes decide by: how the latest check of this browser ended, and the report, fetched from the service. Rejects when the
   * service cannot be asked: try again.
   */
  decide(request: OwnRequest, options?: DecideOptions): Promise<CheckDecision>
  /** The cheap half of it, from the sealed cookie alone: the latest check of this browser, if it was completed in the last hour. */
  completed(request: OwnRequest, which?: WhichCheck): CompletedCheck | null
  /** Where it is mounted. */
  readonly path: string
  /** `sha384-…` of a file below the mount, for a script tag's `integrity`. */
  integrity(file?: string): string
  /** Checks configuration, service, credentials, tenant, clock and widget files, and says what to fix. */
  doctor(): Promise<Diagnosis[]>
  /** Resolves when every hook in progress has settled; await it before the process ends. */
  drain(): Promise<void>
}

/** One handler for a lender's server: everything between the widget and the service that a browser must not hold or decide. */
export function createTenantProxy(options: TenantProxyOptions): TenantProxy {
  const emit = createEmit(options.onEvent)
  let made: Parts | null = null
  const getParts = (): Parts => {
    made ??= createParts(readOptions(options), emit)
    return made
  }
  // What can be checked now is: a mistake stops the start, unless the values come later.
  if (!isLazy(options)) getParts()

  let diagnosis: Promise<void> | null = null
  async function exchange(incoming: Incoming, context: ProxyContext): Promise<Outgoing> {
    try {
      const parts = findParts()
      if (parts.settings.doctor) diagnosis ??= sayDiagnosis(parts)
      return protect(await answer(incoming, context, parts))
    } catch (error) {
      return protect(refusal(refusalOf(error)))
    }
  }

  function findParts(): Parts {
    try {
      return getParts()
    } catch (error) {
      emit({ type: 'misconfigured', problem: error instanceof Error ? error.message : String(error) })
      throw new Refusal('misconfigured')
    }
  }

  function refusalOf(error: unknown): Refusal {
    if (error instanceof Refusal) return error
    if (error instanceof BodyTaken) {
      const problem = 'something before the proxy reads the body and leaves nothing of it: mount the proxy first'
      emit({ type: 'misconfigured', problem })
      return new Refusal('misconfigured')
    }
    emit({ type: 'internal-error', error })
    return new Refusal('internal-error')
  }

  async function proxy(request: Request, context: ProxyContext = {}): Promise<Response> {
    return toResponse(await exchange(fromRequest(request), context))
  }

  return Object.assign(proxy, {
    path: readMountPath(options),
    exchange,
    begin: (options: BeginOptions) => begin(options, findParts()),
    decide: async (request: OwnRequest, options: DecideOptions = {}) => decide(request, options, findParts()),
    completed(request: OwnRequest, which: WhichCheck = {}) {
      try {
        return findCompleted(request, which, findParts())
      } catch (error) {
        if (error instanceof Refusal) return null
        throw error
      }
    },
    integrity: (file = WIDGET_FILE) => getParts().files.integrity(file),
    async doctor() {
      try {
        getParts()
      } catch (error) {
        return [diagnoseMistake(error)]
      }
      return diagnose(getParts())
    },
    async drain() {
      await diagnosis
      if (made !== null)
        await Promise.all([
          made.steps.flush(),
          ...[made.reports, made.outcomes, made.consents].map((delivery) => delivery.drain()),
        ])
    },
  })
}

/** Finds out what is asked and who asks, and lets the right handler answer. Throws the `Refusal` where none may. */
async function answer(incoming: Incoming, context: ProxyContext, parts: Parts): Promise<Outgoing> {
  const { settings, files } = parts
  const place = findPlace(settings.path, incoming.url.pathname, settings.testScenarios)
  const route = place?.route
  if (!place) parts.notices.seeOutside(incoming.url.pathname)
  if (!place || !route) throw new Refusal('not-found')
  requireMethod(incoming.method, route)

  switch (route.to) {
    case 'file': {
      const file = await files.serve(route.name, incoming, { compress: settings.compress ?? !incoming.hostCompresses })
      if (file) return file
      throw new Refusal('not-found')
    }
    case 'doctor':
      // It names what is wrong with the lender's set-up: for developers' eyes.
      if (!settings.testScenarios) throw new Refusal('not-found')
      return json(await diagnose(parts))
    case 'webhook':
      return receiveWebhook(incoming, parts)
  }
  const browserRequest = toBrowserRequest(incoming, context, place, settings)
  return toOutgoing(await answerBrowser(browserRequest, route, parts), browserRequest, parts)
}

type BrowserRoute = Exclude<Route, { to: 'file' | 'doctor' | 'webhook' }>

async function answerBrowser(browserRequest: BrowserRequest, route: BrowserRoute, parts: Parts): Promise<Answer> {
  switch (route.to) {
    case 'current':
      if (browserRequest.incoming.method !== 'DELETE') return showCurrent(browserRequest, parts)
      guard(browserRequest, 'forget', parts)
      return forgetCurrent(browserRequest, parts)
    case 'open':
      guard(browserRequest, route.to, parts)
      return openCurrent(browserRequest, parts)
    case 'addresses':
      return listAddresses(browserRequest, parts)
    case 'steps':
      guard(browserRequest, route.to, parts, parts.stepLimit)
      return countStep(browserRequest, parts)
    case 'draft':
      guard(browserRequest, route.to, parts, parts.draftLimit)
      return browserRequest.incoming.method === 'DELETE' ? dropDraft() : saveDraft(browserRequest)
    case 'generate':
      guard(browserRequest, route.to, parts)
      return generate(browserRequest, parts)
    case 'otp-challenge':
      guard(browserRequest, route.to, parts)
      return submitCode(browserRequest, route.creditReportId, parts)
    case 'resend-sms':
      guard(browserRequest, route.to, parts)
      return resendSms(browserRequest, route.creditReportId, parts)
  }
}

/** `POST {mount}/steps`. */
async function countStep({ incoming, place }: BrowserRequest, { steps }: Parts): Promise<Answer> {
  const seen = await readJson(incoming, StepSeen)
  // Below `/test/…` it is the lender's developers who look.
  if (!place.isPreview) steps.count(seen, place)
  return { body: null }
}

/** Before a byte of the body is read: is it the lender's page that writes, and not too often? */
function guard(browserRequest: BrowserRequest, operation: Operation, parts: Parts, limit = parts.writeLimit): void {
  const { method, url, headers } = browserRequest.incoming
  if (!mayWrite({ method, url, headers, allowedOrigins: parts.settings.origins })) {
    parts.notices.seePage(browserRequest, headers.get('Origin'))
    parts.emit({ type: 'refused', operation, code: 'forbidden' })
    throw new Refusal('forbidden')
  }
  takeUse(limit, browserRequest, operation, parts)
}

const NOTHING: Outgoing = { status: 204, headers: { 'Cache-Control': 'no-store' }, body: null }

function toOutgoing(answer: Answer, browserRequest: BrowserRequest, parts: Parts): Outgoing {
  const { place } = browserRequest
  const outgoing = 'refusal' in answer ? refusal(answer.refusal) : answer.body === null ? NOTHING : json(answer.body)
  const cookies = [
    ...(answer.probe ? [parts.cookie.probe(place)] : []),
    ...(answer.tickets ? [parts.cookie.write(answer.tickets, place)] : []),
    ...(answer.seen ? [parts.cookie.see(answer.seen, browserRequest.incoming.headers, place)] : []),
    ...draftCookies(answer, browserRequest, parts),
  ]
  return { ...outgoing, cookies }
}
