import { type Arguments, requireWord } from '../kit/command-line.ts'
import type { Environment } from '../kit/setting-reader.ts'
import type { Config } from './config.ts'
import type { Acting, Tell } from './http/acting.ts'
import { readTenant } from './ledger/tenants.ts'
import type { Database, Queries } from './store/database.ts'
import type { Migration } from './store/migration.ts'

/** One thing an operator can ask for. */
export type Command = {
  /** Its words on the command line: `tenant create`. */
  name: string
  /** The arguments after the name: `ID --name NAME [--now]`. They are read by this text. */
  usage: string
  summary: string
  /** Its name in the audit trail. @default `admin` and its own name */
  action?: string
  /** True where the effect cannot be undone: on a terminal the operator then types it a second time. @default never */
  isFinal?(asked: Arguments): boolean
} & (
  | {
      /** Only reads, also beside a running service. */
      role: 'reader'
      /** Resolves to the exit code. */
      run(input: CommandInput): Promise<number>
    }
  | {
      role: 'operator'
      run(input: OperatorInput): Promise<number>
    }
  | {
      /** Opens the database itself, if at all. */
      role: 'offline'
      /** `noteBegun` is for what copies people's files: it leaves a line in the audit trail. */
      run(input: OfflineInput & { noteBegun(): Promise<void> }): Promise<number>
    }
)

export type CommandInput = Arguments & {
  config: Config
  environment: Environment
  database: Database
  /** Tells plugins what the command does, in its transaction. */
  plugins: CommandMoments
  /** The tables this version knows. */
  tables: readonly Migration[]
  nowMs: number
  print(line: string): void
}

/** The moments of plugins that a command can cause (plugin.ts). */
type CommandMoments = {
  enrol(queries: Queries, tenantId: string): Promise<unknown>
  erase(queries: Queries, creditReportId: string): Promise<unknown>
  act: Tell
}

type OperatorInput = CommandInput & {
  /** Runs its transactions, each with its line in the audit trail. */
  act: Acting
}

export type OfflineInput = Omit<CommandInput, 'database'> & {
  /** This command in the audit trail. */
  line(object: string | null): OperatorLine
}

/** The line of a command in the audit trail. */
export type OperatorLine = {
  atMs: number
  tenantId: string | null
  actorKind: 'operator'
  actorId: string
  actorName: null
  actorEmail: null
  action: string
  object: string | null
  address: null
}

/** The command line is right, and what it asks for cannot be done; the message says why. Exit code 1. */
export class Refused extends Error {
  override readonly name = 'Refused'
}

/** The first word, as the id of a tenant that exists. */
export async function requireTenantId(input: CommandInput): Promise<string> {
  const id = requireWord(input, 0, 'the tenant’s id')
  if ((await readTenant(input.database, id, input.config)) === null) throw new Refused(`there is no tenant "${id}"`)
  return id
}
