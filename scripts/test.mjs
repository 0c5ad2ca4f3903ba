// `npm test`: types, lint, unused exports and a build, then the unit and browser tests that a change is likely to
// break.
// `npm run test:release` (`--release`): every other test, in files named *.release.test.ts and *.release.spec.ts, and
// those named *.engines.test.ts on PostgreSQL (`npm test` runs them on SQLite).
// `npm test -- PATH…`: only the tests whose path contains PATH.
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBrowser } from './ensure-browser.mjs'
import { describeEngines, findEngines } from './ensure-engines.mjs'
import { installOperatorTools } from './ensure-operator-tools.mjs'
import { ensurePostgres } from './ensure-postgres.mjs'
import { end, endLeftovers, findProcesses } from './leftovers.mjs'
import { root } from './root.mjs'

const SLOWEST_NAMED = 3
const RESULTS = join(root, 'node_modules/.cache/test')

const isRelease = process.argv.includes('--release')
const paths = process.argv.slice(2).filter((argument) => argument !== '--release')
const command = isRelease ? 'npm run test:release' : 'npm test'
const startedMs = Date.now()

// Each run has a temporary folder and a marker in the environment of every process it starts: both show what was left
// behind.
const temporary = mkdtempSync(join(tmpdir(), 'credit-report-test-'))
// PostgreSQL runs as another user below this folder.
chmodSync(temporary, 0o755)
const tier = paths.length > 0 ? '' : isRelease ? 'release' : 'edit'
const environment = {
  ...process.env,
  TMPDIR: temporary,
  TEST_RUN: temporary,
  TEST_TIER: tier,
  // Playwright keeps its compiled files in the temporary folder otherwise.
  PWTEST_CACHE_DIR: join(root, 'node_modules/.cache/playwright'),
  npm_config_loglevel: 'error',
}
const running = new Set()
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    for (const child of running) stopGroup(child)
    for (const id of findProcesses(temporary)) end(id)
    rmSync(temporary, { recursive: true, force: true })
    console.error(`\n${command}: interrupted`)
    process.exit(130)
  })

const CHECKS = [
  ['types', ['node_modules/typescript/bin/tsc', '--noEmit']],
  ['lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.']],
  ['unused', ['node_modules/knip/bin/knip.js']],
]
// Types and bills of materials are only looked at by tests of a release.
const needsAll = isRelease || paths.some((path) => path.includes('release'))
const build = ['build', ['scripts/build.mjs', '--if-stale', ...(needsAll ? [] : ['--no-types'])]]
const unit = ['unit', ['node_modules/vitest/vitest.mjs', 'run', '--reporter=./scripts/unit-reporter.mjs']]
const browser = [
  'browser',
  ['node_modules/@playwright/test/cli.js', 'test', '--reporter=./scripts/browser-reporter.mjs'],
]

mkdirSync(RESULTS, { recursive: true })
const notes = []
const results = paths.length > 0 ? await runPaths() : await runTier()
await finish(results)

async function runTier() {
  await ensureBrowser()
  if (isRelease) await ensurePostgres()
  if (isRelease) notes.push(describeEngines(await findEngines()), ...installOperatorTools())
  await runChecks(isRelease ? [build] : [...CHECKS, build])
  // One after the other: together they fight for the same cores, and tests meet their time-outs.
  return [await runSuite(unit), await runSuite(browser)]
}

/** A folder of unit tests needs nothing built; browser tests do. */
async function runPaths() {
  const inBrowser = paths.filter((path) => path.startsWith('e2e'))
  const inNode = paths.filter((path) => !path.startsWith('e2e'))
  const ended = []
  if (inNode.length > 0) ended.push(await runSuite(unit, inNode))
  if (inBrowser.length > 0) {
    await ensureBrowser()
    await runChecks([build])
    ended.push(await runSuite(browser, inBrowser))
  }
  return ended
}

