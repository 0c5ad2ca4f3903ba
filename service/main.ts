// The service as a process of its own: `npm run service`.
import { readConfig } from './config.ts'
import { describeError } from './describe-error.ts'
import { explainFailure } from './explain-failure.ts'
import { createLog } from './log.ts'
import { startService } from './start.ts'
import { stopOnSignal } from './stop-on-signal.ts'

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
  const explained = explainFailure(error)
  if (explained !== null) return explained
  const { errorClass, errorCode, errorAt } = describeError(error)
  return ['could not start:', errorClass, errorCode, errorAt].filter(Boolean).join(' ')
}
