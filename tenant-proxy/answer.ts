import { findClientAddress } from '../kit/client-address.ts'
import { isLoopbackHost } from '../kit/network.ts'
import { mayWrite } from '../kit/same-origin.ts'
import { listAddresses } from './addresses.ts'
import { type Answer, type BrowserRequest, takeUse } from './browser-request.ts'
import { resendSms, submitCode } from './challenge.ts'
import { forgetCurrent, showCurrent } from './current.ts'
import { diagnose } from './doctor.ts'
import type { Operation } from './events.ts'
import { type Incoming, json, type Outgoing, refusal, traceOf } from './exchange.ts'
import { generate } from './generate.ts'
import type { ProxyContext } from './options.ts'
import type { Parts } from './parts.ts'
import { Refusal } from './refusal.ts'
import { findPlace, type Place, type Route } from './route.ts'
import type { Settings } from './settings.ts'
import { receiveWebhook } from './webhook.ts'

/** Finds out what is asked and who asks, and lets the right handler answer. Throws the `Refusal` where none may. */
export async function answer(incoming: Incoming, context: ProxyContext, parts: Parts): Promise<Outgoing> {
  const { settings, files } = parts
  const place = findPlace(settings.path, incoming.url.pathname, settings.testScenarios)
  const route = place?.route
  if (!place) parts.notices.seeOutside(incoming.url.pathname)
  if (!place || !route) throw new Refusal('not-found')
  requireMethod(incoming.method, route)

  switch (route.to) {
    case 'file': {
      const file = await files.serve(route.name, incoming, { compress: settings.compress ?? incoming.isDirect })
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
    case 'addresses':
      return listAddresses(browserRequest, parts)
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

const METHODS: Record<Route['to'], readonly string[]> = {
  generate: ['POST'],
  'otp-challenge': ['POST'],
  'resend-sms': ['POST'],
  current: ['GET', 'HEAD', 'DELETE'],
  addresses: ['GET'],
  webhook: ['POST'],
  doctor: ['GET', 'HEAD'],
  file: ['GET', 'HEAD'],
}

function requireMethod(method: string, route: Route): void {
  const allowed = METHODS[route.to]
  if (!allowed.includes(method)) throw new Refusal('method-not-allowed', { allow: allowed.join(', ') })
}

function toBrowserRequest(incoming: Incoming, context: ProxyContext, place: Place, settings: Settings): BrowserRequest {
  const { trustedHops, forwardedHeader, secureCookies, publicPath } = settings
  const { remoteAddress } = context
  const { url, headers } = incoming
  return {
    incoming,
    context,
    address: findClientAddress({ remoteAddress, headers, trustedHops, forwardedHeader }),
    story: place.story === undefined ? settings.test : place.story,
    place: {
      path: publicPath + place.subPath,
      isSecure: secureCookies === 'unless-loopback' ? !isLoopbackHost(url.hostname) : secureCookies,
      isPreview: place.story !== undefined,
    },
    trace: traceOf(incoming),
  }
}

/** Before a byte of the body is read: is it the lender's page that writes, and not too often? */
function guard(browserRequest: BrowserRequest, operation: Operation, parts: Parts): void {
  const { method, url, headers } = browserRequest.incoming
  if (!mayWrite({ method, url, headers, allowedOrigins: parts.settings.origins })) {
    parts.emit({ type: 'refused', operation, code: 'forbidden' })
    throw new Refusal('forbidden')
  }
  takeUse(parts.writeLimit, browserRequest, operation, parts)
}

function toOutgoing(answer: Answer, { place }: BrowserRequest, { cookie }: Parts): Outgoing {
  const outgoing = 'refusal' in answer ? refusal(answer.refusal) : json(answer.body)
  if (answer.probe) outgoing.headers['Set-Cookie'] = cookie.probe(place)
  if (answer.tickets) outgoing.headers['Set-Cookie'] = cookie.write(answer.tickets, place)
  return outgoing
}
