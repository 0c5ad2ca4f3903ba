// A service in a process of its own, to be ended in every way a process can end.
import { type RunningModule, startModule } from '../../testing/run-module.ts'
import { liveRequest } from '../../testing/test-app.ts'
import type { ReportAnswer } from './must.ts'

export type ServiceChild = {
  url: string
  call(
    path: string,
    body: unknown,
    headers?: { [name: string]: string },
  ): Promise<{ status: number; body: { data: ReportAnswer } }>
  /** The newest text of the simulated phone for a report. */
  codeOf(creditReportId: string): Promise<string>
  /** The session of a browser with the fingerprint script. */
  openSession(): Promise<string>
  /** The request of a load balancer. */
  isReady(): Promise<boolean>
  /** Asks it to stop; resolves to its exit code. */
  terminate(): Promise<number | null>
  kill(): Promise<void>
}

/** For `env`: what the process runs before the service. */
export function runFirst(code: string): { NODE_OPTIONS: string } {
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` }
}

/** A token lives fifteen minutes; a run may take longer. */
const TOKEN_USED_MS = 600_000

/**
 * Starts a service and signs in as the demo's lender. `env` is that of the process, `environment` what the service
 * reads.
 */
export async function startChild(
  environment: { [name: string]: string },
  env: { [name: string]: string } = {},
): Promise<ServiceChild> {
  const settings = {
    DEMO: '1',
    PORT: '0',
    RATE_LIMIT_PER_MINUTE: '100000000',
    SECRET_KEY: 'a secret key for faults that is long enough',
    PUBLIC_URL: 'http://service.test',
    ...environment,
  }
  const child: RunningModule = await startModule(new URL('run-service.ts', import.meta.url), settings, env)
  const line = await child.nextLine()
  if (line === null) throw new Error('the service did not start')
  const url = line
  let token = await signIn(url)
  let signedInAtMs = performance.now()

  async function call(path: string, body: unknown, headers: { [name: string]: string } = {}) {
    if (performance.now() - signedInAtMs > TOKEN_USED_MS) {
      token = await signIn(url)
      signedInAtMs = performance.now()
    }
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}`, ...headers },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: await response.json() }
  }

  return {
    url,
    call,
    async openSession() {
      const headers = { 'Content-Type': 'text/plain' }
      const response = await fetch(`${url}/v1/fingerprints/device/sessions`, {
        method: 'POST',
        headers,
        body: 'cores=4',
      })
      return response.text()
    },
    async codeOf(creditReportId) {
      const response = await fetch(`${url}/demo/sms`)
      const texts: { creditReportId: string; body: string }[] = await response.json()
      return /^\d{6}/.exec(texts.find((text) => text.creditReportId === creditReportId)?.body ?? '')?.[0] ?? ''
    },
    isReady: () =>
      fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    async terminate() {
      child.process.kill('SIGTERM')
      return child.ended
    },
    kill: () => child.kill(),
  }
}

export async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/v1/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'demo-lender',
      client_secret: 'demo-secret',
    }),
  })
  if (!response.ok) throw new Error(`no token: ${response.status}`)
  const { access_token: token } = await response.json()
  return token
}

/** A consumer whom no limit has counted before. */
export function strangerOf(number: number) {
  return {
    ...liveRequest(),
    dateOfBirth: new Date(Date.UTC(1950, 0, number)).toISOString().slice(0, 10),
    mobileNumber: `+4477${String(number).padStart(4, '0')}0123`,
    ipAddress: `198.51.100.${number}`,
  }
}
