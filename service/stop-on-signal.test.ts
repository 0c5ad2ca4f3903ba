// In processes of their own: the subject is how one ends.
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { resolve as absolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'

const bundle = 'dist/stop-on-signal-test'
beforeAll(() =>
  build({ configFile: false, logLevel: 'error', build: { ssr: 'service/stop-on-signal.ts', outDir: bundle } }),
)
afterAll(() => rmSync(bundle, { recursive: true }))

/** Runs `code` with the signals watched; `stop` takes a moment. Resolves to the exit code and every word it said. */
function run(
  code: string,
  stop = 'new Promise((resolve) => setTimeout(resolve, 50))',
): Promise<[number | null, string]> {
  const script = `
    import { stopOnSignal } from ${JSON.stringify(pathToFileURL(absolute(bundle, 'stop-on-signal.js')).href)}
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
