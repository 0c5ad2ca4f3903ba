// The operator's commands as a process: `npm run admin -- …`.

import { createInterface } from 'node:readline/promises'
import { hostedSealed, hostedTables } from '../hosted/tables.ts'
import { createKeyCommands } from '../plugins/admin/keys.ts'
import { createPreflightCommand } from '../plugins/admin/preflight.ts'
import { serviceChecks } from '../plugins/admin/production-checks.ts'
import { runAdmin } from '../plugins/admin/run-admin.ts'
import { allCommands, commandMoments, sealedTables } from '../plugins/commands.ts'
import { pluginTables } from '../plugins/tables.ts'
import { coreTables } from '../service/schema.ts'
import { portalCommands } from './admin.ts'
import { portalSealedTables } from './identity/second-factor.ts'
import { portalChecks } from './preflight.ts'
import { portalTables } from './tables.ts'

process.exitCode = await runAdmin(process.argv.slice(2), {
  commands: [
    ...allCommands,
    ...createKeyCommands([...sealedTables, ...hostedSealed, ...portalSealedTables]),
    ...portalCommands,
    createPreflightCommand([...serviceChecks, ...portalChecks]),
  ],
  tables: [...coreTables, ...pluginTables, hostedTables, ...portalTables],
  plugins: commandMoments,
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
