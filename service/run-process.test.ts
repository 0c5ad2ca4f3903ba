// In this process, with its ends held back: what a service says before and after it has started.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ConfigError } from '../kit/setting-reader.ts'
import { runProcess } from './run-process.ts'

const { console: printer } = globalThis
const { debug, log, info, warn, error } = printer
let isTty: PropertyDescriptor | undefined
const listeners: (string | symbol)[] = []
const written: string[] = []
const started: string[] = []
const exitCodes: (number | string | null | undefined)[] = []

beforeEach(() => {
  for (const list of [listeners, written, started, exitCodes]) list.length = 0
  isTty = Object.getOwnPropertyDescriptor(process.stdout, 'isTTY')
  vi.spyOn(process, 'removeAllListeners').mockReturnValue(process)
  vi.spyOn(process, 'on').mockImplementation((event) => {
    listeners.push(event)
    return process
  })
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    exitCodes.push(code)
    return undefined as never
  })
  for (const [name, stream] of Object.entries({ out: process.stdout, err: process.stderr })) {
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      written.push(`${name} ${text}`)
      return true
    })
  }
  vi.stubEnv('SECRET_KEY', 'a secret key for tests that is long enough')
  vi.stubEnv('LOG_LEVEL', 'silent')
})
afterEach(() => {
  Object.assign(printer, { debug, log, info, warn, error })
  if (isTty) Object.defineProperty(process.stdout, 'isTTY', isTty)
  else Reflect.deleteProperty(process.stdout, 'isTTY')
})

function startOn(terminal: boolean): Promise<void> {
  Object.defineProperty(process.stdout, 'isTTY', { value: terminal, configurable: true })
  return runProcess(
    ({ PLUGIN_SETTING = '' }) => {
      if (PLUGIN_SETTING === 'wrong') throw new ConfigError('PLUGIN_SETTING: expected a right one, got "wrong"')
      return { plugin: PLUGIN_SETTING }
    },
    async ({ config }) => {
      started.push(config.plugin)
      return { url: 'http://localhost:4100', stop: async () => {} }
    },
  )
}

test('once it serves it says where in one line of JSON, and waits for signals', async () => {
  await startOn(false)
  expect(written).toHaveLength(1)
  expect(JSON.parse(written[0]?.replace(/^out /, '') ?? '')).toEqual({
    level: 30,
    time: expect.any(Number),
    pid: process.pid,
    event: 'serving',
    url: 'http://localhost:4100',
  })
  expect(listeners).toEqual(expect.arrayContaining(['warning', 'SIGTERM', 'SIGINT', 'uncaughtException']))
  expect(printer.info).not.toBe(info)
  expect(exitCodes).toEqual([])
})

test('to a person at a terminal it says so in words', async () => {
  await startOn(true)
  expect(written).toEqual(['out service: http://localhost:4100\n'])
})

test('a setting that is wrong ends it with one line that names it', async () => {
  vi.stubEnv('PORT', 'many')
  await startOn(false)
  expect(written).toEqual(['err service: PORT: expected a whole number from 0 to 65535, got "many"\n'])
  expect(exitCodes).toEqual([1])
})

test('the settings of plugins stand beside those of the core', async () => {
  vi.stubEnv('PLUGIN_SETTING', 'right')
  await startOn(false)
  expect(started).toEqual(['right'])
})

test('a wrong setting of a plugin ends it before the core writes a key', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'run-'))
  vi.stubEnv('SECRET_KEY', '')
  vi.stubEnv('DATA_DIR', join(folder, 'data'))
  vi.stubEnv('PLUGIN_SETTING', 'wrong')
  await startOn(false)
  expect(written).toEqual(['err service: PLUGIN_SETTING: expected a right one, got "wrong"\n'])
  expect([started, exitCodes, existsSync(join(folder, 'data'))]).toEqual([[], [1], false])
  rmSync(folder, { recursive: true })
})
