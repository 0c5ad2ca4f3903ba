// A copy of everything at one moment, while the service runs. The key that opens it is never in it: keep SECRET_KEY elsewhere.
import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { syncToDisk } from '../store/files.ts'
import { type Command, requireWord, UsageError } from './command.ts'
import { runPostgresTool } from './postgres-tools.ts'

export const backupCommand: Command = {
  name: 'backup',
  usage: 'FILE',
  summary: 'writes a consistent copy of the database to a new file, beside a running service; SECRET_KEY is not in it',
  role: 'reader',
  isAudited: true,
  async run(input) {
    const file = resolve(requireWord(input, 0, 'the file to write'))
    if (existsSync(file)) throw new UsageError(`"${file}" exists already; a backup never overwrites one`)
    const { config, database, print } = input
    // It gets its name once it is complete and on the disk.
    const draft = `${file}.part`
    makeDraft(draft)
    try {
      if (config.databaseUrl === null) await database.all('VACUUM INTO ?', draft)
      else await runPostgresTool('pg_dump', ['--format=custom', '--no-owner', `--file=${draft}`], config.databaseUrl)
      syncToDisk(draft)
      renameSync(draft, file)
    } finally {
      rmSync(draft, { force: true })
    }
    print(`wrote ${file} (${statSync(file).size} bytes)`)
    print('SECRET_KEY is not in it, and nothing in it can be read without: keep the key in another place')
    return 0
  },
}

/** Made empty and private first: no other user can read the backup while it is written. */
function makeDraft(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    throw new UsageError(`"${path}" cannot be written (${code})`)
  }
}
