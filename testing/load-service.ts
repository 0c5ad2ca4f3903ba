// A service under a load of its own making, as a process: told over IPC what to ask itself, it answers what that took.
import { createTenant } from '../service/tenants/store.ts'
import { topUp } from '../service/wallet/store.ts'
import { createTestApp, liveRequest } from './test-app.ts'

export type Load = {
  /** How many lenders take turns. */
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

const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir = '' } = process.env
const app = await createTestApp(databaseUrl ? { databaseUrl } : { dataDir })
for (let index = 0; index <= LENDERS_MAX; index += 1) {
  const id = lenderOf(index)
  const created = await createTenant(app.database, { id, name: 'Lender', nowMs: app.time.nowMs })
  if (created) await topUp(app.database, { tenantId: id, credits: CREDITS, reference: 'first', nowMs: app.time.nowMs })
}

function lenderOf(index: number): string {
  return `lender-${index}`
}

async function generate(tenantId: string): Promise<number> {
  const beganMs = performance.now()
  const { status } = await app.generate(liveRequest(), { token: tenantId, 'Idempotency-Key': crypto.randomUUID() })
  if (status !== 200) throw new Error(`generate answered ${status}`)
  return performance.now() - beganMs
}

async function bear({ lenders, requests, atOnce, burst = 0 }: Load): Promise<LoadResult> {
  const times: number[] = []
  let asked = 0
  async function work(): Promise<void> {
    while (asked < requests) {
      asked += 1
      times.push(await generate(lenderOf(asked % lenders)))
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
