// The theme tokens the preview lets a developer turn, and which pairs of them people must be able to tell apart.

export type Token = { name: string; title: string; light: string; dark: string }

const token = (name: string, title: string, light: string, dark: string): Token => ({
  name: `--credit-report-${name}`,
  title,
  light,
  dark,
})

/** Colours, with the widget's own values. */
export const COLOUR_TOKENS: readonly Token[] = [
  token('accent', 'Accent', '#0a5f66', '#67cfc6'),
  token('accent-contrast', 'On accent', '#ffffff', '#05282b'),
  token('surface', 'Surface', '#ffffff', '#141b22'),
  token('surface-2', 'Second surface', '#f4f7f8', '#1d262f'),
  token('text', 'Text', '#17212e', '#e9eef2'),
  token('muted', 'Muted text', '#556170', '#a9b5c0'),
  token('border', 'Border', '#dde3e8', '#313c47'),
  token('control-border', 'Input border', '#76828f', '#8593a1'),
  token('error', 'Error', '#b3241a', '#ff9d92'),
  token('focus', 'Focus ring', '#0a5f66', '#ffd86b'),
]

/** A token written as text: the CSS property that says which values have an effect, and what those are called. */
export type TextToken = Token & { property: string; expected: string }

const text = (name: string, title: string, value: string, property: string, expected: string): TextToken => ({
  ...token(name, title, value, value),
  property,
  expected,
})

export const TEXT_TOKENS: readonly TextToken[] = [
  text('font', 'Font', 'system-ui', 'font-family', 'a font, such as Georgia, serif'),
  text('font-size', 'Font size', 'medium', 'font-size', 'a size, such as 18px or large'),
  text('radius', 'Corner of the panel', '0.75em', 'border-radius', 'a length, such as 0 or 12px'),
  text('control-radius', 'Corner of inputs', '0.5em', 'border-radius', 'a length, such as 0 or 8px'),
  text('control-height', 'Height of inputs', '3em', 'min-height', 'a length, such as 44px'),
  text('space', 'Space between', '1.5em', 'row-gap', 'a length, such as 1em'),
]

/** A colour is what a colour input gives; text may be anything, and `hasEffect` says whether it is any good. */
export function isTokenValue(name: string, value: string): boolean {
  if (COLOUR_TOKENS.some((colour) => colour.name === name)) return /^#[0-9a-f]{6}$/i.test(value)
  return value !== '' && TEXT_TOKENS.some((each) => each.name === name)
}

/** True when a browser would use it. */
export function hasEffect(name: string, value: string): boolean {
  const { property } = TEXT_TOKENS.find((each) => each.name === name) ?? { property: 'color' }
  return CSS.supports(property, value)
}

/** The tokens worth handing to a widget or to a lender. */
export function effective(tokens: { [name: string]: string }): { [name: string]: string } {
  return Object.fromEntries(Object.entries(tokens).filter(([name, value]) => hasEffect(name, value)))
}

type Pair = { title: string; front: string; back: string; ratioMin: number }

const TEXT_RATIO_MIN = 4.5
const SHAPE_RATIO_MIN = 3

/** WCAG 2.2: text 4.5, and 3 for what only has to be seen. */
export const PAIRS: readonly Pair[] = [
  pair('Text on surface', 'text', 'surface', TEXT_RATIO_MIN),
  pair('Muted text on surface', 'muted', 'surface', TEXT_RATIO_MIN),
  pair('Muted text on second surface', 'muted', 'surface-2', TEXT_RATIO_MIN),
  pair('Button', 'accent-contrast', 'accent', TEXT_RATIO_MIN),
  pair('Link on surface', 'accent', 'surface', TEXT_RATIO_MIN),
  pair('Error on surface', 'error', 'surface', TEXT_RATIO_MIN),
  pair('Input border', 'control-border', 'surface', SHAPE_RATIO_MIN),
  pair('Focus ring', 'focus', 'surface', SHAPE_RATIO_MIN),
]

function pair(title: string, front: string, back: string, ratioMin: number): Pair {
  return { title, front: `--credit-report-${front}`, back: `--credit-report-${back}`, ratioMin }
}
