// node:sqlite where this Node has it, else the package with the same API. Nothing else knows which one it is.
import { createRequire } from 'node:module'
import type { DatabaseSync, StatementSync } from '@photostructure/sqlite'

export type SqliteConnection = InstanceType<typeof DatabaseSync>
export type SqliteStatement = InstanceType<typeof StatementSync>

type Driver = { DatabaseSync: typeof DatabaseSync }

/** Loaded when it is first needed: an installation on PostgreSQL never loads it. */
export function loadSqliteDriver(): Driver {
  const builtIn: unknown = isSettled ? loadBuiltIn() : undefined
  if (isDriver(builtIn)) return builtIn
  try {
    // An optional dependency: an installation may have left it out.
    const packaged: Driver = createRequire(import.meta.url)('@photostructure/sqlite')
    return packaged
  } catch (cause) {
    const advice = 'use Node 22.13 or later, or PostgreSQL with DATABASE_URL'
    throw new Error(`no SQLite for this Node on this machine: ${advice}`, { cause })
  }
}

// Node 22.5 to 22.12 had an early draft of it behind a flag.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const isSettled = major > 22 || (major === 22 && minor >= 13)

/**
 * Without Node 22's warning that it is experimental: the same API is settled in 24, and an operator can do nothing
 * about it.
 */
function loadBuiltIn(): unknown {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule?.('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}

function isDriver(module: unknown): module is Driver {
  return typeof module === 'object' && module !== null && 'DatabaseSync' in module
}
