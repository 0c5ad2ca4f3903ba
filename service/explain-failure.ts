// What an operator can mend, in one line for a person, wherever a process or a command could not begin.
import { describeError } from './describe-error.ts'
import { Unsealable } from './secrets/seal.ts'
import { ConfigError } from './setting-reader.ts'
import { DatabaseUnavailable } from './store/database.ts'
import { FolderInUse, NoDatabase } from './store/sqlite.ts'

/** PostgreSQL's classes for who is not let in (28) and for a database that is not there (3D). */
const REFUSED_BY_DATABASE = /^(?:28|3D)\w{3}$/

/** Null: nothing a setting would mend. */
export function explainFailure(error: unknown): string | null {
  if (error instanceof ConfigError || error instanceof FolderInUse || error instanceof NoDatabase) return error.message
  if (error instanceof Unsealable) {
    return `SECRET_KEY: expected the one this database was written with (${error.message})`
  }
  const { errorCode } = describeError(error)
  if (error instanceof DatabaseUnavailable) return `DATABASE_URL: no PostgreSQL answers there (${errorCode})`
  if (typeof errorCode === 'string' && REFUSED_BY_DATABASE.test(errorCode)) {
    return `DATABASE_URL: PostgreSQL refuses this name, password or database (${errorCode})`
  }
  return explainListening(error)
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
