// The notice that `admin move` leaves in DATA_DIR: the data is on PostgreSQL, and no database is opened or made in the folder again.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { syncToDisk } from './files.ts'

export const NOTICE_FILE = 'MOVED.txt'

/** One sentence: where the data is, and since when. Null: nothing was moved. */
export function readMoveNotice(folder: string): string | null {
  try {
    return readFileSync(join(folder, NOTICE_FILE), 'utf8').trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null
    throw error
  }
}

/** On the disk when it returns, whole or not at all. */
export function writeMoveNotice(folder: string, notice: string): void {
  const path = join(folder, NOTICE_FILE)
  writeFileSync(`${path}.part`, `${notice}\n`, { mode: 0o600 })
  syncToDisk(`${path}.part`)
  renameSync(`${path}.part`, path)
  syncToDisk(folder)
}
