// The SQLite side of `admin move`: held while it is copied, and closed for good at the end.
import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Refused } from '../../service/command.ts'
import type { Database, Queries } from '../../service/store/database.ts'
import { NOTICE_FILE, syncToDisk, writeMoveNotice } from '../../service/store/files.ts'
import { DATABASE_FILE, MOVED_FILE } from '../../service/store/sqlite.ts'

/** The interval at which SQLite's log is copied into the file when an operator's command writes in between. */
const HOLD_TRIES_MAX = 20

/**
 * Runs `work` with SQLite's write lock, the log folded into the file before: only then do the file's size and time say
 * whether it was written to.
 */
export async function holdSource<T>(
  source: Database,
  folder: string,
  work: (queries: Queries) => Promise<T>,
): Promise<T> {
  for (let tries = 0; tries < HOLD_TRIES_MAX; tries += 1) {
    await source.scrub('')
    const held = await source.transaction(async (queries) => (isFolded(folder) ? { value: await work(queries) } : null))
    if (held) return held.value
  }
  throw new Refused('the SQLite database: another process keeps writing to it; end that first')
}

function isFolded(folder: string): boolean {
  return !statSync(join(folder, `${DATABASE_FILE}-wal`), { throwIfNoEntry: false })?.size
}

/** Another one means that the database was written to. A move that has closed the folder has renamed the file. */
export function stateOf(folder: string): string {
  const moved = join(folder, MOVED_FILE)
  const path = existsSync(moved) ? moved : join(folder, DATABASE_FILE)
  const file = statSync(path, { bigint: true, throwIfNoEntry: false })
  return file ? `${file.size} ${file.mtimeNs}` : 'none'
}

/** Under both locks: from here on no process opens the database again. `databaseUrl`: where the data is. */
export function closeFolder(folder: string, databaseUrl: string): void {
  const { host, pathname } = new URL(databaseUrl)
  const place = `${pathname.slice(1)} on ${host || 'this machine'}`
  const notice = `the data of this folder was moved to PostgreSQL (${place}) on ${new Date().toISOString()}; set DATABASE_URL`
  try {
    writeMoveNotice(folder, notice)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    throw new Refused(
      `DATA_DIR: "${NOTICE_FILE}" cannot be written there (${code}): make room or access, then run "move" again`,
    )
  }
  renameSync(join(folder, DATABASE_FILE), join(folder, MOVED_FILE))
  // The log is empty. SQLite would leave it behind, because the file has another name when it is closed.
  for (const ending of ['-wal', '-shm']) rmSync(join(folder, `${DATABASE_FILE}${ending}`), { force: true })
  syncToDisk(folder)
}
