// A mount: the check, the widget's files and the extras behind one handler.
import { guard, type OwnRequest, toBrowserRequest } from './check/browser-request.ts'
import { resendSms, submitCode } from './check/challenge.ts'
import { forgetCurrent, showCurrent } from './check/current.ts'
import { notice } from './check/extra.ts'
import { generate } from './check/generate.ts'
import { createParts, type Parts } from './check/parts.ts'
import { Refusal } from './check/refusal.ts'
import type { Answer, BrowserRequest } from './check/request.ts'
import { findPlace, type Route, requireMethod } from './check/route.ts'
import { type CheckDecision, type CompletedCheck, decide, decideLink, findCompleted } from './decide.ts'
import type { DecideOptions, LinkDecideOptions, WhichCheck } from './decide-options.ts'
import { createEmit, type Emit } from './events.ts'
import { BodyTaken, fromRequest, type Incoming, json, type Outgoing, protect, refusal, toResponse } from './exchange.ts'
import { createAddressLookup } from './extras/addresses.ts'
import { type Diagnosis, writeDiagnosis } from './extras/diagnosis.ts'
import { createDoctor, diagnose, diagnoseMistake, sayDiagnosis } from './extras/doctor.ts'
import { createDrafts } from './extras/draft.ts'
import { createNotices, createWatch, type Notices } from './extras/notices.ts'
import { createReadiness, type Readiness } from './extras/readiness.ts'
import { createReopening } from './extras/reopen.ts'
import { type BeginOptions, begin, createStarts } from './extras/start.ts'
import { createStepCount } from './extras/steps.ts'
import { createWebhooks } from './extras/webhook.ts'
import type { ProxyContext, TenantProxyOptions } from './options.ts'
import { findPackagedFiles } from './packaged-files.ts'
import { checkOptions, isLazy, readMountPath, readOptions, type Settings } from './settings.ts'
import { createWidgetFiles, WIDGET_FILE, type WidgetFiles } from './widget-files.ts'

export type TenantProxy = {
  /** Answers one request. Never throws: what goes wrong is an answer too. */
  (request: Request, context?: ProxyContext): Promise<Response>
  /** The same for adapters, without `Request` and `Response`. */
  exchange(incoming: Incoming, context: ProxyContext): Promise<Outgoing>
  /**
   * For an applicant you know: the sealed value of the element's `start`, good for one completed check within an hour.
   * @example
   * const start = proxy.begin({ externalReference: order.id, person: { firstName: 'Sam', lastName: 'Lee' } })
   * page.send(`<credit-report-widget start="${start}"></credit-report-widget>`)
   */
  begin(options: BeginOptions): string
  /**
   * The decision for your own routes: how the latest check of this browser ended, and the report, fetched from the
   * service. Rejects when the service cannot be asked: try again.
   * @example
   * const { lastName, dateOfBirth } = order.applicant
   * const decision = await proxy.decide(request, { externalReference: order.id, expect: { lastName, dateOfBirth } })
   * if (decision.status === 'complete') approve(order, decision.report)
   */
  decide(request: OwnRequest, options?: DecideOptions): Promise<CheckDecision>
  /**
   * The same for a link that was sent to an applicant (`POST …/links`): how its newest check ended, from the service
   * alone. `none`: no check has begun, or there is no such link.
   */
  decideLink(linkId: string, options?: LinkDecideOptions): Promise<CheckDecision>
  /**
   * The cheap half of it, from the sealed cookie alone: the latest check of this browser, if it was completed in the
   * last hour.
   */
  completed(request: OwnRequest, which?: WhichCheck): CompletedCheck | null
  /** For adapters: a request of the widget went by that is not below the mount. */
  seeOutside(pathname: string): void
  /** The path of its mount. */
  readonly path: string
  /** `sha384-…` of a file below the mount, for a script tag's `integrity`. */
  integrity(file?: string): string
  /**
   * Resolves when checks can begin; rejects with a `NotReady` that names what keeps them from it: service, credentials,
   * tenant, wallet, agencies, simulated texts. For a start or a readiness probe: what the service says holds for 15
   * seconds.
   */
  ready(): Promise<void>
  /**
   * Checks configuration, service, credentials, tenant, clock and widget files, and says what to fix; with `url`, the
   * mount as browsers see it, also what stands in front of it.
   */
  doctor(where?: { url?: string }): Promise<Diagnosis[]>
  /** Resolves when every hook in progress has settled; await it before the process ends. */
  drain(): Promise<void>
}

/**
 * One handler for a lender's server: everything between the widget and the service that a browser must not hold or
 * decide.
 * @example
 * const credentials = { clientId: process.env.CLIENT_ID, clientSecret: process.env.CLIENT_SECRET }
 * const proxy = createTenantProxy({ service: 'https://reports.example', tenantId: 'acme', credentials })
 * createServer(toNodeHandler(proxy)).listen(3000)
 */
