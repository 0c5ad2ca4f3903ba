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

/** Lengths and fonts: any CSS value. */
export const OTHER_TOKENS: readonly Token[] = [
  token('font', 'Font', 'system-ui', 'system-ui'),
  token('font-size', 'Font size', 'medium', 'medium'),
  token('radius', 'Corner of the panel', '0.75em', '0.75em'),
  token('control-radius', 'Corner of inputs', '0.5em', '0.5em'),
  token('control-height', 'Height of inputs', '3em', '3em'),
  token('space', 'Space between', '1.5em', '1.5em'),
]

const names = new Set([...COLOUR_TOKENS, ...OTHER_TOKENS].map(({ name }) => name))

export function isToken(name: string): boolean {
  return names.has(name)
}

export type Pair = { title: string; front: string; back: string; ratioMin: number }

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
