// axe in the page that is looked at. It is put there once and runs there: axe's own driver would send it anew, and open
// a page beside it, for every look.
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import type { Result } from 'axe-core'

// Half as long as what the package exports, and sent to every page that is looked at.
const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')

/** Everything axe knows, but for what it tries out. */
export const ALL_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** The rules to check again on a page in other colours. */
export const OF_COLOURS = ['color-contrast']

export type Look = {
  /** Only this part of the page. */
  within?: string
  /** Rules of these kinds; all when nothing is said. */
  tags?: readonly string[]
  /** These rules alone. */
  rules?: readonly string[]
}

/** The findings of axe, a line for each rule with every place. Frames are left out. */
export async function findViolations(page: Page, { within, tags, rules }: Look = {}): Promise<string[]> {
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(AXE)
  const runOnly = rules ? { type: 'rule', values: rules } : tags && { type: 'tag', values: tags }
  const { violations } = await page.evaluate(
    ([context, options]) => Reflect.get(window, 'axe').run(context ?? document, options),
    [within, { runOnly, iframes: false, resultTypes: ['violations'] }] as const,
  )
  return (violations as Result[]).map(({ id, nodes }) =>
    [`${id}:`, ...nodes.map(({ target, html }) => `${target.join(' ')} ${html}`)].join('\n'),
  )
}
