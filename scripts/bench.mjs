// `npm run bench [part …]`: runs bench/*.ts one after another, prints one table and writes bench/RESULTS.md. Ends with
// exit code 1 when a guard is crossed or a part breaks; a part whose peers cannot be fetched says so and keeps the
// lines it had.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { runnerImport } from 'vite'
import { holds, writeResults, writeTable } from './bench-results.mjs'
import { buildIfStale } from './build.mjs'
import { ensureBrowser } from './ensure-browser.mjs'
import { root } from './root.mjs'

const RESULTS = join(root, 'bench/RESULTS.md')

const parts = readdirSync(join(root, 'bench'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .filter((file) => readFileSync(join(root, 'bench', file), 'utf8').includes('export async function run('))
  .map((file) => file.slice(0, -'.ts'.length))
const chosen = process.argv.slice(2)
const unknown = chosen.filter((part) => !parts.includes(part))
if (unknown.length > 0) {
  console.error(`bench: no part is called ${unknown.join(', ')}; there are ${parts.join(', ')}`)
  process.exit(2)
}

await ensureBrowser()
buildIfStale()

const results = {}
for (const part of chosen.length > 0 ? chosen : parts) {
  console.log(`bench: ${part}`)
  try {
    const { module } = await runnerImport(join(root, `bench/${part}.ts`))
    const rows = await module.run()
    if (rows.length > 0) results[part] = { rows, ...occasion() }
  } catch (error) {
    console.error(`bench: ${part} broke`, error)
    process.exitCode = 1
  }
  // After every part: what was measured is not lost to the last of them.
  writeFileSync(RESULTS, writeResults(existsSync(RESULTS) ? readFileSync(RESULTS, 'utf8') : '', parts, results))
}
console.log(`\n${writeTable(results)}`)
if (!Object.values(results).every(({ rows }) => rows.every(holds))) process.exitCode = 1

function occasion() {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  const machine = `${cpus().length} cores, ${process.arch}, ${process.platform}, Node ${process.version}`
  return { date: new Date().toISOString().slice(0, 10), commit, machine }
}
