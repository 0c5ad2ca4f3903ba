// The real service, as it is shipped, in a process and a data folder of its own.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serviceNodeFlags } from '../../testing/node-flags.ts'

const MAIN = 'dist/programs/demo-service.js'
const START_LIMIT_MS = 240_000

export type BuiltService = {
  url: string
  dataDir: string
  environment: Record<string, string>
  /** True where the operating system enforces the limit of its memory. */
  isLimited: boolean
  stop(): Promise<void>
}

/**
 * Starts the built service with the demo's tenants, on a free port. Run from the root of the repository. `memoryMb`:
 * all the memory it may have, as in a container, where this user may limit it.
 */
export async function startBuiltService(
  environment: Record<string, string> = {},
  { memoryMb }: { memoryMb?: number } = {},
): Promise<BuiltService> {
  if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing: run \`npm run build\` first`)
  const dataDir = mkdtempSync(join(tmpdir(), 'built-service-'))
  const group = memoryMb === undefined ? null : createMemoryGroup(memoryMb)
  const program = [process.execPath, ...serviceNodeFlags(), MAIN]
  const limited = ['sh', '-c', 'echo $$ > "$0/cgroup.procs" && exec "$@"', group ?? '', ...program]
  const [command = '', ...args] = group === null ? program : limited
  const child = spawn(command, args, {
    env: { ...process.env, NODE_ENV: 'test', DEMO: '1', PORT: '0', DATA_DIR: dataDir, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit').then(() => {
    if (group !== null) rmdirSync(group)
  })
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
    isLimited: group !== null,
    async stop() {
      child.kill('SIGTERM')
      await exited
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A control group of Linux, version 1 or 2; null where this user may make none. */
function createMemoryGroup(megabytes: number): string | null {
  for (const [root, limit] of [
    ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes'],
    ['/sys/fs/cgroup', 'memory.max'],
  ] as const) {
    const group = join(root, `built-service-${process.pid}`)
    try {
      mkdirSync(group)
      if (existsSync(join(group, limit))) {
        writeFileSync(join(group, limit), String(megabytes * 1_048_576))
        return group
      }
      rmdirSync(group)
    } catch {
      // No such version here, or no right to it.
    }
  }
  return null
}

/** Runs a command of the operator beside it; what that prints. */
export function administer({ dataDir, environment }: BuiltService, ...words: string[]): string {
  const env = { ...process.env, NODE_ENV: 'test', DATA_DIR: dataDir, ...environment }
  return execFileSync(process.execPath, ['dist/programs/admin.js', ...words], { env, encoding: 'utf8' })
}
