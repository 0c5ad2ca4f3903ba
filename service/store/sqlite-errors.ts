// What SQLite says, in our own words.
import { ConstraintViolation, DatabaseUnavailable } from './database.ts'

/** Low bytes of SQLite's result codes that say "not now" rather than "wrong". */
const UNAVAILABLE: { [code: number]: string } = {
  3: 'SQLITE_PERM',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  7: 'SQLITE_NOMEM',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
}
const CONSTRAINT = 19

export function guarded<T>(call: () => T): T {
  try {
    return call()
  } catch (error) {
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
    const unavailable = UNAVAILABLE[code]
    if (unavailable !== undefined) throw new DatabaseUnavailable(unavailable, { cause: error })
    if (code === CONSTRAINT && error instanceof Error) {
      throw new ConstraintViolation(error.message.replace(/^.*failed: /, ''), { cause: error })
    }
    throw error
  }
}
