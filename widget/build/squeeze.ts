// A second minifier's look at what the first has written: it knows other tricks, and each saves a phone some bytes.
import { brotliCompressSync } from 'node:zlib'
import { type MinifyOptions, minify } from 'terser'
import type { Plugin } from 'vite'

const options: MinifyOptions = {
  ecma: 2022,
  module: true,
  compress: { passes: 3, keep_fargs: false, pure_getters: true, unsafe_arrows: true },
}
/** Single, double, and whichever needs fewer escapes: what compresses best is different for each file. */
const QUOTES = [1, 2, 0] as const

/** For what is built in one go. Chunks are squeezed once they are wrapped. */
export function squeezed(): Plugin {
  return {
    name: 'squeezed',
    generateBundle: {
      order: 'pre',
      async handler(_options, bundle) {
        for (const output of Object.values(bundle))
          if (output.type === 'chunk') output.code = await squeeze(output.code)
      },
    },
  }
}

export async function squeeze(code: string): Promise<string> {
  const small = await written(code, options)
  const spellings = QUOTES.map((quotes) =>
    written(small, { module: true, compress: false, mangle: false, format: { quote_style: quotes } }),
  )
  return (await Promise.all(spellings)).reduce((best, next) => (weight(next) < weight(best) ? next : best))
}

async function written(code: string, how: MinifyOptions): Promise<string> {
  const { code: small } = await minify(code, how)
  if (small === undefined) throw new Error('nothing is left of the file')
  return small
}

function weight(code: string): number {
  return brotliCompressSync(code).length
}
