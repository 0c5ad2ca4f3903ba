// Test support: the version before this one, built from its commit. It shares databases with this one during a rolling deploy.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** 0.2.0. After a release: the commit of that release. */
const PREVIOUS_COMMIT = '640778e769a14acd4a15720e412ff4e8f6aa8ee1'

const root = fileURLToPath(new URL('../', import.meta.url))
const cache = join(root, 'node_modules/.cache/previous-version')

/** The folder of the previous version, built once and kept. Takes half a minute and needs npm's registry or cache the first time. */
export function buildPrevious(): string {
  const folder = join(cache, PREVIOUS_COMMIT)
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const draft = mkdtempSync(`${folder}-`)
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: draft, stdio: ['ignore', 'ignore', 'inherit'] })
  const vite = (mode: string) =>
    run(process.execPath, 'node_modules/vite/bin/vite.js', 'build', '--mode', mode, '--logLevel', 'warn')
  try {
    run('git', '-C', root, 'archive', '--output', join(draft, 'sources.tar'), PREVIOUS_COMMIT)
    run('tar', '-xf', 'sources.tar')
    run('npm', 'ci', '--ignore-scripts', '--prefer-offline', '--loglevel=error')
    for (const mode of ['fingerprint-script', 'node']) vite(mode)
    cpSync(
      join(draft, 'dist/fingerprint-script'),
      join(draft, 'packages/credit-report-service/dist/fingerprint-script'),
      {
        recursive: true,
      },
    )
    run('npm', 'prune', '--omit=dev', '--ignore-scripts', '--loglevel=error')
    // Under its name only once it is whole; of two that build at once, one is kept.
    if (!existsSync(folder)) renameSync(draft, folder)
    return folder
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}
