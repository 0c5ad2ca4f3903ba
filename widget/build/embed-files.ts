import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { Plugin } from 'vite'

const MODULE = /\/tenant-proxy\/packaged-files\.ts$/
const BUILT = 'dist/widget'
/** Chunks of earlier releases, put there by `scripts/build.mjs --previous`. */
const PREVIOUS = 'dist/previous'

/**
 * Puts the built widget into the tenant proxy's own code. Next's and Vercel's file tracing, Nitro and esbuild follow
 * imports; of files that a server opens by their name at run time they find one, or none.
 */
export function embedFiles(): Plugin {
  return {
    name: 'embed-files',
    load: (id) => (MODULE.test(id) ? `const files = ${write()}\nexport const findPackagedFiles = () => files\n` : null),
  }
}

function write(): string {
  const names = Object.keys(JSON.parse(readFileSync(join(BUILT, 'manifest.json'), 'utf8')))
  const present = [...names, 'manifest.json'].map((name) => [name, join(BUILT, name)] as const)
  const previous = chunksIn(PREVIOUS).map((name) => [name, join(PREVIOUS, name)] as const)
  const files = [...previous, ...present].map(([name, path]) => [name, encode(readFileSync(path))])
  return JSON.stringify(Object.fromEntries(files), null, 2)
}

function chunksIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function encode(bytes: Buffer): string {
  return brotliCompressSync(bytes).toString('base64')
}
