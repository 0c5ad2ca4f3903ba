// The operator's commands as a process: `npm run admin -- …`.

import { createInterface } from 'node:readline/promises'
import { hostedTables } from '../hosted/tables.ts'
import { createPreflightCommand } from '../plugins/admin/preflight.ts'
import { serviceChecks } from '../plugins/admin/production-checks.ts'
import { runAdmin } from '../plugins/admin/run-admin.ts'
import { pluginTables } from '../plugins/tables.ts'
import { coreTables } from '../service/schema.ts'
import { everyCommand, everyMoment } from './commands.ts'
import { portalChecks } from './preflight.ts'
import { portalTables } from './tables.ts'

process.exitCode = await runAdmin(process.argv.slice(2), {
  commands: [...everyCommand, createPreflightCommand([...serviceChecks, ...portalChecks])],
  tables: [...coreTables, ...pluginTables, hostedTables, ...portalTables],
  plugins: everyMoment,
  environment: process.env,
  print: (line) => console.log(line),
  complain: (line) => console.error(line),
  ...(process.stdin.isTTY && process.stdout.isTTY ? { ask } : {}),
})

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return await terminal.question(question)
  } finally {
    terminal.close()
  }
}
