/** Without a connection, the request cannot have reached the other side. */
const NEVER_CONNECTED = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]

/**
 * True when a failed call cannot have reached the other side. `fetch` wraps the reason, and wraps it once more when a
 * name has several addresses.
 */
export function wasNeverConnected(error: unknown): boolean {
  return codesOf(error).some((code) => NEVER_CONNECTED.includes(code))
}

function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : []
  const inner = error instanceof AggregateError ? error.errors.flatMap(codesOf) : []
  return [...own, ...inner, ...codesOf(error.cause)]
}

/**
 * Calls `giveUp` after `ms`, once what has arrived is read: in a process that stood still, timers fire before the
 * answers that came meanwhile are read.
 */
export function limitTime(ms: number, giveUp: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(giveUp), ms)
}
