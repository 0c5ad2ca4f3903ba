// The one plugin that changes other people's code. Shops run on pages where MooTools or Prototype has added to
// `Object.prototype`. Preact its signals and the bundler's helpers walk through objects with `for … in`, so every
// addition became an attribute of every element and an export of a chunk; and the `bind` of MooTools drops the
// arguments of a call. None has a setting for it, and the page's objects are not ours to change.
import { type Plugin, parseAst, Visitor } from 'vite'

const LIBRARIES = /\/node_modules\/@?preact\/|^\0rolldown\/runtime/

export function hostProof(): Plugin {
  return {
    name: 'host-proof',
    transform(code, id) {
      return LIBRARIES.test(id) ? { code: makeHostProof(code), map: null } : null
    },
  }
}

type Edit = { from: number; to: number; insert: string }

const BIND = 'const hostProofBind=(f,t,...a)=>(...b)=>f.apply(t,[...a,...b]);'

/** `for (key in object)` goes through what the object itself has, and `method.bind(…)` is what the standard says. */
export function makeHostProof(code: string): string {
  const edits: Edit[] = []
  new Visitor({
    ForInStatement({ left, right }) {
      edits.push({ from: left.end, to: right.start, insert: ' of Object.keys((' })
      edits.push({ from: right.end, to: right.end, insert: ')??{})' })
    },
    CallExpression({ callee, arguments: [first] }) {
      if (callee.type !== 'MemberExpression' || callee.computed || !first) return
      if (callee.property.type !== 'Identifier' || callee.property.name !== 'bind') return
      edits.push({ from: callee.start, to: callee.start, insert: 'hostProofBind(' })
      edits.push({ from: code.lastIndexOf('.', callee.property.start), to: first.start, insert: ',' })
    },
  }).visit(parseAst(code))
  const isBound = edits.some(({ insert }) => insert.startsWith('hostProofBind'))
  return (isBound ? BIND : '') + applyEdits(code, edits)
}

function applyEdits(code: string, edits: Edit[]): string {
  // From the end, so that what comes before keeps its place.
  const fromEnd = edits.toSorted((one, other) => other.from - one.from || other.to - one.to)
  return fromEnd.reduce((edited, { from, to, insert }) => edited.slice(0, from) + insert + edited.slice(to), code)
}
