import { Hono } from 'hono'
import type { Log } from '../log.ts'
import type { Database } from '../store/database.ts'
import { unavailable } from './errors.ts'

const PROBE_MS = 2_000

export type HealthOptions = {
  database: Pick<Database, 'probe'>
  log: Log
  /** Why this process wants no new work whatever the database says, as a code: it is shutting down, or its clock is off. */
  refusal(): string | null
  onAsked?: (isReady: boolean) => void
}

/** `/healthz`: this process answers; nothing else is asked. `/readyz`: and it can write; send it work. */
export function healthRoutes({ database, log, refusal, onAsked }: HealthOptions): Hono {
  let last: string | null = null

  /** Once per change: probes come every second. */
  function tell(code: string | null): void {
    if (code === last) return
    last = code
    if (code === null) log.info('ready')
    else log.warn('not ready', { code })
  }

  return new Hono()
    .get('/healthz', (context) => context.json({ status: 'ok' }))
    .get('/readyz', async (context) => {
      const code = refusal() ?? (await inTime(database.probe()))
      tell(code)
      onAsked?.(code === null)
      if (code !== null) throw unavailable()
      return context.json({ status: 'ready' })
    })
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
