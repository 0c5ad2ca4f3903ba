// Test support: an operator's command in a process of its own, to be stopped, killed or raced against.
import { runAdmin } from '../plugins/admin/run-admin.ts'
import { everyCommand, everyMoment } from '../portal/commands.ts'
import { ALL_TABLES } from './open-database.ts'

type AdminInput = {
  words: readonly string[]
  environment: { [name: string]: string }
  /** Stops itself after the first line that begins so, until it is sent SIGCONT. */
  stopsAfter?: string
}

export async function run({ words, environment, stopsAfter }: AdminInput): Promise<void> {
  let isStopped = false
  const print = (line: string) => {
    process.stdout.write(`${line}\n`)
    if (isStopped || stopsAfter === undefined || !line.startsWith(stopsAfter)) return
    isStopped = true
    process.kill(process.pid, 'SIGSTOP')
  }
  process.exitCode = await runAdmin(words, {
    commands: everyCommand,
    tables: ALL_TABLES,
    plugins: everyMoment,
    environment,
    print,
    complain: print,
  })
}
