// From the embedded database to PostgreSQL: every row, checked on both, while the service is stopped.
//
//   SQLite verified ──▶ copied ──▶ PostgreSQL verified ──▶ compared ──▶ SQLite closed ──▶ PostgreSQL open
//   folder's lock ───────────────────────────────────────────────────────────────────▶│
//             SQLite's write lock ───────────────────────────────────────────────────▶│
//
// SQLite is closed by a notice in its folder, written under both locks: at no moment do both databases take a write.
// PostgreSQL keeps how far it came (store/move-target.ts), and the next run goes on there.

import { UsageError } from '../../kit/command-line.ts'
import { createSettingReader } from '../../kit/setting-reader.ts'
import type { Command, OfflineInput } from '../../service/command.ts'
import { readMoveNotice } from '../../service/store/files.ts'
import { MOVED_FILE } from '../../service/store/sqlite.ts'
import type { Target } from './move-folder.ts'

export const moveCommand: Command = {
  name: 'move',
  usage: '[DATABASE_URL]',
  summary:
    'Move everything from SQLite in DATA_DIR to an empty PostgreSQL: DATABASE_URL, unless another is given; stop the service first; after an interruption, run it again to continue',
  role: 'offline',
  async run(input) {
    const target = readTarget(input)
    // Loaded when it is needed: an installation on SQLite never loads PostgreSQL's client.
    const { moveFolder, openMoved, requireVerified } = await import('./move-folder.ts')
    const notice = readMoveNotice(input.config.dataDir)
    const isSound = notice === null ? await moveFolder(input, target) : await requireVerified(input, target, notice)
    if (!isSound) {
      input.print('the SQLite database is as it was: start the service on that, and drop the other')
      return 1
    }
    input.print('opening PostgreSQL')
    await openMoved(input, target)
    input.print(`moved; start the service with DATABASE_URL. The SQLite database is kept as ${MOVED_FILE} in DATA_DIR`)
    return 0
  },
}

function readTarget({ words, config }: OfflineInput): Target {
  const environment = { DATABASE_URL: words[0] }
  const given = createSettingReader(environment).url('DATABASE_URL', ['postgres:', 'postgresql:'], { secret: true })
  const databaseUrl = given ?? config.databaseUrl
  if (databaseUrl === null) throw new UsageError('DATABASE_URL is missing: where everything is moved to')
  return { databaseUrl, ownerUrl: config.databaseMigrationUrl ?? databaseUrl }
}
