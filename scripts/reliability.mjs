// Results of `npm run prove`, kept as data and rendered as a page. A run replaces its own section only.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.mjs'

const DATA = join(root, 'docs/operator/reliability.json')
const PAGE = join(root, 'docs/operator/reliability.md')

/** Writes both files: `results` by name over what was known, for the runs that still exist. */
export function recordRuns({ proofs, results }) {
  const known = existsSync(DATA) ? JSON.parse(readFileSync(DATA, 'utf8')) : {}
  const all = { ...known, ...results }
  const kept = Object.fromEntries(proofs.flatMap(({ name }) => (name in all ? [[name, all[name]]] : [])))
  writeFileSync(DATA, `${JSON.stringify(kept, null, 2)}\n`)
  writeFileSync(PAGE, writePage(proofs, kept))
}

/** The page, from what each run says about itself and what came of it. */
export function writePage(proofs, results) {
  return [
    '<!-- Written by `npm run prove` from reliability.json. Do not edit: run it again. -->',
    '# Reliability',
    '',
    'Long runs against the service and the tenant proxy, and what they counted. `npm run prove` repeats them all and takes',
    'more than two hours; `npm run prove -- crashes` repeats one. `npm run test:release` runs most of them in small. A run',
    '*held* if every assertion held; one exception and it *broke*. Scale 1 is the full run.',
    '',
    '| run | what | verdict | scale | date | commit | time |',
    '|---|---|---|---:|---|---|---:|',
    ...proofs.map(({ name, about }) => overviewRow(name, about, results[name])),
    ...proofs.filter(({ name }) => results[name]).flatMap(({ name, about }) => writeSection(about, results[name])),
    '',
  ].join('\n')
}

function overviewRow(name, { title }, result) {
  if (!result) return `| \`${name}\` | ${title} | not run yet | | | | |`
  const { ok, scale, date, commit, seconds } = result
  return `| \`${name}\` | ${title} | ${ok ? 'held' : '**BROKE**'} | ${scale} | ${date} | ${commit} | ${span(seconds)} |`
}

function writeSection({ title, text, meanings = {} }, { ok, why, counts }) {
  return [
    '',
    `## ${title}`,
    '',
    ...wrap(text),
    '',
    ...(ok ? [] : [`**Broke:** ${why}`, '']),
    '| counted | | |',
    '|---|---:|---|',
    ...Object.entries(counts).map(([what, count]) => `| ${what} | ${write(count)} | ${meanings[what] ?? ''} |`),
  ]
}

/** Prose of the guides ends at 120 columns. */
function wrap(text) {
  return text.match(/.{1,120}(?= |$)/g).map((line) => line.trim())
}

function write(count) {
  return Number(count).toLocaleString('en-GB')
}

function span(seconds) {
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}
