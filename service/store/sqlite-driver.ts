// node:sqlite where this Node has it, else the package with the same API. Nothing else knows which one it is.
import type { DatabaseSync, StatementSync } from '@photostructure/sqlite'

export type SqliteConnection = InstanceType<typeof DatabaseSync>
export type SqliteStatement = InstanceType<typeof StatementSync>

type Driver = { DatabaseSync: typeof DatabaseSync }

export async function loadSqliteDriver(): Promise<Driver> {
  const builtIn: unknown = process.getBuiltinModule?.('node:sqlite')
  return isDriver(builtIn) ? builtIn : import('@photostructure/sqlite')
}

// Node 22.5 to 22.12 had an early draft behind a flag; `readOnly` databases came with the API we use.
function isDriver(module: unknown): module is Driver {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const settled = major > 22 || (major === 22 && minor >= 13)
  return settled && typeof module === 'object' && module !== null && 'DatabaseSync' in module
}
