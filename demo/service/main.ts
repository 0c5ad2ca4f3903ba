// The service of the demo as a process: `npm start`, and `npm run service` with DEMO=1.
import { readPluginSettings } from '../../plugins/settings.ts'
import { startWithPortal } from '../../portal/start.ts'
import { runProcess } from '../../service/run-process.ts'
import { startDemoService } from './start.ts'

await runProcess(readPluginSettings, (given) => (given.config.demo ? startDemoService(given) : startWithPortal(given)))
