// What a child process runs: the service, silent but for its address.
import { readConfig } from '../../config.ts'
import { createSilentLog } from '../../log.ts'
import { startService } from '../../start.ts'
import { stopOnSignal } from '../../stop-on-signal.ts'

export async function run(environment: { [name: string]: string }): Promise<void> {
  const log = createSilentLog()
  const service = await startService({ config: readConfig(environment), log })
  stopOnSignal({ stop: service.stop, log })
  process.stdout.write(`${service.url}\n`)
}
