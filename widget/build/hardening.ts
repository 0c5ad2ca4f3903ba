// Changes to other people's code on its way into the bundle, so that it keeps working on pages that have added to `Object.prototype`.
import type { Plugin } from 'vite'

const LIBRARIES = /\/node_modules\/(?:preact|@preact)\//
const forIn = /for\s*\(\s*((?:const|let|var)\s+)?([\w$]+)\s+in\s+([^()]+)\)/g

/** Loops over an object's own keys only: a page's additions are not props. */
export function ownKeysOnly(): Plugin {
  return {
    name: 'own-keys-only',
    transform(code, id) {
      if (!LIBRARIES.test(id)) return null
      return {
        code: code.replace(
          forIn,
          (_, declare = '', key, object) => `for(${declare}${key} of Object.keys((${object})??{}))`,
        ),
        map: null,
      }
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
        .replace(/(?<!function )(?<=[\s([{,:])(?:z\s*\.\s*\w+|\w*[tT]ext)\(/g, '/* @__PURE__ */ $&')
        .replace(/^(?:export )?function /gm, '/* @__NO_SIDE_EFFECTS__ */ $&')
      return { code: pure, map: null, moduleSideEffects: false }
    },
  }
}
