// bench/RESULTS.md: one table of figures and one of when and where they were measured. A part that is measured again
// replaces its own lines and no others.

const FIGURES = [
  '| part | figure | value | against | ratio | goal | guard | |',
  '|---|---|---:|---|---:|---:|---:|---|',
]
const OCCASIONS = ['| part | date | commit | machine |', '|---|---|---|---|']

/** The page with these results over what it said before. `parts` are all that exist; lines of others are dropped. */
export function writeResults(before, parts, results) {
  const described = parts.map((part) => {
    const result = results[part]
    if (!result) return linesOf(before, part)
    const { rows, date, commit, machine } = result
    return {
      figures: rows.map((row) => figureLine(part, row)),
      occasions: [`| ${part} | ${date} | ${commit} | ${machine} |`],
    }
  })
  return [
    '# Measurements',
    '',
    'Written by `npm run bench`. Each figure is a ratio to a floor or a peer measured in the same run, the two taking turns;',
    'absolute times say little about another machine.',
    '',
    ...FIGURES,
    ...described.flatMap(({ figures }) => figures),
    '',
    ...OCCASIONS,
    ...described.flatMap(({ occasions }) => occasions),
    '',
  ].join('\n')
}

/** The table of figures alone, to be printed. */
export function writeTable(results) {
  const lines = Object.entries(results).flatMap(([part, { rows }]) => rows.map((row) => figureLine(part, row)))
  return [...FIGURES, ...lines].join('\n')
}

/** True when the guard is kept. A goal may be missed; the table says so. */
export function holds({ ratio, target }) {
  return !target || isWithin(ratio, target.guard, target)
}

function isWithin(ratio, bound, { is }) {
  return is === 'least' ? ratio >= bound : ratio <= bound
}

function linesOf(page, part) {
  const lines = page.split('\n').filter((line) => line.startsWith(`| ${part} |`))
  const isOccasion = (line) => line.split(' | ').length === OCCASIONS[0].split(' | ').length
  return { figures: lines.filter((line) => !isOccasion(line)), occasions: lines.filter(isOccasion) }
}

function figureLine(part, row) {
  const { name, value, unit = '', against = '', floor, ratio, target } = row
  const bound = (number) => (target ? `${target.is === 'least' ? '≥' : '≤'} ${Number(number.toFixed(2))}` : '')
  const cells = [part, name, quantity(value, unit), `${against} ${quantity(floor, unit)}`.trim(), write(ratio)]
  return `| ${[...cells, bound(target?.goal), bound(target?.guard)].join(' | ')} | ${verdict(row)} |`
}

function verdict(row) {
  if (!row.target) return ''
  if (!holds(row)) return 'CROSSED'
  return isWithin(row.ratio, row.target.goal, row.target) ? 'goal met' : 'goal missed'
}

function quantity(value, unit) {
  return `${write(value)} ${unit}`.trim()
}

/** Three digits are as many as a measurement is good for. */
function write(value) {
  if (Number.isInteger(value) || value >= 100) return Math.round(value).toLocaleString('en-GB')
  return value.toPrecision(Math.abs(value) >= 1 ? 3 : 2)
}
