// Test support: `admin move` in a process of its own, to be killed.
import { runAdmin, serviceCommands } from '../service/admin/run-admin.ts'
import { ALL_TABLES } from './open-database.ts'

export async function run(environment: { [name: string]: string }): Promise<void> {
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  process.exitCode = await runAdmin(['move'], {
    commands: serviceCommands,
    tables: ALL_TABLES,
    environment,
    print,
    complain: print,
  })
}
