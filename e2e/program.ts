// One of our programs in a process of its own, which can be ended and started again where it was.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

export type ProgramOptions = {
  script: string
  env: Record<string, string>
  /** Finds its address in what it prints. */
  address: RegExp
}

export type Program = {
  url: string
  /** Asks it to finish, or ends it outright; resolves once it is gone. */
  end(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
  /** Starts it again, on the same port. */
  start(): Promise<void>
}

const START_LIMIT_MS = 240_000

export async function startProgram({ script, env, address }: ProgramOptions): Promise<Program> {
  // Known beforehand: a program that writes its address into what it serves cannot wait for one.
  const port = await findFreePort()
  let child: ChildProcess

  function start(): Promise<string> {
    child = spawn(process.execPath, [script], {
      env: { ...process.env, PORT: String(port), PUBLIC_URL: `http://localhost:${port}`, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    return addressPrinted(child, script, address)
  }

  return {
    url: await start(),
    async end(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill(signal)
      await exited
    },
    async start() {
      await start()
    },
  }
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

function addressPrinted(child: ChildProcess, script: string, address: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`${script} printed no address in time`))
    }, START_LIMIT_MS)
    child.once('exit', (code) => reject(new Error(`${script} ended with code ${code} before it listened`)))
    let printed = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      const found = address.exec(printed)?.[1]
      if (found === undefined) return
      clearTimeout(timer)
      resolve(found)
    })
  })
}
