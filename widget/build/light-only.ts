// Browsers of before 2024 do not know light-dark(), and a colour they cannot read leaves inputs without edges and buttons without a
// background. They get the light colours, read from the style sheet itself.
import type { Plugin } from 'vite'

const paired = /(--_[\w-]+): (var\(--credit-report-[\w-]+, )light-dark\(([^,]+), [^)]+\)\)/g

export function lightOnly(styleFile: string): Plugin {
  return {
    name: 'light-only',
    enforce: 'pre',
    transform(code, id) {
      return id.startsWith(styleFile) ? { code: code + lightRules(code), map: null } : null
    },
  }
}

export function lightRules(css: string): string {
  const colours = [...css.matchAll(paired)].map(([, name, own, light]) => `${name}: ${own}${light});`)
  return `@supports not (color: light-dark(#000, #fff)) { .root { ${colours.join(' ')} } }`
}
