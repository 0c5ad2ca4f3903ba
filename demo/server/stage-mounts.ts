// Builds the stages of the preview: real proxies in front of the real service, each with what goes wrong there.
import { createTenantProxy, type TenantProxy, type TenantProxyOptions } from '../../tenant-proxy/index.ts'
import { describePerson } from '../people.ts'
import { STAGES_PATH, type StageName, stageOf } from '../stages.ts'
import type { Clocks } from './clocks.ts'
import { credentials } from './credentials.ts'
import { faults } from './faults.ts'
import type { Recorder } from './recorder.ts'

type StageOptions = {
  /** The addresses at which this process and browsers reach the service. */
  service: string
  publicServiceUrl: string
  clocks: Clocks
  recorder: Recorder
}

export type Visitor = { remoteAddress: string | undefined; hangUp: () => void }

/** Runs with a mount of their own that are remembered; older ones are built again if they are asked for. */
const OWN_MOUNTS_MAX = 200

export function createStageMounts(parts: StageOptions) {
  const proxies = new Map<string, TenantProxy>()

  function proxyAt(path: string, stage: StageName): TenantProxy {
    const known = proxies.get(path)
    if (known) return known
    const proxy = createTenantProxy({ ...optionsFor(stage, parts), path })
    const [oldest] = proxies.keys()
    if (oldest !== undefined && proxies.size >= OWN_MOUNTS_MAX) proxies.delete(oldest)
    proxies.set(path, proxy)
    return proxy
  }

  async function visit(stage: StageName, request: Request, visitor: Visitor): Promise<Response | null> {
    const mount = `${STAGES_PATH}/${stage}`
    const rest = new URL(request.url).pathname.slice(mount.length)
    const isTest = stageOf(stage).mount === 'test'
    const [, label] = (isTest ? /^\/test\/[^/]+\/[^/]+\/([\w-]+)/ : /^\/([\w-]+)/).exec(rest) ?? []
    if (label === undefined) return null
    const proxy = proxyAt(isTest ? mount : `${mount}/${label}`, stage)
    const { before } = faults[stage] ?? {}
    const next = (passed: Request) => proxy(passed, { remoteAddress: visitor.remoteAddress })
    return parts.recorder.recordVisit(label, request, (asked) => (before ? before(asked, next, visitor) : next(asked)))
  }

  return {
    /** The start that the lender's server seals for the page of an applicant it knows. */
    begin(stage: StageName, label: string, request: Request): string {
      const { addresses = [], ...person } = describePerson('sam', 1)
      const known = { ...person, mobileNumber: '+447700900123' }
      return proxyAt(`${STAGES_PATH}/${stage}/${label}`, stage).begin({ person: known, addresses, request })
    },
    /** Answers a request below a stage; null when the path names no run. */
    visit,
    /** The findings of a proxy set up like the stage's about itself, by the right time. */
    doctor: (stage: StageName) =>
      createTenantProxy({ ...optionsFor(stage, parts), clock: Date.now, path: `${STAGES_PATH}/${stage}` }).doctor(),
  }
}

export type StageMounts = ReturnType<typeof createStageMounts>

function optionsFor(
  stage: StageName,
  { service, publicServiceUrl, clocks, recorder }: StageOptions,
): TenantProxyOptions {
  const { tenantId, mount } = stageOf(stage)
  const { between, options } = faults[stage] ?? {}
  const ask: typeof fetch = between ? (input, init) => between(new Request(input, init), fetch) : fetch
  return {
    service,
    publicServiceUrl,
    tenantId,
    credentials: credentials[tenantId],
    testScenarios: mount === 'test',
    clock: clocks.of(tenantId),
    fetch: recorder.wrapFetch(ask),
    // The inspector shows what happens, and only what the consumer's browser causes; the terminal needs no warning as
    // well.
    onEvent: () => undefined,
    doctor: false,
    ...options,
  }
}
