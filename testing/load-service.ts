// A service in a process of its own that loads itself: it gets its requests over IPC and answers with the time they
// took.

import { topUp } from '../service/ledger/ledger.ts'
import { createTenant } from '../service/ledger/tenants.ts'
import { createTestApp, liveRequest, type TestAppOptions } from './test-app.ts'

export type Load = {
  /** The number of lenders that take turns. */
  lenders: number
  requests: number
  atOnce: number
  /** So many requests of one more lender, all at once, at the same time. @default none */
  burst?: number
}
/** Milliseconds: by the clock, of this process's CPU, and the median of a request. */
export type LoadResult = { wallMs: number; cpuMs: number; medianMs: number }

const LENDERS_MAX = 64
const CREDITS = 1_000_000_000
const TRIES_MAX = 20
const RETRY_MS = 100
const BUREAUS = ['equifax', 'experian', 'transunion']

const {
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir = '',
  GATEWAY_URL: gatewayUrl,
  GATEWAY_TOKEN: token = '',
} = process.env
const where: TestAppOptions = databaseUrl ? { databaseUrl } : { dataDir }
// With a gateway, risk and bureaus are asked over HTTP and every request is allowed; without, every one is challenged.
const http = gatewayUrl ? { RISK_URL: gatewayUrl, RISK_TOKEN: token, BUREAU_URL: gatewayUrl, BUREAU_TOKEN: token } : {}
// One person asks all the time.
const environment = { ...http, SEARCHES_PER_PERSON_PER_DAY: '1000000' }
const asked = gatewayUrl ? { ...liveRequest('Allow'), bureaus: BUREAUS } : liveRequest()
const app = await createTestApp({ ...where, environment })
for (let index = 0; index <= LENDERS_MAX; index += 1) {
  const id = lenderOf(index)
  const created = await createTenant(app.database, { id, name: 'Lender', nowMs: app.time.nowMs })
  if (created) await topUp(app.database, { tenantId: id, credits: CREDITS, reference: 'first', nowMs: app.time.nowMs })
}

function lenderOf(index: number): string {
  return `lender-${index}`
}

/**
 * Resolves to how long it took. A machine busy with other work refuses some: they are repeated under their key, as
 * clients do.
 */
async function generate(tenantId: string): Promise<number> {
  const beganMs = performance.now()
  const key = { 'Idempotency-Key': crypto.randomUUID() }
  for (let tries = 1; ; tries += 1) {
    const { status } = await app.generate(asked, { token: tenantId, ...key })
    if (status === 200) return performance.now() - beganMs
    if (tries === TRIES_MAX) throw new Error(`generate answered ${status}`)
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

async function bear({ lenders, requests, atOnce, burst = 0 }: Load): Promise<LoadResult> {
  const times: number[] = []
  let begun = 0
  async function work(): Promise<void> {
    while (begun < requests) {
      begun += 1
      times.push(await generate(lenderOf(begun % lenders)))
    }
  }
  const [beganMs, cpuBegan] = [performance.now(), process.cpuUsage()]
  const others = Array.from({ length: burst }, () => generate(lenderOf(LENDERS_MAX)))
  await Promise.all(Array.from({ length: atOnce }, work))
  const { user, system } = process.cpuUsage(cpuBegan)
  const wallMs = performance.now() - beganMs
  await Promise.all(others)
  return { wallMs, cpuMs: (user + system) / 1_000, medianMs: times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0 }
}

process.on('message', async (load: Load | 'stop') => {
  if (load === 'stop') {
    await app.close()
    process.disconnect()
  } else process.send?.(await bear(load))
})
process.send?.('ready')
