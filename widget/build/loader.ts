// The `require` of the built script. The bundler writes script and chunks as CommonJS; this runs them and fetches the
// chunks, which are files beside the script. It knows the digest of each, so that one `integrity` on the lender's tag
// covers everything.
import { PROXY_PATH } from '../../contract/proxy-path.ts'
import { ownUrl } from '../own-url.ts'
import { chunkFile } from './chunk-file.ts'

type Exports = { [name: string]: unknown }
/**
 * The exports of a file: at once when it is loaded, else as a promise. `import()` comes out of the bundler as `then(()
 * => require(file))`.
 */
type Require = (file: string) => Exports | Promise<Exports>
type Run = (exports: Exports, require: Require) => void
/** A chunk by the name the bundler gave it: its digest (SHA-384 in base64) and the chunks it cannot run without. */
export type Chunks = { [file: string]: [digest: string, ...imports: string[]] }

const TRIES_MAX = 3
const CHUNK_TIMEOUT_MS = 20_000
const RETRY_AFTER_MS = 500

/** Runs the script, which chunks know as `name`. */
export function runScript(name: string, chunks: Chunks, run: Run): void {
  // Only known while the script itself runs.
  const tag = document.currentScript instanceof HTMLScriptElement ? document.currentScript : null
  const address = tag?.src || `${PROXY_PATH}/widget.js`
  const nonce = tag?.nonce ?? ''
  const loaded = new Map<string, Exports>()
  const loading = new Map<string, Promise<Exports>>()
  /**
   * Counted for as long as the page lives: a browser may remember an address that failed, so every try has one of its
   * own.
   */
  const tries = new Map<string, number>()

  const require: Require = (file) => loaded.get(file) ?? load(file)

  function load(file: string): Promise<Exports> {
    const started = loading.get(file) ?? loadAnew(file)
    loading.set(file, started)
    // The next caller may have better luck.
    started.catch(() => loading.delete(file))
    return started
  }

  async function loadAnew(file: string): Promise<Exports> {
    const [digest = '', ...imports] = chunks[file] ?? []
    const [runChunk] = await Promise.all([fetchChunk(file, digest, TRIES_MAX), ...imports.map(load)])
    const exports: Exports = {}
    runChunk(exports, require)
    loaded.set(file, exports)
    return exports
  }

  async function fetchChunk(file: string, digest: string, triesLeft: number): Promise<Run> {
    const url = new URL(chunkFile(file, digest), ownUrl(address))
    const tried = tries.get(file) ?? 0
    tries.set(file, tried + 1)
    if (tried > 0) url.searchParams.set('try', String(tried + 1))
    try {
      // The same digest as in the manifest: a policy that lists hashes has to find the very one a request carries.
      await fetchChecked(url.href, `sha384-${digest}`, nonce)
      const chunk = await import(/* @vite-ignore */ url.href)
      return chunk.run
    } catch (error) {
      if (triesLeft === 1) throw error
      await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS * (TRIES_MAX + 1 - triesLeft)))
      return fetchChunk(file, digest, triesLeft - 1)
    }
  }

  const exports: Exports = {}
  // Before it runs: it may ask for a chunk, which asks for it.
  loaded.set(name, exports)
  run(exports, require)
}

/**
 * `import()` cannot carry a hash. A preload of the same address can; a browser that knows none (Safari before 17,
 * Firefox before 115) gets a module tag. Either way the import uses what was fetched and checked. Not the tag for all:
 * Trusted Types forbid it, in browsers that know the preload.
 */
function fetchChecked(href: string, integrity: string, nonce: string): Promise<void> {
  const link = document.createElement('link')
  const script = link.relList.supports('modulepreload') ? null : document.createElement('script')
  const element = script ?? link
  let timer: ReturnType<typeof setTimeout> | undefined
  return new Promise<void>((resolve, reject) => {
    // A line that stalls ends neither way: another address is tried then.
    timer = setTimeout(() => reject(new Error(`${href} did not arrive in time`)), CHUNK_TIMEOUT_MS)
    element.crossOrigin = 'anonymous'
    element.integrity = integrity
    element.addEventListener('load', () => resolve())
    element.addEventListener('error', () => reject(new Error(`${href} did not load`)))
    if (script) {
      script.type = 'module'
      script.nonce = nonce
      script.src = href
    } else {
      link.rel = 'modulepreload'
      link.href = href
    }
    document.head.append(element)
  }).finally(() => {
    clearTimeout(timer)
    element.remove()
  })
}
