// Test support: every command an operator has, run in this process.
import { portalCommands } from '../portal/admin.ts'
import { portalSealedTables } from '../portal/second-factor.ts'
import { createKeyCommands } from '../service/admin/keys.ts'
import { runAdmin, serviceCommands } from '../service/admin/run-admin.ts'
import { serviceSealedTables } from '../service/sealed-tables.ts'
import type { Environment } from '../service/setting-reader.ts'
import { ALL_TABLES } from './open-database.ts'

export const ALL_COMMANDS = [
  ...serviceCommands,
  ...createKeyCommands([...serviceSealedTables, ...portalSealedTables]),
  ...portalCommands,
]

/** `ask`: a terminal. */
export async function runTestAdmin(
  environment: Environment,
  words: readonly string[],
  ask?: (question: string) => Promise<string>,
) {
  const printed: string[] = []
  const complaints: string[] = []
  const exitCode = await runAdmin(words, {
    commands: ALL_COMMANDS,
    tables: ALL_TABLES,
    environment,
    print: (line) => printed.push(line),
    complain: (line) => complaints.push(line),
    ...(ask ? { ask } : {}),
  })
  return { exitCode, printed, complaints }
}
