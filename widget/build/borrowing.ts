// Lets a chunk use the script's own preact and components: imports of what `runtime.ts` lists become calls of a function the script hands
// over. Script and chunks are built together, so both know each thing by its place in the list and neither needs its name.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Plugin } from 'vite'

const BORROWED = '\0borrowed'
const runtimeList = /=> \(\{([\s\S]+)\}\)/

/** For a chunk. */
export function borrowing(runtimeFile: string): Plugin {
  const { files, names } = readRuntime(runtimeFile)
  return {
    name: 'borrowing',
    enforce: 'pre',
    resolveId(source, importer) {
      const file = source.startsWith('.') && importer ? resolve(importer, '..', source) : source
      return source === BORROWED || files.has(file) ? BORROWED : null
    },
    load(id) {
      if (id !== BORROWED) return null
      return names.map((name, place) => `export const ${name} = /* @__PURE__ */ borrow(${place})`).join('\n')
    },
  }
}

/** For the script. */
export function lending(runtimeFile: string): Plugin {
  return {
    name: 'lending',
    enforce: 'pre',
    transform(code, id) {
      return id === runtimeFile ? { code: code.replace(runtimeList, '=> [$1]'), map: null } : null
    },
  }
}

/** A CommonJS chunk as a module that makes its exports once it is given the list of what it can borrow. */
export function asFactory(code: string): string {
  const borrowed = new Map<number, string>()
  const exported: string[] = []
  const body = code
    .replace(/([\w$]+)=borrow\((\d+)\)[,;]?/g, (_, name: string, place: string) => {
      borrowed.set(Number(place), name)
      return ''
    })
    .replace(/exports\.(\w+)=([\w$]+)[,;]?/g, (_, name: string, value: string) => {
      exported.push(`${name}:${value}`)
      return ''
    })
    .replace(/\bvar (?=function|$)/, '')
  const list = Array.from({ length: Math.max(-1, ...borrowed.keys()) + 1 }, (_, place) => borrowed.get(place) ?? '')
  return `export const create=([${list}])=>{${body};return{${exported}}}`
}

function readRuntime(file: string): { files: Set<string>; names: string[] } {
  const source = readFileSync(file, 'utf8')
  const specifiers = [...source.matchAll(/ from (['"])(.+)\1/g)].map(([, , specifier = '']) => specifier)
  const [, list = ''] = runtimeList.exec(source) ?? []
  return {
    files: new Set(specifiers.map((name) => (name.startsWith('.') ? resolve(file, '..', name) : name))),
    names: list.match(/\w+/g) ?? [],
  }
}