export function createTenantProxy(options: TenantProxyOptions): TenantProxy {
  checkOptions(options)
  const emit = createEmit(options.onEvent)
  let made: Mount | null = null
  const getMount = (): Mount => {
    made ??= createMount(readOptions(options), emit)
    return made
  }
  // Options are checked now where they can be, so that a mistake stops the start; a promised one is checked at the
  // first request.
  if (!isLazy(options)) getMount()

  async function exchange(incoming: Incoming, context: ProxyContext): Promise<Outgoing> {
    try {
      const mount = findMount()
      mount.readiness.begin(mount.settings.doctor ? () => sayDiagnosis(mount) : null)
      return protect(await answer(incoming, context, mount))
    } catch (error) {
      return protect(refusal(refusalOf(error)))
    }
  }

  function findMount(): Mount {
    try {
      return getMount()
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
      return new Refusal('misconfigured', { message: problem })
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
    begin: (options: BeginOptions) => begin(options, findMount().parts),
    decide: async (request: OwnRequest, options: DecideOptions = {}) => decide(request, options, findMount().parts),
    decideLink: async (linkId: string, options: LinkDecideOptions = {}) =>
      decideLink(linkId, options, findMount().parts),
    completed(request: OwnRequest, which: WhichCheck = {}) {
      try {
        return findCompleted(request, which, findMount().parts)
      } catch (error) {
        if (error instanceof Refusal) return null
        throw error
      }
    },
    integrity: (file = WIDGET_FILE) => getMount().files.integrity(file),
    seeOutside(pathname: string) {
      try {
        findMount().notices.seeOutside(pathname)
      } catch {
        // A fault in the options is reported.
      }
    },
    async ready() {
      const { readiness, files } = getMount()
      const fault = files.findFault()
      const faults = [
        ...(await readiness.faults()).map(writeDiagnosis),
        ...(fault ? [`widget-files: ${fault.message}: ${fault.fix}`] : []),
      ]
      if (faults.length > 0) throw new NotReady(faults)
    },
    async doctor({ url }: { url?: string } = {}) {
      try {
        const mount = getMount()
        const found = await diagnose(mount, url)
        mount.readiness.learn(found)
        return found
      } catch (error) {
        return [diagnoseMistake(error)]
      }
    },
    async drain() {
      if (made === null) return
      const { extras, reports, outcomes, consents } = made.parts
      await Promise.all([...extras, reports, outcomes, consents].map((each) => each.drain?.()))
    },
  })
}

/** Everything behind one mount. */
type Mount = { settings: Settings; parts: Parts; files: WidgetFiles; notices: Notices; readiness: Readiness }

/** Why no check can begin. */
export class NotReady extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`no check can begin: ${faults.join('; ')}`)
    this.name = 'NotReady'
    this.faults = faults
  }
}

/** The one place that names the extras. */
function createMount(settings: Settings, emit: Emit): Mount {
  const files = createWidgetFiles({
    current: settings.widgetFiles ?? findPackagedFiles(),
    previous: settings.previousFiles ?? null,
  })
  if (settings.isProduction && settings.test) {
    emit({ type: 'misconfigured', problem: 'test mode in production: every report is invented: remove `test`' })
  }
  // A copy of the lender's own may be half of one: then every consumer fails where the missing file is needed.
  const fault = settings.widgetFiles === undefined ? null : files.findFault()
  if (fault) emit({ type: 'misconfigured', problem: `\`widgetFiles\`: ${fault.message}: ${fault.fix}` })
  const notices = createNotices({ ...settings, emit })
  const readiness = createReadiness({ settings, emit })
  const parts = createParts(settings, emit, (check) => [
    createWatch(notices),
    readiness,
    createStarts(check, notices),
    createReopening(check),
    createDrafts(check),
    createAddressLookup(check, notices),
    createStepCount(check),
    createWebhooks(check),
    createDoctor({ settings, files, notices }),
  ])
  return { settings, parts, files, notices, readiness }
}

/** Finds out what is asked and who asks, and lets the right handler answer. Throws the `Refusal` where none may. */
async function answer(incoming: Incoming, context: ProxyContext, { parts, files }: Mount): Promise<Outgoing> {
  const { settings, extras } = parts
  const place = findPlace(incoming.url.pathname, { ...settings, extras })
  const route = place?.route
  if (!place) notice(parts, { what: 'outside', pathname: incoming.url.pathname })
  if (!place || !route) throw new Refusal('not-found')
  requireMethod(incoming.method, route)
  if (route.to === 'file') {
    const file = await files.serve(route.name, incoming, { compress: settings.compress ?? !incoming.hostCompresses })
    if (file) return file
    throw new Refusal('not-found')
  }
  const browserRequest = toBrowserRequest(incoming, context, place, settings)
  const answered = await answerBrowser(browserRequest, route, parts)
  return 'headers' in answered ? answered : toOutgoing(answered, browserRequest, parts)
}

async function answerBrowser(
  browserRequest: BrowserRequest,
  route: Exclude<Route, { to: 'file' }>,
  parts: Parts,
): Promise<Answer | Outgoing> {
  switch (route.to) {
    case 'extra':
      return route.answer(browserRequest)
    case 'current':
      if (browserRequest.incoming.method !== 'DELETE') return showCurrent(browserRequest, parts)
      guard(browserRequest, 'forget', parts)
      return forgetCurrent(browserRequest, parts)
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

const NOTHING: Outgoing = { status: 204, headers: { 'Cache-Control': 'no-store' }, body: null }

function toOutgoing(answer: Answer, browserRequest: BrowserRequest, { cookie, extras }: Parts): Outgoing {
  const { place, incoming } = browserRequest
  const outgoing = 'refusal' in answer ? refusal(answer.refusal) : answer.body === null ? NOTHING : json(answer.body)
  const cookies = [
    ...(answer.probe ? [cookie.probe(place)] : []),
    ...(answer.tickets ? [cookie.write(answer.tickets, place)] : []),
    ...(answer.seen ? [cookie.see(answer.seen, incoming.headers, place)] : []),
    ...(answer.cookies ?? []),
    ...extras.flatMap((extra) => extra.cookies?.(browserRequest, answer) ?? []),
  ]
  return { ...outgoing, cookies }
}
