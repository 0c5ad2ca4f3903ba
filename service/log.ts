// Structured logs that cannot name a person: only the fields below are ever written.
import { AsyncLocalStorage } from 'node:async_hooks'
import { type DestinationStream, destination, pino } from 'pino'
import type { Trace } from '../kit/trace.ts'

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const
type LogLevel = (typeof LOG_LEVELS)[number]

/**
 * Everything a line may say. Ids, codes, counts and times; never a name, a number, a code, a token or text that a
 * person typed.
 */
const FIELDS = {
  method: string,
  route: string,
  status: number,
  ms: number,
  requestId: string,
  traceId: string,
  tenantId: string,
  clientId: string,
  userId: string,
  creditReportId: string,
  challengeId: string,
  messageId: string,
  jobId: string,
  provider: string,
  engine: string,
  address: string,
  outcome: string,
  code: string,
  signal: string,
  count: number,
  position: number,
  hash: string,
  version: string,
  errorClass: string,
  errorCode: string,
  errorAt: string,
  errorCause: string,
} satisfies { [field: string]: (value: unknown) => string | number | null }

type Field = keyof typeof FIELDS
export type LogFields = { [field in Field]?: ReturnType<(typeof FIELDS)[field]> | undefined }

export interface Log {
  debug(event: string, fields?: LogFields): void
  info(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
  /** Resolves when what was buffered is written; never, while the reader of the standard output is stalled. */
  flush(): Promise<void>
}

type LogOptions = {
  /** @default 'info' */
  level?: LogLevel
  /** The destination of lines. @default the standard output, without ever blocking a request */
  to?: DestinationStream
  /** Throws on a field that is not on the list instead of leaving it out, for tests. @default false */
  strict?: boolean
}

/** Lines beyond it are dropped: a reader that has stalled must not fill the memory. */
const BUFFER_BYTES_MAX = 16_777_216

export function createLog({ level = 'info', to, strict = false }: LogOptions = {}): Log {
  const output = to ?? destination({ dest: 1, sync: false, minLength: 1, maxLength: BUFFER_BYTES_MAX })
  const logger = pino({ level, base: { pid: process.pid }, messageKey: 'event' }, output)
  const pick = (fields: LogFields) => pickFields({ ...namesOf(current.getStore()), ...fields }, strict)
  return {
    debug: (event, fields = {}) => logger.debug(pick(fields), event),
    info: (event, fields = {}) => logger.info(pick(fields), event),
    warn: (event, fields = {}) => logger.warn(pick(fields), event),
    error: (event, fields = {}) => logger.error(pick(fields), event),
    flush: () =>
      new Promise((resolve) => {
        if ('flush' in output && typeof output.flush === 'function') output.flush(() => resolve())
        else resolve()
      }),
  }
}

const current = new AsyncLocalStorage<Trace>()

/** Runs something on behalf of a request: the lines it writes and the calls it makes carry the request's names. */
export function runTraced<T>(trace: Trace, run: () => T): T {
  return current.run(trace, run)
}

/** The request that what runs now is done for, if any. */
export function currentTrace(): Trace | undefined {
  return current.getStore()
}

function namesOf(trace: Trace | undefined): LogFields {
  return trace === undefined ? {} : { requestId: trace.requestId, traceId: trace.traceId }
}

/** For tests and callers that want silence. */
export function createSilentLog(): Log {
  return createLog({ level: 'silent', to: { write: () => {} }, strict: true })
}

function pickFields(fields: LogFields, strict: boolean): { [field: string]: string | number } {
  const picked: { [field: string]: string | number } = {}
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    const written = isField(name) ? FIELDS[name](value) : null
    if (written !== null) picked[name] = written
    else if (strict) throw new TypeError(`log field ${name} is not on the list, or not what the list says`)
  }
  return picked
}

function isField(name: string): name is Field {
  return Object.hasOwn(FIELDS, name)
}

const STRING_LENGTH_MAX = 200

function string(value: unknown): string | null {
  return typeof value === 'string' && value.length <= STRING_LENGTH_MAX ? value : null
}

function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
