// Leaves out of preact what the widget never does: classes, suspense, inner HTML, style props, elements it has none of.
// Each is a condition of preact's that is never true here; told so, the minifier drops what hangs on it.
import type { Plugin } from 'vite'

const PREACT = /\/node_modules\/preact\/dist\/preact\.mjs$/

/** What only class components have. */
export const CLASS_METHODS = [
  'componentDidCatch',
  'componentDidMount',
  'componentDidUpdate',
  'componentWillMount',
  'componentWillReceiveProps',
  'contextType',
  'getDerivedStateFromError',
  'getDerivedStateFromProps',
  'getSnapshotBeforeUpdate',
]

/** Names of props and elements that no screen uses. */
export const UNUSED_NAMES = [
  'dangerouslySetInnerHTML',
  'foreignObject',
  'math',
  'progress',
  'style',
  'template',
  'textarea',
]

const variable = '[\\w$]+'

const NEVER_TRUE: RegExp[] = [
  ...[...CLASS_METHODS, 'debounceRendering', 'innerHTML'].map(
    (name) => new RegExp(`${variable}(?:\\.${variable})*\\.${name}\\b(?!\\s*=[^=])`, 'g'),
  ),
  ...UNUSED_NAMES.map((name) => new RegExp(`"${name}"==${variable}`, 'g')),
  /"http:\/\/www\.w3\.org\/1998\/Math\/MathML"==[\w$]+/g,
  // Whether a component is a class, and whether what it threw is a promise.
  /\([\w$]+=[\w$]+\.prototype\)&&[\w$]+\.render/g,
  /[\w$]+&&[\w$]+\.then/g,
]

export function leanPreact(): Plugin {
  return {
    name: 'lean-preact',
    enforce: 'pre',
    transform(code, id) {
      return PREACT.test(id) ? { code: makeLean(code), map: null } : null
    },
  }
}

/** Throws when preact no longer asks one of the questions: a new version has to be looked at again. */
export function makeLean(code: string): string {
  return NEVER_TRUE.reduce((lean, condition) => {
    if (lean.search(condition) < 0) throw new Error(`preact has changed: nothing in it matches ${condition}`)
    return lean.replace(condition, '(void 0)')
  }, code)
}
