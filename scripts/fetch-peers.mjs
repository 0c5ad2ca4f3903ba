// Packages the project is measured against or checked by. Fetched when first needed and kept out of package.json:
// nothing else depends on them.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = 'node_modules/.cache/peers'
const FETCH_LIMIT_MS = 300_000

/**
 * The `node_modules` folder that holds exactly these packages (`name@version`), or null, with one line said, when they
 * cannot be had. Every set has a folder of its own, because installing one set would remove another.
 */
export function fetchPeers(set, packages) {
  const folder = join(FOLDER, set)
  const modules = join(folder, 'node_modules')
  const stamp = join(folder, 'fetched.json')
  const wanted = JSON.stringify(packages)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return modules
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  try {
    execFileSync('npm', ['install', '--prefix', folder, '--no-save', ...QUIETLY, ...packages], {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: FETCH_LIMIT_MS,
    })
  } catch {
    console.log(`${set}: not run, because npm could not fetch ${packages.join(', ')}`)
    return null
  }
  writeFileSync(stamp, wanted)
  return modules
}

// A peer's install scripts could do anything and are not what is measured.
const QUIETLY = ['--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', '--legacy-peer-deps']
