// `npm test`: types, lint, unused exports and a build, then unit and browser tests. Each must pass; none is skipped.
// What can run at the same time does: tests wait for processes and pages half of their time. Unit tests print
// as they go, so that there is something to see; everything else prints when it is done.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBrowser } from './ensure-browser.mjs'
import { describeEngines, findEngines } from './ensure-engines.mjs'
import { root } from './root.mjs'
import { describeSlowest, readBrowserRun, readUnitRun } from './slowest-files.mjs'

const RESULTS = join(root, 'node_modules/.cache/test')
const UNIT = join(RESULTS, 'unit.json')
const BROWSER = join(RESULTS, 'browser.json')

const CHECKS = [
  ['types', 'node_modules/typescript/bin/tsc', '--noEmit'],
  ['lint', 'node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  ['unused', 'node_modules/knip/bin/knip.js'],
  ['build', 'scripts/build.mjs', '--if-stale'],
]
const SUITES = [
  [
    'unit',
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${UNIT}`,
  ],
  ['browser', 'node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json'],
]

await ensureBrowser()
const engines = describeEngines(await findEngines())
console.log(`npm test: ${engines}`)
mkdirSync(RESULTS, { recursive: true })
await runAtOnce(CHECKS)
await runAtOnce(SUITES)
console.log(`npm test: slowest unit tests: ${describeSlowest(readUnitRun(readJson(UNIT), root))}`)
console.log(`npm test: slowest browser tests: ${describeSlowest(readBrowserRun(readJson(BROWSER)))}`)
// Said again at the end, where it is read.
console.log(`npm test: ${engines}`)

/** Ends the process when one of them fails, once all have ended. */
async function runAtOnce(steps) {
  console.log(`npm test: ${steps.map(([name]) => name).join(', ')} …`)
  const failed = (await Promise.all(steps.map(run))).filter((name) => name !== null)
  if (failed.length === 0) return
  console.error(`\nnpm test: ${failed.join(' and ')} failed`)
  process.exit(1)
}

/** Resolves to its name when it has failed. */
function run([name, script, ...args]) {
  const startedMs = Date.now()
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: BROWSER }
  const child = spawn(process.execPath, [script, ...args], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const printed = []
  const print = name === 'unit' ? (chunk) => process.stdout.write(chunk) : (chunk) => printed.push(chunk)
  for (const stream of [child.stdout, child.stderr]) stream.on('data', print)
  return new Promise((resolve) => {
    child.once('close', (status) => {
      process.stdout.write(Buffer.concat(printed))
      const seconds = ((Date.now() - startedMs) / 1_000).toFixed(1)
      console.log(`npm test: ${name} ${status === 0 ? 'passed' : 'failed'} in ${seconds} s`)
      resolve(status === 0 ? null : name)
    })
  })
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}
