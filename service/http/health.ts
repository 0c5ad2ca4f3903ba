import { Hono } from 'hono'
import type { Log } from '../log.ts'
import type { Database } from '../store/database.ts'
import { unavailable } from './api-error.ts'
import type { ServiceEnv } from './context.ts'
import { httpRows } from './operations.ts'
import { serve } from './serve.ts'

const PROBE_MS = 2_000

type HealthOptions = {
  database: Pick<Database, 'probe'>
  log: Log
  /**
   * Why this process wants no new work whatever the database says, as a code: it is shutting down, or its clock is off.
   */
  refusal(): string | null
}

/** Why this process must get no work now, as a code; null when it can. */
export type Readiness = () => Promise<string | null>

export function createReadiness({ database, log, refusal }: HealthOptions): Readiness {
  let last: string | null = null

  /** Once per change: probes come every second. */
  function tell(code: string | null): void {
    if (code === last) return
    last = code
    if (code === null) log.info('ready')
    else log.warn('not ready', { code })
  }

  return async () => {
    const code = refusal() ?? (await inTime(database.probe()))
    tell(code)
    return code
  }
}

/** `/healthz`: this process answers; nothing else is asked. `/readyz`: and it can write; send it work. */
export function healthRoutes(readiness: Readiness): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()
  serve(routes, httpRows.operations.checkHealth, (context) => context.json({ status: 'ok' }))
  serve(routes, httpRows.operations.checkReadiness, async (context) => {
    if ((await readiness()) !== null) throw unavailable()
    return context.json({ status: 'ready' })
  })
  return routes
}

async function inTime(probe: ReturnType<Database['probe']>): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, PROBE_MS, 'too-late')
  })
  try {
    return await Promise.race([probe.then(({ refusal }) => refusal), tooLate])
  } finally {
    clearTimeout(timer)
  }
}
