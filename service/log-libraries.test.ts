// In a process of its own, because the subject is what reaches its standard output and standard error; and once more in
// this one, for each way to print.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { resolve as absolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createLog } from './log.ts'
import { logLibraries } from './run-process.ts'

const bundle = 'dist/log-libraries-test'
beforeAll(() =>
  build({ configFile: false, logLevel: 'error', build: { ssr: 'service/run-process.ts', outDir: bundle } }),
)
afterAll(() => rmSync(bundle, { recursive: true }))

test('what Node and libraries print becomes lines of the log, without their words', () => {
  const script = `
    import { logLibraries } from ${JSON.stringify(pathToFileURL(absolute(bundle, 'run-process.js')).href)}
    const say = (level) => (event, fields) => process.stdout.write(JSON.stringify({ level, event, ...fields }) + '\\n')
    logLibraries({ debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') })
    console.info('library NOTICE: ada is here')
    console.error(Object.assign(new RangeError('ada'), { code: 'E_RANGE' }))
    process.emitWarning('ada', { type: 'DeprecationWarning', code: 'DEP0000' })`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  expect(stderr).toBe('')
  const lines = stdout.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'info', event: 'library message', errorAt: expect.any(String) },
    { level: 'error', event: 'library message', errorClass: 'RangeError', errorCode: 'E_RANGE' },
    { level: 'warn', event: 'warning', errorClass: 'DeprecationWarning', errorCode: 'DEP0000' },
  ])
  expect(stdout).not.toContain('ada')
})

test('each way to print has its level, and says where it was called from or what the error was', () => {
  const { console: printer } = globalThis
  const { debug, log, info, warn, error } = printer
  const lines: string[] = []
  const listeners: [event: string | symbol, listener: (warning: unknown) => void][] = []
  const removed = vi.spyOn(process, 'removeAllListeners').mockReturnValue(process)
  vi.spyOn(process, 'on').mockImplementation((event, listener) => {
    listeners.push([event, listener])
    return process
  })
  try {
    logLibraries(createLog({ strict: true, level: 'debug', to: { write: (line) => lines.push(line) } }))
    for (const method of ['debug', 'log', 'info', 'warn', 'error'] as const) printer[method]('ada', 7)
    printer.log('ada', new RangeError('ada'))
  } finally {
    Object.assign(printer, { debug, log, info, warn, error })
  }
  // Node's own listener would print it as well.
  expect(removed.mock.calls).toEqual([['warning']])
  expect(listeners.map(([event]) => event)).toEqual(['warning'])
  listeners[0]?.[1](Object.assign(new Error('ada'), { name: 'DeprecationWarning' }))
  const printed = lines.map((line) => JSON.parse(line))
  expect(printed.map(({ level, event, errorClass }) => [level, event, errorClass])).toEqual([
    ...[20, 30, 30, 40, 50].map((level) => [level, 'library message', 'Error']),
    [30, 'library message', 'RangeError'],
    [40, 'warning', 'DeprecationWarning'],
  ])
  for (const { errorAt } of printed) expect(errorAt).toMatch(/^log-libraries\.test\.ts:\d+/)
})
