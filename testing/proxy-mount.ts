// The proxy as a lender mounts it, for tests: a browser in front of it, a service behind it, and a clock that a test
// moves.
import type * as z from 'zod/mini'
import { ErrorBody } from '../contract/envelope.ts'
import { ProxyReport } from '../contract/tenant-proxy.ts'
import type { ProxyEvent } from '../tenant-proxy/events.ts'
import type { TenantProxyOptions } from '../tenant-proxy/options.ts'
import { createTenantProxy, type TenantProxy } from '../tenant-proxy/tenant-proxy.ts'
import { createTestBrowser, type TestBrowser } from './proxy-browser.ts'
import { proxyOptions, startTestService, type TestService } from './proxy-service.ts'

export class TestMount {
  readonly service: TestService
  nowMs = Date.parse('2026-11-15T12:00:00Z')
  events: ProxyEvent[] = []
  proxy: TenantProxy
  browser: TestBrowser

  constructor(service: TestService) {
    this.service = service
    this.proxy = this.#create({})
    this.browser = createTestBrowser(this.proxy)
  }

  /** Another proxy in its place, with another browser. */
  mount(options: Partial<TenantProxyOptions> = {}): void {
    this.events = []
    this.proxy = this.#create(options)
    this.browser = createTestBrowser(this.proxy)
  }

  /** A check that waits for its code, about the sample person unless `change` says otherwise. */
  async begin(change: object = {}): Promise<{ creditReportId: string; challengeId: string; base: string }> {
    const { creditReportId = '', challenge } = await report(await this.browser.generate(change))
    return { creditReportId, challengeId: challenge?.challengeId ?? '', base: `/credit-reports/${creditReportId}` }
  }

  /** The last request to the service. */
  lastBody(): unknown {
    return JSON.parse(this.service.seen.at(-1)?.body ?? 'null')
  }

  #create(options: Partial<TenantProxyOptions>): TenantProxy {
    return createTenantProxy({
      ...proxyOptions(this.service),
      clock: () => this.nowMs,
      onEvent: (event) => this.events.push(event),
      limits: { generatesMax: 100, writesMax: 1_000 },
      ...options,
    })
  }
}

export async function createTestMount(): Promise<TestMount> {
  return new TestMount(await startTestService())
}

export async function report(response: Response): Promise<z.output<typeof ProxyReport>['data']> {
  const body = await response.json()
  if (response.status !== 200) throw new Error(`${response.status} ${JSON.stringify(body)}`)
  return ProxyReport.parse(body).data
}

export async function refused(response: Response): Promise<{ status: number } & z.output<typeof ErrorBody>> {
  return { status: response.status, ...ErrorBody.parse(await response.json()) }
}
