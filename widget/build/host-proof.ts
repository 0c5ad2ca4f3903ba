// The one plugin that changes other people's code. Shops run on pages where MooTools or Prototype has added to `Object.prototype` and
// replaced `bind`. Preact, zod and the bundler's helpers walk through objects with `for … in`, so every addition became an attribute of
// every element, a member of every schema and an export of a chunk; zod uses `bind`. No library has a setting for it, and the
// page's objects are not ours to change.
import { type Plugin, parseAst, Visitor } from 'vite'

const LIBRARIES = /\/node_modules\/(?:preact|zod)\/|^\0rolldown\/runtime/
const CALL_BIND = 'hostProofBind('
const BIND = 'function hostProofBind(run, self, ...first) { return (...rest) => run.apply(self, [...first, ...rest]) }'

export function hostProof(): Plugin {
  return {
    name: 'host-proof',
    transform(code, id) {
      return LIBRARIES.test(id) ? { code: makeHostProof(code), map: null } : null
    },
  }
}

type Edit = { from: number; to: number; insert: string }

/** `for (key in object)` goes through what the object itself has; `run.bind(self)` means what it means by the book. */
export function makeHostProof(code: string): string {
  const edits: Edit[] = []
  new Visitor({
    ForInStatement({ left, right }) {
      edits.push({ from: left.end, to: right.start, insert: ' of Object.keys((' })
      edits.push({ from: right.end, to: right.end, insert: ')??{})' })
    },
    CallExpression({ callee, arguments: [self] }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier' || !self) return
      if (callee.property.name !== 'bind' || callee.computed) return
      edits.push({ from: callee.start, to: callee.start, insert: CALL_BIND })
      // From the dot: the object may be in brackets, which are not part of it.
      edits.push({ from: code.lastIndexOf('.', callee.property.start), to: self.start, insert: ',' })
    },
  }).visit(parseAst(code))
  const needsBind = edits.some(({ insert }) => insert === CALL_BIND)
  return applyEdits(code, edits) + (needsBind ? `\n${BIND}` : '')
}

function applyEdits(code: string, edits: Edit[]): string {
  // From the end, so that what comes before keeps its place.
  const fromEnd = edits.toSorted((one, other) => other.from - one.from || other.to - one.to)
  return fromEnd.reduce((edited, { from, to, insert }) => edited.slice(0, from) + insert + edited.slice(to), code)
}
