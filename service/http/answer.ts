import type { Context } from 'hono'
import type { WalletMeta } from '../../contract/envelope.ts'
import type { ServiceEnv } from './context.ts'

type Headers = { [name: string]: string }

/** The envelope of a metered operation: what it did, what it cost, what is left. */
export function answerMetered<Data extends object>(
  context: Context<ServiceEnv>,
  data: Data,
  wallet: WalletMeta,
  headers?: Headers,
) {
  return context.json({ meta: { request: { timeTakenMs: timeTakenMs(context) }, wallet }, data }, 200, headers)
}

/** The envelope of an operation that says nothing about the wallet. */
export function answer<Data extends object>(context: Context<ServiceEnv>, data: Data, headers?: Headers) {
  return context.json({ meta: { request: { timeTakenMs: timeTakenMs(context) } }, data }, 200, headers)
}

/** Whole milliseconds since the request arrived, rounded up: work that was done never took no time. */
export function timeTakenMs(context: Context<ServiceEnv>): number {
  return Math.ceil(performance.now() - context.get('arrivedAtMs'))
}
