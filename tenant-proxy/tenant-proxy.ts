import { type AddressLimit, createAddressLimit } from '../kit/address-limit.ts'
import { createBoundedMap } from '../kit/bounded-map.ts'
import { isLoopbackAddress } from '../kit/network.ts'
import { answer } from './answer.ts'
import { type AddedFields, type Completed, type Parts, pastDetails } from './browser-request.ts'
import { type CompletedCheck, findCompleted, type NodeHeaders } from './current.ts'
import { createDelivery } from './delivery.ts'
import { type Diagnosis, diagnose } from './doctor.ts'
import { createEmit, type Emit } from './events.ts'
import { BodyTaken, fromRequest, type Incoming, type Outgoing, toResponse } from './exchange.ts'
import { createNotices } from './notices.ts'
import type { ConsentRecord, Limits, ProxyContext, TenantProxyOptions } from './options.ts'
import { createReadiness } from './readiness.ts'
import { Refusal } from './refusal.ts'
import { protect, refusal } from './respond.ts'
import { createSeal } from './seal.ts'
import { createServiceClient } from './service-client.ts'
import { isLazy, readMountPath, readOptions, type Settings } from './settings.ts'
import type { End } from './ticket.ts'
import { createTicketCookie } from './ticket-cookie.ts'
import { createWidgetFiles, findWidgetFolders, WIDGET_FILE } from './widget-files.ts'

export type TenantProxy = {
  /** Answers one request. Never throws: what goes wrong is an answer too. */
  (request: Request, context?: ProxyContext): Promise<Response>
  /** The same for adapters, without `Request` and `Response`. */
  exchange(incoming: Incoming, context: ProxyContext): Promise<Outgoing>
  /** What the sealed cookie of this browser proves: the check it has completed in the last hour. For your own routes, before you decide on a report. */
  completed(request: { headers: Headers | NodeHeaders }): CompletedCheck | null
  /** Where it is mounted. */
  readonly path: string
  /** `sha384-…` of a file below the mount, for a script tag's `integrity`. */
  integrity(file?: string): string
  /** Checks configuration, service, credentials, tenant, clock and widget files, and says what to mend. */
  doctor(): Promise<Diagnosis[]>
  /** Resolves when every hook under way has settled; await it before the process ends. */
  drain(): Promise<void>
}

/** Requests and checks of which something is remembered. */
const REMEMBERED_MAX = 10_000

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

  async function exchange(incoming: Incoming, context: ProxyContext): Promise<Outgoing> {
    try {
      return protect(await answer(incoming, context, findParts()))
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
    completed: (request: { headers: Headers | NodeHeaders }) => findCompleted(request, getParts()),
    integrity: (file = WIDGET_FILE) => getParts().files.integrity(file),
    doctor: () => diagnose(getParts()),
    async drain() {
      if (made !== null) await Promise.all([made.reports.drain(), made.consents.drain()])
    },
  })
}

function createParts(settings: Settings, emit: Emit): Parts {
  const folders = findWidgetFolders()
  const { serviceUrl, tenantId, credentials, timeoutMs, clock, transport, cookieSecrets } = settings
  const { onReport, consentRecord, trustedHops, path } = settings
  const service = createServiceClient({ serviceUrl, tenantId, credentials, timeoutMs, clock, transport, emit })
  return {
    settings,
    emit,
    files: createWidgetFiles({
      current: settings.widgetFiles ?? folders.current,
      previous: settings.previousFiles ?? folders.previous,
    }),
    details: pastDetails(clock),
    service,
    readiness: createReadiness({ askWallet: service.wallet, clock }),
    cookie: createTicketCookie({ seal: createSeal(cookieSecrets), tenantId, clock }),
    added: createBoundedMap<AddedFields>(REMEMBERED_MAX),
    notices: createNotices({ trustedHops, path, emit }),
    generateLimit: createLimit('generatesMax', settings),
    writeLimit: createLimit('writesMax', settings),
    readLimit: createLimit('writesMax', settings),
    lookupLimit: createLimit('lookupsMax', settings),
    ends: createBoundedMap<End>(REMEMBERED_MAX),
    submits: createBoundedMap<number>(REMEMBERED_MAX),
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

function createLimit(
  name: 'generatesMax' | 'writesMax' | 'lookupsMax',
  { limits, loopbackLimits, clock }: Settings,
): AddressLimit {
  const create = (rule: Limits) =>
    createAddressLimit({ usesMax: rule[name], windowMs: rule.windowSeconds * 1_000, clock })
  const [usual, loopback] = [create(limits), create(loopbackLimits)]
  return { take: (address) => (isLoopbackAddress(address) ? loopback : usual).take(address) }
}
