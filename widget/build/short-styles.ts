// The style sheets speak of blocks and lines, as one should. `.root` settles which way those run, so the browser can be told in words
// that are shorter: of top and bottom, width and height.
import type { Plugin } from 'vite'

export function shortStyles(): Plugin {
  return {
    name: 'short-styles',
    enforce: 'pre',
    transform(code, id) {
      return /\.css\?inline$/.test(id) ? { code: inShortWords(code), map: null } : null
    },
  }
}

export function inShortWords(css: string): string {
  return (
    css
      // As a property or a feature to ask for; as a value it names a kind of container.
      .replace(/inline-size(?=\s*[:<>])/g, 'width')
      .replace(/block-size(?=\s*[:<>])/g, 'height')
      .replace(/-block-start\b/g, '-top')
      .replace(/-block-end\b/g, '-bottom')
      .replace(/-inline-start\b/g, '-left')
      .replace(/-inline-end\b/g, '-right')
  )
}
