// The operator's commands as a process: `npm run admin -- …`.

import { createPreflightCommand } from '../service/admin/preflight.ts'
import { runAdmin, serviceCommands } from '../service/admin/run-admin.ts'
import { serviceChecks } from '../service/preflight.ts'
import { serviceTables } from '../service/schema.ts'
import { portalCommands } from './admin.ts'
import { portalChecks } from './preflight.ts'
import { portalTables } from './tables.ts'

process.exitCode = await runAdmin(process.argv.slice(2), {
  commands: [...serviceCommands, ...portalCommands, createPreflightCommand([...serviceChecks, ...portalChecks])],
  tables: [...serviceTables, ...portalTables],
  environment: process.env,
  print: (line) => console.log(line),
  complain: (line) => console.error(line),
})
