import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/**
 * Makes a folder that only this user can enter, and those above it; one that exists stays as it is. Not Node's
 * `recursive`: where the file system takes no folders, as below `/proc`, that one never returns.
 */
export function makeFolder(folder: string): void {
  const path = resolve(folder)
  const parent = dirname(path)
  if (!existsSync(parent)) makeFolder(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // File systems differ in the error for a folder that exists.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

/** Waits until a file's bytes, or a folder's entries, are on the disk. */
export function syncToDisk(path: string): void {
  const isFolder = statSync(path).isDirectory()
  const handle = openSync(path, isFolder ? 'r' : 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

// The notice that `admin move` leaves in DATA_DIR: the data is on PostgreSQL, and no database is opened or made in the
// folder again.

export const NOTICE_FILE = 'MOVED.txt'

/** One sentence: where the data is, and since when. Null: nothing was moved. */
export function readMoveNotice(folder: string): string | null {
  const path = join(folder, NOTICE_FILE)
  // Asked before every transaction: an error for each that finds none would cost as much as a statement.
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : null
}

/** On the disk when it returns, whole or not at all. */
export function writeMoveNotice(folder: string, notice: string): void {
  const path = join(folder, NOTICE_FILE)
  writeFileSync(`${path}.part`, `${notice}\n`, { mode: 0o600 })
  syncToDisk(`${path}.part`)
  renameSync(`${path}.part`, path)
  syncToDisk(folder)
}
