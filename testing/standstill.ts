// Test support: a process that stands still while a server in another thread answers it.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

const SERVER = `
  const server = require('node:http').createServer((request, response) => setTimeout(() => response.end('{}'), 20))
  server.listen(0, '127.0.0.1', () => require('node:worker_threads').parentPort.postMessage(server.address().port))
`

/**
 * Calls `ask` with the address of the server, stops this thread for half a second, and resolves to what was answered.
 */
export async function askAndStandStill<T>(ask: (url: string) => Promise<T>): Promise<T> {
  const worker = new Worker(SERVER, { eval: true })
  try {
    const [port] = await once(worker, 'message')
    const answer = ask(`http://127.0.0.1:${port}`)
    // Waits until the request is sent, then stops at the point where timers run before what has arrived is read.
    await new Promise((resolve) => setTimeout(resolve, 10))
    await new Promise(setImmediate)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
    return await answer
  } finally {
    await worker.terminate()
  }
}
