// The real service, as it is shipped, in a process and a data folder of its own.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serviceNodeFlags } from '../../testing/node-flags.ts'

const MAIN = 'dist/programs/demo-service.js'
const START_LIMIT_MS = 240_000

export type BuiltService = { url: string; dataDir: string; environment: Record<string, string>; stop(): Promise<void> }

/** Starts the built service with the demo's tenants, on a free port. Run from the root of the repository. */
export async function startBuiltService(environment: Record<string, string> = {}): Promise<BuiltService> {
  if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing: run \`npm run build\` first`)
  const dataDir = mkdtempSync(join(tmpdir(), 'built-service-'))
  const child = spawn(process.execPath, [...serviceNodeFlags(), MAIN], {
    env: { ...process.env, NODE_ENV: 'test', DEMO: '1', PORT: '0', DATA_DIR: dataDir, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  const url = await new Promise<string>((resolve, reject) => {
    let said = ''
    const give = (why: string) => {
      child.kill('SIGKILL')
      reject(new Error(`the service ${why}: ${said}`))
    }
    const timer = setTimeout(() => give('did not start'), START_LIMIT_MS)
    const listen = (chunk: Buffer) => {
      said += chunk
      const address = /"url":"(http:[^"]+)"/.exec(said)?.[1]
      if (!address) return
      clearTimeout(timer)
      resolve(address.replace('localhost', '127.0.0.1'))
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.once('exit', () => give('ended at once'))
  })
  return {
    url,
    dataDir,
    environment,
    async stop() {
      child.kill('SIGTERM')
      await exited
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Runs a command of the operator beside it; what that prints. */
export function administer({ dataDir, environment }: BuiltService, ...words: string[]): string {
  const env = { ...process.env, NODE_ENV: 'test', DATA_DIR: dataDir, ...environment }
  return execFileSync(process.execPath, ['dist/programs/admin.js', ...words], { env, encoding: 'utf8' })
}
