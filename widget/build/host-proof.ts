// The one plugin that changes other people's code. Shops run on pages where MooTools or Prototype has added to `Object.prototype`. Preact
// and the bundler's helpers walk through objects with `for … in`, so every addition became an attribute of every element and an export of
// a chunk. Neither has a setting for it, and the page's objects are not ours to change.
import { type Plugin, parseAst, Visitor } from 'vite'

const LIBRARIES = /\/node_modules\/preact\/|^\0rolldown\/runtime/

export function hostProof(): Plugin {
  return {
    name: 'host-proof',
    transform(code, id) {
      return LIBRARIES.test(id) ? { code: makeHostProof(code), map: null } : null
    },
  }
}

type Edit = { from: number; to: number; insert: string }

/** `for (key in object)` goes through what the object itself has. */
export function makeHostProof(code: string): string {
  const edits: Edit[] = []
  new Visitor({
    ForInStatement({ left, right }) {
      edits.push({ from: left.end, to: right.start, insert: ' of Object.keys((' })
      edits.push({ from: right.end, to: right.end, insert: ')??{})' })
    },
  }).visit(parseAst(code))
  return applyEdits(code, edits)
}

function applyEdits(code: string, edits: Edit[]): string {
  // From the end, so that what comes before keeps its place.
  const fromEnd = edits.toSorted((one, other) => other.from - one.from || other.to - one.to)
  return fromEnd.reduce((edited, { from, to, insert }) => edited.slice(0, from) + insert + edited.slice(to), code)
}
