// `npm start` on a folder of a version before 0.4.0, whose database cannot be read: the folder is kept under another
// name.
import { existsSync, renameSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { OlderVersion } from '../../service/store/migration.ts'
import { DATABASE_FILE, openSqlite } from '../../service/store/sqlite.ts'

/** Resolves to the line that says so, or to null when nothing was put aside. */
export async function putAsideOlderData({ DATA_DIR, DATABASE_URL }: NodeJS.ProcessEnv): Promise<string | null> {
  const folder = resolve(DATA_DIR || '.data')
  if (DATABASE_URL || !existsSync(join(folder, DATABASE_FILE)) || !(await isOlder(folder))) return null
  const aside = freeName(`${folder}-before-0.4.0`)
  renameSync(folder, aside)
  return `${relative('', folder)} is of a version before 0.4.0: it is now ${relative('', aside)}, and the demo starts anew.`
}

/** Opened as the service would, which another process that uses the folder prevents: that one keeps it. */
async function isOlder(folder: string): Promise<boolean> {
  try {
    const database = await openSqlite({ folder, role: 'service', migrations: [] })
    await database.close()
    return false
  } catch (error) {
    // The service explains any other failure when it starts.
    return error instanceof OlderVersion
  }
}

function freeName(wanted: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`
    if (!existsSync(name)) return name
  }
}
