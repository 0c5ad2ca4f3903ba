// In processes of their own, because the subject is how one ends; and once more in this one, with its ends held back,
// for the order of it.
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { resolve as absolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createSilentLog } from './log.ts'
import { stopOnSignal } from './run-process.ts'

const bundle = 'dist/stop-on-signal-test'
beforeAll(() =>
  build({ configFile: false, logLevel: 'error', build: { ssr: 'service/run-process.ts', outDir: bundle } }),
)
afterAll(() => rmSync(bundle, { recursive: true }))

/** Runs `code` with the signals watched; `stop` takes a moment. Resolves to the exit code and every word it said. */
function run(
  code: string,
  stop = 'new Promise((resolve) => setTimeout(resolve, 50))',
): Promise<[number | null, string]> {
  const script = `
    import { stopOnSignal } from ${JSON.stringify(pathToFileURL(absolute(bundle, 'run-process.js')).href)}
    const say = (...words) => process.stdout.write(JSON.stringify(words) + ' ')
    const log = { info: say, warn: say, error: say, debug: say, flush: () => say('flushed') }
    stopOnSignal({ stop: () => (say('stop'), ${stop}), log })
    setInterval(() => {}, 1000)
    ${code}`
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script])
    let said = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data) => {
        said += data
      })
    }
    child.on('exit', (exitCode) => resolve([exitCode, said]))
  })
}

test.each(['SIGTERM', 'SIGINT'])('%s stops, writes the log out and leaves with 0', async (signal) => {
  expect(await run(`process.kill(process.pid, '${signal}')`)).toEqual([
    0,
    `["stopping",{"signal":"${signal}"}] ["stop"] ["flushed"] `,
  ])
})

test('a second signal does not wait', async () => {
  const never = 'new Promise(() => {})'
  const [exitCode, said] = await run(
    `process.kill(process.pid, 'SIGTERM'); setTimeout(() => process.kill(process.pid, 'SIGINT'), 20)`,
    never,
  )
  expect(exitCode).toBe(1)
  expect(said).toContain('["flushed"]')
})

test.each([
  ['an uncaught error', `setTimeout(() => { throw new RangeError('ada') })`, 'RangeError'],
  ['an unhandled rejection', `Promise.reject(new RangeError('ada'))`, 'RangeError'],
  ['an uncaught text', `setTimeout(() => { throw 'ada' })`, 'string'],
])('%s stops too, with 1, and is logged by its class', async (_name, code, errorClass) => {
  const [exitCode, said] = await run(code)
  expect(exitCode).toBe(1)
  expect(said).toContain(`"errorClass":"${errorClass}"`)
  expect(said).toContain('["stop"] ["flushed"]')
  expect(said).not.toContain('ada')
})

test('an error while stopping does not cut the stopping short', async () => {
  const [exitCode, said] = await run(
    `process.kill(process.pid, 'SIGTERM'); setTimeout(() => { throw new RangeError() }, 10)`,
  )
  expect(exitCode).toBe(1)
  expect(said.match(/"stop"/g)).toHaveLength(1)
  expect(said).toMatch(/\["flushed"\] $/)
})

test('a stop that fails is still an end', async () => {
  const [exitCode, said] = await run(`process.kill(process.pid, 'SIGTERM')`, `Promise.reject(new RangeError('ada'))`)
  expect(exitCode).toBe(1)
  expect(said).toContain('"stopped badly"')
})

test('a reader of the log that has stalled does not keep it from ending', async () => {
  const [exitCode] = await run(`log.flush = () => new Promise(() => {}); process.kill(process.pid, 'SIGTERM')`)
  // Killed, by itself.
  expect(exitCode).toBeNull()
})

describe('what happens, in order', () => {
  type Options = { stop?: () => Promise<void>; flush?: () => Promise<void> }

  /**
   * Watches, and sends these events one after the other; resolves to what was done by the time the process would have
   * ended.
   */
  async function watch(events: readonly string[], { stop = async () => {}, flush = async () => {} }: Options = {}) {
    const done: string[] = []
    const listeners = new Map<string | symbol, (error: unknown) => void>()
    vi.spyOn(process, 'on').mockImplementation((event, listener) => {
      listeners.set(event, listener)
      return process
    })
    vi.spyOn(process, 'kill').mockImplementation((pid, signal) => {
      done.push(`kill ${pid === process.pid ? 'itself' : pid} ${signal}`)
      return true
    })
    const exited = new Promise<void>((resolve) => {
      vi.spyOn(process, 'exit').mockImplementation((code) => {
        done.push(`exit ${code}`)
        resolve()
        return undefined as never
      })
    })
    const log = {
      ...createSilentLog(),
      flush: () => {
        done.push('flush')
        return flush()
      },
    }
    stopOnSignal({
      log,
      stop: () => {
        done.push('stop')
        return stop()
      },
    })
    for (const event of events) listeners.get(event)?.(new RangeError('on purpose'))
    await exited
    return done
  }

  const never = () => new Promise<void>(() => {})
  const fails = () => Promise.reject(new RangeError('on purpose'))
  const slowly = () => new Promise<void>((resolve) => setTimeout(resolve, 20))

  test.each<[name: string, events: string[], options: Options, expected: string[]]>([
    ['a signal', ['SIGTERM'], {}, ['stop', 'flush', 'exit 0']],
    ['Ctrl-C', ['SIGINT'], {}, ['stop', 'flush', 'exit 0']],
    ['a second signal', ['SIGTERM', 'SIGINT'], { stop: never }, ['stop', 'flush', 'exit 1']],
    ['an uncaught error', ['uncaughtException'], {}, ['stop', 'flush', 'exit 1']],
    ['an unhandled rejection', ['unhandledRejection'], {}, ['stop', 'flush', 'exit 1']],
    ['an error while it stops', ['SIGTERM', 'uncaughtException'], {}, ['stop', 'flush', 'exit 1']],
    ['a stop that fails', ['SIGTERM'], { stop: fails }, ['stop', 'flush', 'exit 1']],
    ['a log that takes a moment', ['SIGTERM'], { flush: slowly }, ['stop', 'flush', 'exit 0']],
    ['a log that has stalled', ['SIGTERM'], { flush: never }, ['stop', 'flush', 'kill itself SIGKILL', 'exit 0']],
  ])('%s', async (_name, events, options, expected) => {
    expect(await watch(events, options)).toEqual(expected)
  })
})
