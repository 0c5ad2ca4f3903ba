// A child process: the service, silent but for its address.

import { startDemoService } from '../../demo/service/start.ts'
import { readConfig } from '../../plugins/settings.ts'
import { createSilentLog } from '../../service/log.ts'
import { stopOnSignal } from '../../service/run-process.ts'

export async function run(environment: { [name: string]: string }): Promise<void> {
  const log = createSilentLog()
  const service = await startDemoService({ config: readConfig(environment), log, environment })
  stopOnSignal({ stop: service.stop, log })
  process.stdout.write(`${service.url}\n`)
}
