// The built service as an operator starts it: a process of its own, its own folder, its own port.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const START_LIMIT_MS = 20_000

export type ServiceProcess = { url: string; stop: () => Promise<void> }

export async function startServiceProcess(env: Record<string, string> = {}): Promise<ServiceProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'credit-report-service-'))
  const child = spawn(process.execPath, ['dist/node/service-main.js'], {
    env: { ...process.env, DEMO: '1', PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await addressPrinted(child)
  return {
    url,
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

function addressPrinted(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the service printed no address in time')), START_LIMIT_MS)
    child.once('exit', (code) => reject(new Error(`the service ended with code ${code} before it listened`)))
    let printed = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      const address = /service: (http:\S+)/.exec(printed)?.[1]
      if (address === undefined) return
      clearTimeout(timer)
      resolve(address)
    })
  })
}
