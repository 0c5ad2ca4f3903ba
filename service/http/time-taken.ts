import type { Context } from 'hono'
import type { ServiceEnv } from './context.ts'

/** Whole milliseconds since the request arrived, rounded up: work that was done never took no time. */
export function timeTakenMs(context: Context<ServiceEnv>): number {
  return Math.ceil(performance.now() - context.get('arrivedAtMs'))
}
