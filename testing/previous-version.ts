// Test support: the release before this one, built from its tag. Both share a database during a rolling deploy.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Its tag. Null while no release came before: the sources of this one are built a second time. */
const PREVIOUS: string | null = null

const root = fileURLToPath(new URL('../', import.meta.url))
const cache = join(root, 'node_modules/.cache/previous-version')

/** The folder of the build, made once for the same sources. A tag needs npm's registry or cache. */
export function buildPrevious(): string {
  const tree = PREVIOUS ?? treeOfSources()
  const folder = join(cache, tree)
  if (existsSync(folder)) return folder
  // Only one build is kept, because those of earlier sources are of no use.
  rmSync(cache, { recursive: true, force: true })
  mkdirSync(cache, { recursive: true })
  const draft = mkdtempSync(`${folder}-`)
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: draft, stdio: ['ignore', 'ignore', 'inherit'] })
  try {
    run('git', '-C', root, 'archive', '--output', join(draft, 'sources.tar'), tree)
    run('tar', '-xf', 'sources.tar')
    if (PREVIOUS === null) symlinkSync(join(root, 'node_modules'), join(draft, 'node_modules'))
    else run('npm', 'ci', '--ignore-scripts', '--prefer-offline', '--loglevel=error')
    for (const mode of ['fingerprint-script', 'programs'])
      run(process.execPath, 'node_modules/vite/bin/vite.js', 'build', '--mode', mode, '--logLevel', 'warn')
    const script = join('dist', 'fingerprint-script')
    cpSync(join(draft, script), join(draft, 'packages/credit-report-service', script), { recursive: true })
    // Under its name only once it is whole.
    renameSync(draft, folder)
    return folder
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Git's name of the working tree as it is, with what is not committed; the index stays as it is. */
function treeOfSources(): string {
  mkdirSync(cache, { recursive: true })
  const index = join(cache, 'index')
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', root, ...args], { env: { ...process.env, GIT_INDEX_FILE: index }, encoding: 'utf8' })
  try {
    git('add', '--all')
    return git('write-tree').trim()
  } finally {
    rmSync(index, { force: true })
  }
}
