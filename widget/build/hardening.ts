// Changes to other people's code on its way into the bundle, so that it keeps working on pages that have added to `Object.prototype`.
import type { Plugin } from 'vite'

const LIBRARIES = /\/node_modules\/(?:preact|@preact)\//
const forIn = /for\s*\(\s*((?:const|let|var)\s+)?([\w$]+)\s+in\s+([^()]+)\)/g
const bindCall = /([\w$]+(?:\.[\w$]+)*)\.bind\(/g
const BIND = 'function __bind(run, self, ...first) { return (...rest) => run.apply(self, [...first, ...rest]) }'

/**
 * Keeps what scripts of the page have done to the built-in objects away from preact: what they added to every object is not a prop, and
 * `bind` means what it means even where MooTools has replaced it.
 */
export function hostProof(): Plugin {
  return {
    name: 'host-proof',
    transform(code, id) {
      if (!LIBRARIES.test(id)) return null
      const proof = code
        .replace(forIn, (_, declare = '', key, object) => `for(${declare}${key} of Object.keys((${object})??{}))`)
        .replace(bindCall, '__bind($1,')
      return { code: proof.includes('__bind(') ? `${proof}\n${BIND}` : proof, map: null }
    },
  }
}

/** Nothing of zod is used in a browser, so neither may its globals be written, nor may any of it be bundled by mistake. */
export function noZod(): Plugin {
  return {
    name: 'no-zod',
    transform(code, id) {
      if (!/\/node_modules\/zod\//.test(id)) return null
      return { code: code.replace(/^\(_a = globalThis\)\.__zod_.+$|"captureStackTrace" in Error/gm, '0'), map: null }
    },
    generateBundle(_options, bundle) {
      for (const output of Object.values(bundle))
        if (output.type === 'chunk' && /safeParse|__zod/.test(output.code))
          throw new Error(`${output.fileName} contains zod: something in it needs a schema at run time`)
    },
  }
}

/** Schemas nobody asks for are left out: building one has no side effect. */
export function pureContract(): Plugin {
  return {
    name: 'pure-contract',
    transform(code, id) {
      if (!/\/contract\/[\w-]+\.ts$/.test(id)) return null
      const pure = code
        .replace(/(?<!function )(?<=[\s([{,:])(?:z\s*\.\s*\w+|\w*[tT]ext|[A-Z_]+\.join)\(/g, '/* @__PURE__ */ $&')
        .replace(/^(?:export )?function /gm, '/* @__NO_SIDE_EFFECTS__ */ $&')
      return { code: pure, map: null, moduleSideEffects: false }
    },
  }
}
