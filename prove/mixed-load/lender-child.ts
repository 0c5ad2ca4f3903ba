// The lender's server of mixed-load/lender.mjs, in a process of its own, with the shipped proxy.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type LenderChild = {
  origin: string
  /** Resident memory in bytes. */
  memory(): Promise<number>
  /** Bytes of the heap that are in use after a full collection. */
  liveHeap(): Promise<number>
  /** Ids of the reports it was given. */
  reports(): Set<string>
  stop(): Promise<void>
}

/** `url`: the service. `dataDir`: the folder for what it notes. */
export async function startLenderChild(
  { url, dataDir }: { url: string; dataDir: string },
  env: { [name: string]: string } = {},
): Promise<LenderChild> {
  const file = join(dataDir, 'reports-of-the-lender')
  const child = fork('prove/mixed-load/lender.mjs', {
    env: { ...process.env, NODE_ENV: 'test', SERVICE_URL: url, REPORTS_FILE: file, ...env },
    execArgv: ['--expose-gc'],
  })
  const [port] = await once(child, 'message')
  async function ask(what: 'memory' | 'heap'): Promise<number> {
    child.send(what)
    const [bytes] = await once(child, 'message')
    return bytes
  }
  return {
    origin: `http://127.0.0.1:${port}`,
    memory: () => ask('memory'),
    liveHeap: () => ask('heap'),
    reports: () => new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []),
    async stop() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
