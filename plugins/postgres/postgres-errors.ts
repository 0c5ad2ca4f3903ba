// PostgreSQL's errors as ours.
import pg from 'pg'
import { ConstraintViolation, DatabaseUnavailable } from '../../service/store/database.ts'
import { StepFailed } from './postgres-together.ts'

/** Nothing of it has happened, and the same again may well succeed. */
export class TryAgain extends Error {
  readonly code: string
  /** True when another connection must do it: this one remembers a table as it was before it changed. */
  readonly elsewhere: boolean
  constructor(code: string, { elsewhere = false } = {}) {
    super(`try again (${code})`)
    this.name = 'TryAgain'
    this.code = code
    this.elsewhere = elsewhere
  }
}

/** Serialisation failure and deadlock: two transactions crossed each other's path, and this one has to yield. */
const CONFLICTS = ['40001', '40P01']
/** A prepared statement's columns are no longer the table's; its class is shared with what is merely not supported. */
const STALE_PLAN = /^cached plan must not change/
/** Classes of errors that say "not now": connection, resources, operator, system; then lock time-out and read-only. */
const UNAVAILABLE = /^(?:08|53|57|58|XX|55P03|25006)/

export async function guarded<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw inOurWords(error)
  }
}

const OURS = [DatabaseUnavailable, ConstraintViolation, TryAgain]

export function inOurWords(error: unknown): unknown {
  if (error instanceof StepFailed) return inOurWords(error.cause)
  if (OURS.some((ours) => error instanceof ours)) return error
  // Thrown by the work itself: the driver's own failures are plain errors, or have a code.
  if (error instanceof Error && error.constructor !== Error && !('code' in error)) return error
  // Not from the server: the connection itself failed, or the wait for it.
  if (!(error instanceof pg.DatabaseError)) return new DatabaseUnavailable(codeOf(error), { cause: error })
  const code = error.code ?? 'unknown'
  if (CONFLICTS.includes(code)) return new TryAgain(code)
  if (STALE_PLAN.test(error.message)) return new TryAgain(code, { elsewhere: true })
  if (UNAVAILABLE.test(code)) return new DatabaseUnavailable(code, { cause: error })
  if (code.startsWith('23')) return new ConstraintViolation(error.constraint ?? code, { cause: error })
  return error
}

/** Messages of the driver without a code. The first two are about load, not about a server that is away. */
const SAID: [message: RegExp, code: string][] = [
  [/^timeout exceeded when trying to connect/, 'no-free-connection'],
  [/^Query read timeout/, 'query-timeout'],
]

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'disconnected'
  if ('code' in error && typeof error.code === 'string') return error.code
  return SAID.find(([message]) => message.test(error.message))?.[1] ?? 'disconnected'
}
