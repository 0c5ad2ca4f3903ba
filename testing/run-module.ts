// Test support: runs a TypeScript module's `run(input)` in a process of its own, to be killed or raced against.
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

export type RunningModule = {
  process: ChildProcess
  /** The next line the module prints; null once it has ended. */
  nextLine(): Promise<string | null>
  kill(): Promise<void>
  /** The exit code; null after a signal. */
  ended: Promise<number | null>
}

/** Run from the root of the repository, where the module's imports are found. `env` is added to this process's own. */
export async function startModule(
  module: URL,
  input: unknown,
  env: { [name: string]: string } = {},
): Promise<RunningModule> {
  const code = await bundleOnce(fileURLToPath(module))
  // Its code comes over the standard input, so that no file can be left behind.
  const child = spawn(process.execPath, ['--input-type=module', '-'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'test', ...env },
  })
  child.stdin.on('error', () => {}) // killed while it was still reading
  child.stdin.end(`${code}\nawait run(${JSON.stringify(input)})\n`)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  return {
    process: child,
    async nextLine() {
      const { done, value } = await lines.next()
      return done ? null : value
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    ended,
  }
}

const bundles = new Map<string, Promise<string>>()

/** A process that is started two hundred times should not compile itself each time. */
function bundleOnce(path: string): Promise<string> {
  let bundle = bundles.get(path)
  if (bundle === undefined) {
    bundle = bundleModule(path)
    bundles.set(path, bundle)
  }
  return bundle
}

async function bundleModule(path: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      target: 'node20',
      ssr: path,
      minify: false,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })
  const [output] = Array.isArray(result) ? result : [result]
  const chunk = output && 'output' in output ? output.output.find((file) => file.type === 'chunk') : undefined
  if (chunk?.type !== 'chunk') throw new Error(`${path} was bundled to nothing`)
  return chunk.code
}
