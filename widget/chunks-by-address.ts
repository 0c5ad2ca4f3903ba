// The same as `chunks.ts`, for the script build: each chunk is a file beside the script, and its hash is part of this file, so that
// one `integrity` on the lender's tag covers everything.
import { PROXY_PATH } from '../contract/proxy-path.ts'
import { chunkFile } from './chunk-file.ts'
import type { Chunks } from './chunks.ts'
import { ownUrl } from './own-url.ts'
import { runtime } from './runtime.ts'

/** The digest of each chunk, put in by the build. */
declare const __CHUNKS__: { [Name in keyof Chunks]: string }

// Only known while the script itself runs.
const script = document.currentScript
const scriptAddress = script instanceof HTMLScriptElement && script.src ? script.src : `${PROXY_PATH}/widget.js`

const TRIES_MAX = 3
const RETRY_AFTER_MS = 500

const loading = new Map<keyof Chunks, Promise<unknown>>()
/** Counted for as long as the page lives: a browser may remember an address that failed, so every try has one of its own. */
const tries = new Map<keyof Chunks, number>()

export function loadChunk<Name extends keyof Chunks>(name: Name): Promise<Chunks[Name]>
export function loadChunk(name: keyof Chunks): Promise<unknown> {
  const started = loading.get(name) ?? fetchChunk(name, TRIES_MAX)
  loading.set(name, started)
  // The next caller may have better luck.
  started.catch(() => loading.delete(name))
  return started
}

async function fetchChunk(name: keyof Chunks, triesLeft: number): Promise<unknown> {
  const digest = __CHUNKS__[name]
  const address = new URL(chunkFile(name, digest), ownUrl(scriptAddress))
  const tried = tries.get(name) ?? 0
  tries.set(name, tried + 1)
  if (tried > 0) address.searchParams.set('try', String(tried + 1))
  try {
    // The same digest as in the manifest: a policy that lists hashes has to find the very one a request carries.
    await preload(address.href, `sha384-${digest}`)
    const chunk = await import(/* @vite-ignore */ address.href)
    return chunk.create(runtime())
  } catch (error) {
    if (triesLeft === 1) throw error
    await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS * (TRIES_MAX + 1 - triesLeft)))
    return fetchChunk(name, triesLeft - 1)
  }
}

/** `import()` cannot carry a hash; a preload of the same address can, and the import then uses what it fetched. */
function preload(href: string, integrity: string): Promise<void> {
  const link = document.createElement('link')
  if (!link.relList.supports('modulepreload')) return Promise.resolve()
  return new Promise<void>((resolve, reject) => {
    link.rel = 'modulepreload'
    link.crossOrigin = 'anonymous'
    link.integrity = integrity
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => reject(new Error(`${href} did not load`)))
    link.href = href
    document.head.append(link)
  }).finally(() => link.remove())
}
