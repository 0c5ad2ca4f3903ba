import type { LogFields } from './log.ts'

const FRAMES_SHOWN_MAX = 3
const CAUSES_SHOWN_MAX = 4

/**
 * The log fields of a failure: its class, its code, its place and its cause. Never its message:
 * databases and parsers put the offending value there, which may be personal data.
 */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { errorClass: typeof error }
  return {
    errorClass: classOf(error),
    errorCode: codeOf(error),
    errorAt: framesOf(error),
    errorCause: causesOf(error),
  }
}

function classOf(error: Error): string {
  return /^\w{1,60}$/.test(error.name) ? error.name : 'Error'
}

function codeOf(error: Error): string | undefined {
  const code = 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[\w-]{1,60}$/.test(code) ? code : undefined
}

/** Each cause by its code or its class, as `TypeError < ECONNREFUSED`. */
function causesOf(error: Error): string | undefined {
  const causes: string[] = []
  let { cause } = error
  while (cause instanceof Error && causes.length < CAUSES_SHOWN_MAX) {
    causes.push(codeOf(cause) ?? classOf(cause))
    cause = cause.cause
  }
  return causes.join(' < ') || undefined
}

/** The innermost places, as `file.ts:12 < caller.ts:34`. */
function framesOf(error: Error): string | undefined {
  const heading = String(error.message)
  const stack = error.stack ?? ''
  // The stack begins with the message, which may itself look like frames: only what follows it counts.
  const frames = stack.slice(stack.indexOf(heading) + heading.length)
  const places = [...frames.matchAll(/([\w.-]{1,60}):(\d+):\d+\)?$/gm)].slice(0, FRAMES_SHOWN_MAX)
  return places.map(([, file, line]) => `${file}:${line}`).join(' < ') || undefined
}
