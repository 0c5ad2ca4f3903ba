// bench/RESULTS.md: one table of figures and one of when and where they were measured. A part that is measured again replaces its own
// lines and no others.

const FIGURES = ['| part | figure | value | against | ratio | limit | |', '|---|---|---:|---|---:|---:|---|']
const OCCASIONS = ['| part | date | commit | machine |', '|---|---|---|---|']

/** The page with these results over what it said before. `parts` are all that exist; lines of others are dropped. */
export function writeResults(before, parts, results) {
  const told = parts.map((part) => {
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
    ...told.flatMap(({ figures }) => figures),
    '',
    ...OCCASIONS,
    ...told.flatMap(({ occasions }) => occasions),
    '',
  ].join('\n')
}

/** The table of figures alone, to be printed. */
export function writeTable(results) {
  const lines = Object.entries(results).flatMap(([part, { rows }]) => rows.map((row) => figureLine(part, row)))
  return [...FIGURES, ...lines].join('\n')
}

export function holds({ ratio, limit, limitIs = 'most' }) {
  if (limit === null || limit === undefined) return true
  return limitIs === 'least' ? ratio >= limit : ratio <= limit
}

function linesOf(page, part) {
  const lines = page.split('\n').filter((line) => line.startsWith(`| ${part} |`))
  const isOccasion = (line) => line.split(' | ').length === OCCASIONS[0].split(' | ').length
  return { figures: lines.filter((line) => !isOccasion(line)), occasions: lines.filter(isOccasion) }
}

function figureLine(part, row) {
  const { name, value, unit = '', against = '', floor, ratio, limit, limitIs = 'most' } = row
  const bound = limit === null || limit === undefined ? '' : `${limitIs === 'least' ? '≥' : '≤'} ${limit}`
  const verdict = bound && (holds(row) ? 'holds' : 'CROSSED')
  const cells = [part, name, quantity(value, unit), `${against} ${quantity(floor, unit)}`.trim(), write(ratio), bound]
  return `| ${cells.join(' | ')} | ${verdict} |`
}

function quantity(value, unit) {
  return `${write(value)} ${unit}`.trim()
}

/** Three digits are as many as a measurement is good for. */
function write(value) {
  if (Number.isInteger(value) || value >= 100) return Math.round(value).toLocaleString('en-GB')
  return value.toPrecision(Math.abs(value) >= 1 ? 3 : 2)
}