/** Checks run at the same time and print only when they fail. */
async function runChecks(checks) {
  console.log(`${command}: ${checks.map(([name]) => name).join(', ')}`)
  const ended = await Promise.all(checks.map(([name, args]) => run(name, args, { isQuiet: true })))
  const failed = ended.filter(({ status }) => status !== 0)
  if (failed.length === 0) return
  for (const { name, printed } of failed) console.error(`\n${name} failed:\n${printed}`)
  await finish([])
}

async function runSuite([name, args], only = []) {
  const result = join(RESULTS, `${name}.json`)
  rmSync(result, { force: true })
  console.log(`${command}: ${name} tests`)
  const { status } = await run(name, [...args, ...only], { environment: { TEST_RESULT: result } })
  const report = existsSync(result)
    ? JSON.parse(readFileSync(result, 'utf8'))
    : { ran: 0, skipped: [], flaky: [], failures: [], files: [] }
  // The runner itself ended badly, though no test did.
  if (status !== 0 && report.failures.length === 0)
    report.failures.push({
      name: `${name} tests ended with status ${status}`,
      file: '',
      again: `${command} -- ${only}`,
    })
  return report
}

function run(name, args, { isQuiet = false, environment: more = {} } = {}) {
  const beganMs = Date.now()
  const stdio = ['ignore', isQuiet ? 'pipe' : 'inherit', isQuiet ? 'pipe' : 'inherit']
  // A process group of its own, so that an interruption reaches everything below it.
  const child = spawn(process.execPath, args, { cwd: root, env: { ...environment, ...more }, stdio, detached: true })
  running.add(child)
  const printed = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => printed.push(chunk))
  return new Promise((resolve) => {
    child.once('close', (status) => {
      running.delete(child)
      console.log(`  ${name} ${status === 0 ? 'passed' : 'failed'} in ${secondsSince(beganMs)}`)
      resolve({ name, status, printed: Buffer.concat(printed).toString() })
    })
  })
}

/** Prints what a person needs, and ends the process. */
async function finish(reports) {
  const failures = reports.flatMap((report) => report.failures)
  const skipped = reports.flatMap((report) => report.skipped)
  const flaky = reports.flatMap((report) => report.flaky)
  const ran = reports.reduce((sum, report) => sum + report.ran, 0)
  const slowest = reports.flatMap(({ files }) => files).toSorted(([, one], [, other]) => other - one)
  const left = await findLeftovers()

  for (const { name, file, message, again } of failures)
    console.error(`\nfailed: ${file}\n  ${name}\n\n${message ?? ''}\n\n  repeat it with: ${again}`)
  for (const line of left) console.error(`left behind: ${line}`)
  for (const name of flaky) console.error(`passed at the second try only: ${name}`)
  for (const name of skipped) console.error(`did not run: ${name}`)
  for (const note of notes) console.log(note)
  const named = slowest.slice(0, SLOWEST_NAMED).map(([file, seconds]) => `${file} ${seconds.toFixed(0)} s`)
  if (named.length > 0) console.log(`slowest: ${named.join(', ')}`)
  const failedCount = failures.length
  console.log(`${ran - failedCount} passed, ${failedCount} failed, ${skipped.length} skipped`)
  const isGreen = reports.length > 0 && failedCount === 0 && left.length === 0
  const why = skipped.length === 0 ? '' : ` (${skipped.length} did not run: see above)`
  console.log(`${command}: ${isGreen ? 'green' : 'red'} after ${secondsSince(startedMs)}, ${ran} tests ran${why}`)
  process.exit(isGreen ? 0 : 1)
}

async function findLeftovers() {
  const processes = await endLeftovers(temporary)
  // Shared memory of Chromium itself stays when a page is closed in the middle of something.
  const entries = readdirSync(temporary).filter((name) => !name.startsWith('.org.chromium.'))
  rmSync(temporary, { recursive: true, force: true })
  return [...processes.map((line) => `process ${line}`), ...entries.map((name) => `entry ${name}`)]
}

function stopGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

function secondsSince(sinceMs) {
  const seconds = Math.round((Date.now() - sinceMs) / 1_000)
  return seconds < 90 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
