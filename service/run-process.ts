// A service as a process of its own: settings from the environment, one line when it serves, one when it cannot, a clean end on a signal.
import { type Config, readConfig } from './config.ts'
import { failureLine } from './explain-failure.ts'
import { createLog, type Log } from './log.ts'
import { logLibraries } from './log-libraries.ts'
import type { Environment } from './setting-reader.ts'
import type { RunningService } from './start.ts'
import { stopOnSignal } from './stop-on-signal.ts'

/** `readSettings` reads what plugins need, before the core's own settings: reading those may write a file. */
export async function runProcess<Settings extends object>(
  readSettings: (environment: Environment) => Settings,
  start: (given: { config: Config & Settings; log: Log; environment: Environment }) => Promise<RunningService>,
): Promise<void> {
  try {
    const settings = readSettings(process.env)
    const config = { ...readConfig(process.env), ...settings }
    const log = createLog({ level: config.logLevel })
    logLibraries(log)
    const service = await start({ config, log, environment: process.env })
    stopOnSignal({ stop: service.stop, log })
    announce(service.url)
  } catch (error) {
    process.stderr.write(`service: ${failureLine('could not start', error)}\n`)
    process.exit(1)
  }
}

/** At every level: a program that starts this one waits for the line. */
function announce(url: string): void {
  const line = { level: 30, time: Date.now(), pid: process.pid, event: 'serving', url }
  process.stdout.write(process.stdout.isTTY ? `service: ${url}\n` : `${JSON.stringify(line)}\n`)
}
