import { expect, test } from 'vitest'
import { contrastRatio } from './contrast.ts'
import { COLOUR_TOKENS, PAIRS } from './tokens.ts'

const rows: [one: string, other: string, ratio: number | null][] = [
  ['#000000', '#ffffff', 21],
  ['#fff', '#000', 21],
  ['#777777', '#ffffff', 4.48],
  ['#767676', '#ffffff', 4.54],
  ['#ABCDEF', '#abcdef', 1],
  ['rebeccapurple', '#fff', null],
  ['#12345', '#fff', null],
]

test.each(rows)('%s on %s', (one, other, ratio) => {
  const measured = contrastRatio(one, other)
  if (ratio === null) expect(measured).toBeNull()
  else expect(measured).toBeCloseTo(ratio, 2)
})

test.each(['light', 'dark'] as const)('the widget’s own %s colours pass every pair', (theme) => {
  const colourOf = (wanted: string) => COLOUR_TOKENS.find(({ name }) => name === wanted)?.[theme] ?? ''
  for (const { title, front, back, ratioMin } of PAIRS) {
    expect(contrastRatio(colourOf(front), colourOf(back)), title).toBeGreaterThanOrEqual(ratioMin)
  }
})
