// The service as a process of its own, as it runs in earnest.
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

export type ServiceProcess = {
  /** Resolves when the process has ended, with its exit code. */
  ended: Promise<number | null>
  /** Asks it to finish what it is doing and waits until it has. */
  stop(): Promise<void>
}

type ServiceOptions = {
  /** The built entry, `demo-service.js`. */
  entry: string
  /** Its address. */
  url: string
  environment: NodeJS.ProcessEnv
  /** Gets each line it writes. */
  onLine: (line: string) => void
}

const READY_LIMIT_MS = 20_000
const ASK_EVERY_MS = 25
const STOP_LIMIT_MS = 25_000

// A demo that is killed outright cannot say goodbye; the service then notices that its parent is gone, and leaves too.
const LEAVE_WITH_PARENT = `process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))`

/** Resolves once the service answers; rejects with its own words when it cannot start. */
export async function startService({ entry, url, environment, onLine }: ServiceOptions): Promise<ServiceProcess> {
  const child = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(LEAVE_WITH_PARENT)}`, entry],
    // A group of its own: Ctrl-C reaches the demo alone, which then stops the service once and in order.
    { env: environment, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], detached: true },
  )
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.split('\n').filter(Boolean)) {
        said.push(line)
        onLine(line)
      }
      said.splice(0, said.length - LINES_KEPT)
    })
  }
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('exit', (code) => resolve(code))
  })
  if (!(await isReady(url, ended))) {
    child.kill('SIGKILL')
    throw new Error(said.length > 0 ? said.join('\n') : 'the service did not start')
  }
  return { ended, stop: () => stop(child, ended) }
}

const LINES_KEPT = 5

async function isReady(url: string, ended: Promise<unknown>): Promise<boolean> {
  let over = false
  ended.then(() => {
    over = true
  })
  const giveUpAtMs = Date.now() + READY_LIMIT_MS
  while (!over && Date.now() < giveUpAtMs) {
    try {
      const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(1_000) })
      if (response.ok) return true
    } catch {
      // Not listening yet.
    }
    await sleep(ASK_EVERY_MS)
  }
  return false
}

async function stop(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM')
  const tooLong = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
  await ended
  clearTimeout(tooLong)
}
