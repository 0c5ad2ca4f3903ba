import { createAccessToken } from './access-token.ts'
import type { Added } from './added.ts'
import { createBoundedMap } from './bounded-map.ts'
import { resendSms, showCurrent, submitCode } from './challenge.ts'
import { findClientAddress, limitKey } from './client-address.ts'
import { pastDetails } from './consumer-details.ts'
import { createDelivery } from './delivery.ts'
import { type Diagnosis, diagnose } from './doctor.ts'
import { createEmit } from './events.ts'
import { generate } from './generate.ts'
import { createScopeKey } from './idempotency.ts'
import type { ConsentRecord, ProxyContext, TenantProxyOptions } from './options.ts'
import { Refusal } from './refusal.ts'
import { jsonResponse, protect, refusalResponse } from './respond.ts'
import { findPlace, type Place, type Route } from './route.ts'
import { mayWrite } from './same-origin.ts'
import { createSeal } from './seal.ts'
import { createServiceClient } from './service-client.ts'
import { isLoopback, readOptions, type Settings } from './settings.ts'
import { createTicketCookie } from './ticket-cookie.ts'
import type { Answer, Completed, Parts, Visit } from './visit.ts'
import { createWidgetFiles, findWidgetFolder, WIDGET_FILE, type WidgetFiles } from './widget-files.ts'
import { createWindowLimit } from './window-limit.ts'

export type TenantProxy = {
  /** Answers one request. Never throws: what goes wrong is an answer too. */
  (request: Request, context?: ProxyContext): Promise<Response>
  /** Where it is mounted. */
  readonly path: string
  /** `sha384-…` of a file below the mount, for a script tag's `integrity`. */
  integrity(file?: string): string
  /** Checks configuration, service, credentials, tenant, clock and widget files, and says what to mend. */
  doctor(): Promise<Diagnosis[]>
  /** Resolves when every hook under way has settled; await it before the process ends. */
  drain(): Promise<void>
}

/** Idempotent requests whose additions are remembered. */
const REMEMBERED_MAX = 10_000

/** One handler for a lender's server: everything between the widget and the service that a browser must not hold or decide. */
export function createTenantProxy(options: TenantProxyOptions): TenantProxy {
  const settings = readOptions(options)
  const files = createWidgetFiles(settings.widgetFiles ?? findWidgetFolder())
  const parts = createParts(settings)
  const doctor = () => diagnose(settings, files)

  async function proxy(request: Request, context: ProxyContext = {}): Promise<Response> {
    let response: Response
    try {
      response = await answer({ request, context, parts, files, doctor })
    } catch (error) {
      if (!(error instanceof Refusal)) parts.emit({ type: 'internal-error', error })
      response = refusalResponse(error instanceof Refusal ? error : new Refusal('internal-error'))
    }
    return protect(response)
  }

  return Object.assign(proxy, {
    path: settings.path,
    integrity: (file = WIDGET_FILE) => files.integrity(file),
    doctor,
    async drain() {
      await Promise.all([parts.reports.drain(), parts.consents.drain()])
    },
  })
}

function createParts(settings: Settings): Parts {
  const { serviceUrl, tenantId, credentials, timeoutMs, clock, transport, limits, cookieSecrets } = settings
  const { onReport, consentRecord } = settings
  const emit = createEmit(settings.onEvent)
  const accessToken = createAccessToken({ serviceUrl, credentials, timeoutMs, transport, clock })
  const windowMs = limits.windowSeconds * 1_000
  return {
    settings,
    emit,
    details: pastDetails(clock),
    service: createServiceClient({ serviceUrl, tenantId, timeoutMs, transport, accessToken, emit }),
    cookie: createTicketCookie({ seal: createSeal(cookieSecrets), tenantId, clock }),
    scopeKey: createScopeKey(cookieSecrets[0]),
    added: createBoundedMap<Added>(REMEMBERED_MAX),
    generateLimit: createWindowLimit({ usesMax: limits.generatesMax, windowMs, clock }),
    writeLimit: createWindowLimit({ usesMax: limits.writesMax, windowMs, clock }),
    reports: createDelivery<Completed>({
      hook: 'onReport',
      deliver: ({ report, context }) => onReport?.(report, context),
      emit,
    }),
    consents: createDelivery<ConsentRecord>({
      hook: 'consentRecord',
      deliver: (record) => consentRecord?.(record),
      emit,
    }),
  }
}

