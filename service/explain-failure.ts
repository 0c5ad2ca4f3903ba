// One line for the operator when a process or a command could not start because of a setting.

import { Unsealable } from '../kit/seal.ts'
import { ConfigError } from '../kit/setting-reader.ts'
import { describeError } from './describe-error.ts'
import { DatabaseUnavailable, MoveRefused, NotOwner } from './store/database.ts'
import { OtherVersion } from './store/migration.ts'
import { UnusableFolder } from './store/sqlite.ts'

/** PostgreSQL's classes for who is not let in (28) and for a database that is not there (3D). */
const REFUSED_BY_DATABASE = /^(?:28|3D)\w{3}$/
/** Since PostgreSQL 15 a new user may not create tables in a database it does not own. */
const NOT_GRANTED = '42501'
const NO_ROOM = '53100'
/** The server's own codes: starting up, full, read-only, too many connections. */
const SQLSTATE = /^[0-9A-Z]{5}$/

const SELF_EXPLAINING = [ConfigError, MoveRefused, NotOwner, OtherVersion, UnusableFolder]

/** Null: no setting would fix it. */
export function explainFailure(error: unknown): string | null {
  if (SELF_EXPLAINING.some((kind) => error instanceof kind) && error instanceof Error) return error.message
  if (error instanceof Unsealable) {
    return `SECRET_KEY: expected the one this database was written with (${error.message})`
  }
  const { errorCode } = describeError(error)
  if (error instanceof DatabaseUnavailable) return explainUnavailable(error.code)
  if (typeof errorCode === 'string' && REFUSED_BY_DATABASE.test(errorCode)) {
    return `DATABASE_URL: PostgreSQL refuses this name, password or database (${errorCode})`
  }
  if (errorCode === NOT_GRANTED) {
    return `DATABASE_URL: expected a user who may make the tables, or tables that "admin -- migrate" has made with DATABASE_MIGRATION_URL (${errorCode})`
  }
  return explainMissing(error) ?? explainListening(error)
}

/** The last line of a process or command that ends with the error: how to fix it, or where it happened. */
export function failureLine(what: string, error: unknown): string {
  const explained = explainFailure(error)
  if (explained !== null) return explained
  const { errorClass, errorCode, errorAt } = describeError(error)
  return [`${what}:`, errorClass, errorCode, errorAt].filter(Boolean).join(' ')
}

function explainUnavailable(code: string): string {
  if (code.startsWith('SQLITE_')) return `DATA_DIR: the database there cannot be used now (${code})`
  if (code === NO_ROOM) return `DATABASE_URL: PostgreSQL has no room left on its disk (${code})`
  if (SQLSTATE.test(code)) return `DATABASE_URL: PostgreSQL is there, and cannot serve now (${code})`
  return `DATABASE_URL: no PostgreSQL answers there (${code})`
}

/** Node's message for an import that finds nothing. It names a package or a file of ours. */
const MISSING_MODULE = /^Cannot find (?:module|package) '([^'\n]{1,200})'/

function explainMissing(error: unknown): string | null {
  const [, name] = (error instanceof Error && MISSING_MODULE.exec(error.message)) || []
  if (name === undefined) return null
  return `the module "${name}" is missing: run "npm ci" and "npm run build" where the service was installed`
}

function explainListening(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null
  const port = 'port' in error ? error.port : ''
  switch (error.code) {
    case 'EADDRINUSE':
      return `PORT: another process listens on ${port} already; stop it, or choose another PORT (0 takes any that is free)`
    case 'EACCES':
      return 'syscall' in error && error.syscall === 'listen'
        ? `PORT: this user may not listen on ${port}; choose one from 1024 up`
        : null
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST: expected an address of this machine, such as 127.0.0.1 or 0.0.0.0 (${error.code})`
    default:
      return null
  }
}
