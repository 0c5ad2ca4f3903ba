// `npm run bench [name …]`: runs bench/*.ts one after another, prints one table and writes bench/RESULTS.md. Fails when a limit is crossed.
import { execFileSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { runnerImport } from 'vite'
import { buildIfStale } from './build.mjs'
import { ensureBrowser } from './ensure-browser.mjs'
import { root } from './root.mjs'

const chosen = process.argv.slice(2)
const names = readdirSync(join(root, 'bench'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== 'row.ts')
  .map((file) => file.slice(0, -'.ts'.length))
  .filter((name) => chosen.length === 0 || chosen.includes(name))

await ensureBrowser()
buildIfStale()

const rows = []
for (const name of names) {
  const { module } = await runnerImport(join(root, `bench/${name}.ts`))
  if (typeof module.run !== 'function') continue
  console.log(`bench: ${name}`)
  for (const row of await module.run()) rows.push({ part: name, ...row })
}

const table = [
  '| part | figure | value | against | ratio | limit | |',
  '|---|---|---:|---|---:|---:|---|',
  ...rows.map(line),
]
console.log(`\n${table.join('\n')}`)
if (chosen.length === 0) writeFileSync(join(root, 'bench/RESULTS.md'), results(table))
process.exitCode = rows.every(holds) ? 0 : 1

function holds({ ratio, limit, limitIs = 'most' }) {
  if (limit === null || limit === undefined) return true
  return limitIs === 'least' ? ratio >= limit : ratio <= limit
}

function line(row) {
  const { part, name, value, unit = '', against = '', floor, ratio, limit, limitIs = 'most' } = row
  const bound = limit === null || limit === undefined ? '' : `${limitIs === 'least' ? '≥' : '≤'} ${limit}`
  const against_ = `${against} ${short(floor)} ${unit}`.trim()
  return `| ${part} | ${name} | ${short(value)} ${unit} | ${against_} | ${ratio.toFixed(2)} | ${bound} | ${bound && (holds(row) ? 'holds' : 'CROSSED')} |`
}

function short(value) {
  return value >= 100 ? Math.round(value).toLocaleString('en-GB') : value.toFixed(2)
}

function results(lines) {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  const machine = `${cpus().length} × ${process.arch}, Node ${process.version}, ${process.platform}`
  return [
    '# Measurements',
    '',
    'Written by `npm run bench`. Each figure is a ratio to a floor or a peer measured in the same run, the two taking turns; absolute times say little about another machine.',
    '',
    `${new Date().toISOString().slice(0, 10)}, commit ${commit}, ${machine}`,
    '',
    ...lines,
    '',
  ].join('\n')
}
