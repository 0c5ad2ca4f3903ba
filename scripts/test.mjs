// `npm test`: types, lint, unused exports, build, unit tests, browser tests. Each must pass; none is skipped.
import { spawnSync } from 'node:child_process'
import { ensureBrowser } from './ensure-browser.mjs'
import { describeEngines, findEngines } from './ensure-engines.mjs'
import { root } from './root.mjs'

const STEPS = [
  ['types', 'node_modules/typescript/bin/tsc', '--noEmit'],
  ['lint', 'node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  ['unused', 'node_modules/knip/bin/knip.js'],
  ['build', 'scripts/build.mjs', '--if-stale'],
  ['unit', 'node_modules/vitest/vitest.mjs', 'run'],
  ['browser', 'node_modules/@playwright/test/cli.js', 'test'],
]

await ensureBrowser()
const engines = describeEngines(await findEngines())
console.log(`npm test: ${engines}`)
for (const [name, script, ...args] of STEPS) {
  const startedMs = Date.now()
  const { status } = spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: 'inherit' })
  if (status !== 0) {
    console.error(`\nnpm test: ${name} failed`)
    process.exit(status ?? 1)
  }
  console.log(`npm test: ${name} passed in ${((Date.now() - startedMs) / 1000).toFixed(1)} s`)
}
// Said again at the end, where it is read.
console.log(`npm test: ${engines}`)
