// A lender's project as it would be on their machine: an example of docs/, the packed package from a tarball,
// everything else from npm.
import { type ChildProcess, execFileSync, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export const PROJECT_LIMIT_MS = 600_000
const START_LIMIT_MS = 240_000
const QUIET: StdioOptions = ['ignore', 'pipe', 'ignore']
const NO_TELEMETRY = {
  NEXT_TELEMETRY_DISABLED: '1',
  NUXT_TELEMETRY_DISABLED: '1',
  ASTRO_TELEMETRY_DISABLED: '1',
  NG_CLI_ANALYTICS: 'false',
}

export type LenderProject = {
  folder: string
  run(command: string, args: string[], env?: Record<string, string>): void
  /** Starts a server instead of the one before and waits until it serves the widget. */
  serve(command: string, args: string[], origin: string, env: Record<string, string>): Promise<void>
  remove(): Promise<void>
}

/** Each at the newest version that all of them have: a family of packages is not always published as a whole. */
export function newestOf(...names: string[]): string[] {
  const [first = [], ...others] = names.map(releasesOf)
  const newest = first.findLast((version) => others.every((versions) => versions.includes(version)))
  if (newest === undefined) throw new Error(`npm has no version in common of ${names.join(', ')}`)
  return names.map((name) => `${name}@${newest}`)
}

/** Every version that is no preview, oldest first. */
function releasesOf(name: string): string[] {
  const written = execFileSync('npm', ['view', name, 'versions', '--json'], { encoding: 'utf8', stdio: QUIET })
  return [JSON.parse(written)]
    .flat()
    .filter((version: string) => !version.includes('-'))
    .sort(new Intl.Collator('en', { numeric: true }).compare)
}

/** The package with this machine's binary, which may be published later than the one that needs it, or never. */
export function binaryOf(prefix: string, libc: string): string {
  return `${prefix}${process.platform}-${process.arch}${process.platform === 'linux' ? `-${libc}` : ''}`
}

type ProjectOptions = {
  /** The repository whose package is installed. */
  home?: string
  /** Versions of what the packages need, where npm would choose one without a binary. */
  overrides?: string[]
}

/** Copies `from` (a folder or files of docs/examples), installs the package of `home` and `packages` beside it. */
export function createLenderProject(
  from: string[],
  packages: string[] = [],
  { home = '.', overrides = [] }: ProjectOptions = {},
): LenderProject {
  const folder = mkdtempSync(join(tmpdir(), 'lender-project-'))
  let server: ChildProcess | null = null
  for (const name of from) {
    const isFile = name.includes('.')
    cpSync(join('docs/examples', name), isFile ? join(folder, name) : folder, { recursive: true })
  }
  const stdio: StdioOptions = ['ignore', 'ignore', 'inherit']
  const options = { cwd: folder, timeout: PROJECT_LIMIT_MS, stdio }
  const manifest = join(folder, 'package.json')
  const given = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : { private: true, type: 'module' }
  delete given.dependencies?.['credit-report-widget']
  // Not at the @ that a scope begins with.
  const versions = Object.fromEntries(overrides.map((each) => each.split(/(?<=.)@/)))
  writeFileSync(manifest, JSON.stringify({ ...given, overrides: versions }))
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    ...options,
    cwd: join(home, 'packages/credit-report-widget'),
  })
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? ''
  execFileSync('npm', ['install', '--loglevel=error', '--no-audit', '--no-fund', `./${tarball}`, ...packages], options)

  // NODE_ENV is unset on a lender's machine; here Playwright does, and Vite in the tests before this one.
  const { NODE_ENV: _, ...inherited } = process.env
  // First the project's own programs: one that needs a newer Node.js brings it along.
  const path = `${resolve(folder, 'node_modules/.bin')}:${process.env.PATH}`
  const environment = (env: Record<string, string>) => ({
    ...inherited,
    PATH: path,
    ...NO_TELEMETRY,
    ...env,
  })
  async function stop(): Promise<void> {
    const { pid, exitCode, signalCode } = server ?? {}
    if (server === null || pid === undefined || exitCode !== null || signalCode !== null) return
    const exited = once(server, 'exit')
    // Some servers have children of their own.
    process.kill(-pid, 'SIGKILL')
    await exited
  }

  return {
    folder,
    run(command, args, env = {}) {
      execFileSync(command, args, { ...options, env: environment(env) })
    },
    async serve(command, args, origin, env) {
      await stop()
      server = spawn(command, args, {
        cwd: folder,
        env: environment(env),
        stdio: ['ignore', 'ignore', 'inherit'],
        detached: true,
      })
      const untilMs = Date.now() + START_LIMIT_MS
      while (!(await isServed(`${origin}/credit-reports/widget.js`))) {
        if (Date.now() > untilMs) throw new Error(`${command} ${args.join(' ')} does not serve the widget`)
        await new Promise((done) => setTimeout(done, 250))
      }
    },
    async remove() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function isServed(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}
