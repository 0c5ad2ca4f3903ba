import { Hono } from 'hono'
import type { Queries } from '../store/database.ts'
import { unavailable } from './errors.ts'

const PROBE_MS = 2_000

export type HealthOptions = {
  database: Pick<Queries, 'first'>
  /** True once the service is shutting down: it still answers, and wants no new work. */
  isDraining(): boolean
}

/** `/healthz`: this process serves. `/readyz`: and so does its database; send it work. */
export function healthRoutes({ database, isDraining }: HealthOptions): Hono {
  return new Hono()
    .get('/healthz', (context) => context.json({ status: 'ok' }))
    .get('/readyz', async (context) => {
      if (isDraining() || !(await answersInTime(database))) throw unavailable()
      return context.json({ status: 'ready' })
    })
}

async function answersInTime(database: Pick<Queries, 'first'>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, PROBE_MS, false)
  })
  const probe = database.first('SELECT 1 AS one').then(
    () => true,
    () => false,
  )
  try {
    return await Promise.race([probe, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
