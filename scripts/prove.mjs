// `npm run prove [name …]`: the long reliability runs (crash, race, fuzz, soak). Each prints its counts; any breach ends with exit code 1.
// `--scale 0.01` runs a hundredth of everything, to see that it runs.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'
import { buildIfStale } from './build.mjs'
import { root } from './root.mjs'

const { values, positionals } = parseArgs({
  options: { scale: { type: 'string', default: '1' } },
  allowPositionals: true,
})
const scale = Number(values.scale)
if (!(scale > 0)) {
  console.error('prove: --scale must be a number above 0')
  process.exit(2)
}

const scripts = ['service', 'tenant-proxy'].flatMap((folder) => {
  const path = join(root, folder, 'prove')
  if (!existsSync(path)) return []
  return readdirSync(path)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => ({ name: file.slice(0, -'.ts'.length), path: join(path, file) }))
})

buildIfStale()
const outcomes = []
for (const { name, path } of scripts) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  const { module } = await runnerImport(path)
  if (typeof module.run !== 'function') continue
  console.log(`\nprove: ${name}`)
  const startedMs = Date.now()
  const { ok, counts } = await module.run({ scale })
  const seconds = Math.round((Date.now() - startedMs) / 1000)
  outcomes.push({ name, ok, counts, seconds })
  console.log(`prove: ${name} ${ok ? 'held' : 'BROKE'} after ${seconds} s ${JSON.stringify(counts)}`)
}
if (positionals.length === 0) writeFileSync(join(root, 'docs/reliability.md'), report())
process.exitCode = outcomes.every(({ ok }) => ok) ? 0 : 1

function report() {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  const rows = outcomes.flatMap(({ name, ok, counts, seconds }) =>
    Object.entries(counts).map(
      ([what, count]) =>
        `| ${name} | ${what} | ${Number(count).toLocaleString('en-GB')} | ${ok ? 'held' : 'BROKE'} | ${seconds} s |`,
    ),
  )
  return [
    '# Reliability',
    '',
    'Written by `npm run prove`: what was tried against the service and the tenant proxy, and what was counted.',
    '',
    `${new Date().toISOString().slice(0, 10)}, commit ${commit}, scale ${scale}`,
    '',
    '| run | what | count | verdict | time |',
    '|---|---|---:|---|---:|',
    ...rows,
    '',
  ].join('\n')
}