type Asked = {
  request: Request
  context: ProxyContext
  parts: Parts
  files: WidgetFiles
  doctor: () => Promise<Diagnosis[]>
}

async function answer({ request, context, parts, files, doctor }: Asked): Promise<Response> {
  const { settings } = parts
  const url = new URL(request.url)
  const place = findPlace(settings.path, url.pathname, settings.testScenarios)
  const route = place?.route
  if (!place || !route) throw new Refusal('not-found')
  requireMethod(request.method, route)

  switch (route.to) {
    case 'file': {
      const response = await files.respond(route.name, request)
      if (response) return response
      throw new Refusal('not-found')
    }
    case 'doctor':
      // It names what is wrong with the lender's set-up: for developers' eyes.
      if (!settings.testScenarios) throw new Refusal('not-found')
      return jsonResponse(await doctor())
    case 'current': {
      const visit = openVisit(request, context, url, place, settings)
      return toResponse(showCurrent(visit, parts), visit, parts)
    }
    default: {
      const visit = openVisit(request, context, url, place, settings)
      guard(visit, url, route.to, parts)
      return toResponse(await write(visit, route, parts), visit, parts)
    }
  }
}

type WriteRoute = Extract<Route, { to: 'generate' | 'otp-challenge' | 'resend-sms' }>

function write(visit: Visit, route: WriteRoute, parts: Parts): Promise<Answer> {
  if (route.to === 'generate') return generate(visit, parts)
  const act = route.to === 'otp-challenge' ? submitCode : resendSms
  return act(visit, route.creditReportId, parts)
}

function requireMethod(method: string, route: Route): void {
  const isRead = route.to === 'file' || route.to === 'current' || route.to === 'doctor'
  const allowed = isRead ? ['GET', 'HEAD'] : ['POST']
  if (!allowed.includes(method)) throw new Refusal('method-not-allowed', { allow: allowed.join(', ') })
}

function openVisit(request: Request, context: ProxyContext, url: URL, place: Place, settings: Settings): Visit {
  const { trustedHops, forwardedHeader, secureCookies, publicPath } = settings
  const { remoteAddress } = context
  return {
    request,
    context,
    address: findClientAddress({ remoteAddress, headers: request.headers, trustedHops, forwardedHeader }),
    story: place.story === undefined ? settings.test : place.story,
    isPreview: place.story !== undefined,
    place: {
      path: publicPath + place.subPath,
      isSecure: secureCookies === 'unless-loopback' ? !isLoopback(url.hostname) : secureCookies,
    },
  }
}

/** Before a byte of the body is read: is it the lender's page that writes, and not too often? */
function guard({ request, address, isPreview }: Visit, url: URL, operation: WriteRoute['to'], parts: Parts): void {
  const { settings, writeLimit, emit } = parts
  if (!mayWrite({ url, headers: request.headers, allowedOrigins: settings.origins })) {
    emit({ type: 'refused', operation, code: 'forbidden' })
    throw new Refusal('forbidden')
  }
  const retryAfterSeconds = isPreview || address === null ? 0 : writeLimit.take(limitKey(address))
  if (retryAfterSeconds === 0) return
  emit({ type: 'refused', operation, code: 'rate-limited' })
  throw new Refusal('rate-limited', { retryAfterSeconds })
}

function toResponse(answer: Answer, { place }: Visit, { cookie }: Parts): Response {
  const response = 'refusal' in answer ? refusalResponse(answer.refusal) : jsonResponse(answer.body)
  if (answer.tickets) response.headers.append('Set-Cookie', cookie.write(answer.tickets, place))
  return response
}
