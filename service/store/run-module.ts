// Test support: runs a TypeScript module's `run(input)` in a process of its own, to be killed or raced against.
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export type RunningModule = {
  process: ChildProcess
  /** The next line the module prints; null once it has ended. */
  nextLine(): Promise<string | null>
  send(line: string): void
  kill(): Promise<void>
  /** The exit code; null after a signal. */
  ended: Promise<number | null>
}

const LOADER = `
  import { runnerImport } from 'vite'
  const [path, input] = process.argv.slice(1)
  const { module } = await runnerImport(path, { configFile: false, logLevel: 'silent' })
  await module.run(JSON.parse(input))
`

export function startModule(module: URL, input: unknown): RunningModule {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', LOADER, fileURLToPath(module), JSON.stringify(input)],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, NODE_ENV: 'test' },
    },
  )
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  return {
    process: child,
    async nextLine() {
      const { done, value } = await lines.next()
      return done ? null : value
    },
    send(line) {
      child.stdin.write(`${line}\n`)
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    ended,
  }
}
