import { answer } from './answer.ts'
import { type CompletedCheck, findCompleted } from './current.ts'
import { type Diagnosis, diagnose } from './doctor.ts'
import { createEmit } from './events.ts'
import { BodyTaken, fromRequest, type Incoming, type Outgoing, protect, refusal, toResponse } from './exchange.ts'
import type { ProxyContext, TenantProxyOptions } from './options.ts'
import { createParts, type Parts } from './parts.ts'
import type { NodeHeaders } from './read-message.ts'
import { Refusal } from './refusal.ts'
import { isLazy, readMountPath, readOptions } from './settings.ts'
import { WIDGET_FILE } from './widget-files.ts'

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
