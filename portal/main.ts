// The service with its portal as a process: `npm run service`.

import { ConfigError } from '../kit/setting-reader.ts'
import { readPluginSettings } from '../plugins/settings.ts'
import { runProcess } from '../service/run-process.ts'
import { startWithPortal } from './start.ts'

await runProcess(readPluginSettings, async (given) => {
  if (given.config.demo)
    throw new ConfigError('DEMO: expected to be unset here; "npm run service" and "npm start" know the demo')
  return startWithPortal(given)
})
