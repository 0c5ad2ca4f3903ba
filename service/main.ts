// The service as a process of its own: `npm run service`.
import { ConfigError, readConfig } from './config.ts'
import { describeError } from './describe-error.ts'
import { createLog } from './log.ts'
import { Unsealable } from './secrets/seal.ts'
import { startService } from './start.ts'
import { stopOnSignal } from './stop-on-signal.ts'
import { FolderInUse } from './store/sqlite.ts'

try {
  const config = readConfig(process.env)
  const log = createLog({ level: config.logLevel })
  const service = await startService({ config, log })
  stopOnSignal({ stop: service.stop, log })
  process.stdout.write(`service: ${service.url}\n`)
} catch (error) {
  process.stderr.write(`service: ${whyNot(error)}\n`)
  process.exit(1)
}

/** One line for a person. What may hold a secret or a person's data is told by its class and code alone. */
function whyNot(error: unknown): string {
  if (error instanceof ConfigError || error instanceof FolderInUse) return error.message
  if (error instanceof Unsealable)
    return `SECRET_KEY: expected the one this database was written with (${error.message})`
  const { errorClass, errorCode, errorAt } = describeError(error)
  if (isPortTaken(error)) {
    return `PORT: another process listens on ${error.port} already; stop it, or choose another PORT (0 takes any that is free)`
  }
  return ['could not start:', errorClass, errorCode, errorAt].filter(Boolean).join(' ')
}

function isPortTaken(error: unknown): error is Error & { port: number } {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE' && 'port' in error
}
