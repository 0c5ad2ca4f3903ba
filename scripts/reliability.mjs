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
    'Counts of long runs against service and tenant proxy. `npm run prove` repeats them all in about five hours,',
    '`npm run prove -- crashes` one. A run held if every assertion held.',
    ...proofs.flatMap(({ name, about }) => writeSection(name, about, results[name])),
    '',
  ].join('\n')
}

function writeSection(name, { title, text, meanings = {} }, result) {
  const head = ['', `## ${title}`, '']
  if (!result) return [...head, `\`${name}\`: not run yet.`]
  const { ok, why, scale, date, commit, seconds, counts } = result
  const size = scale === 1 ? '' : `, scale ${scale}`
  const verdict = ok ? 'held' : `**BROKE** (${why})`
  const lines = Object.entries(counts).map(([what, count]) => describeCount(what, count, meanings[what]))
  return [
    ...head,
    ...wrap(`${text} \`${name}\`, ${date}, ${commit}, ${span(seconds)}${size}: ${verdict}.`),
    ...(lines.length > 0 ? ['', ...lines] : []),
  ]
}

function describeCount(what, count, meaning) {
  const value = Array.isArray(count) ? draw(count) : `**${Number(count).toLocaleString('en-GB')}**`
  return `- ${what}: ${value}${meaning ? ` (${meaning})` : ''}`
}

const BARS = '▁▂▃▄▅▆▇█'

/** A figure over time, from nothing to its highest. */
function draw(values) {
  const highest = Math.max(...values)
  const bars = values.map((value) => BARS[Math.ceil((value / highest) * BARS.length) - 1])
  return `\`${bars.join('')}\` **${Math.min(...values)} to ${highest}**`
}

/** Prose of the guides ends at 120 columns. */
function wrap(text) {
  return text.match(/.{1,120}(?= |$)/g).map((line) => line.trim())
}

function span(seconds) {
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}
