import Module, { createRequire } from 'node:module'
import { afterEach, expect, test, vi } from 'vitest'
import { loadSqliteDriver } from './sqlite-driver.ts'

const packaged: unknown = createRequire(import.meta.url)('@photostructure/sqlite')
const builtIn = { DatabaseSync: class {} }

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** Loads it on another Node; `has` is what that answers for `node:sqlite`. */
async function loadOn(node: string, has: () => unknown): Promise<unknown> {
  const versions = { value: { ...process.versions, node } }
  vi.stubGlobal('process', Object.create(process, { versions, getBuiltinModule: { value: has } }))
  vi.resetModules()
  const module = await import('./sqlite-driver.ts')
  return module.loadSqliteDriver()
}

test.each([
  ['20.20.2', 'packaged'],
  ['21.99.0', 'packaged'],
  ['22.5.0', 'packaged'],
  ['22.12.99', 'packaged'],
  ['22.13.0', 'built in'],
  ['22.14.1', 'built in'],
  ['23.0.0', 'built in'],
  ['24.4.0', 'built in'],
])('on Node %s the settled SQLite is the one that is %s', async (node, which) => {
  expect(await loadOn(node, () => builtIn)).toBe(which === 'built in' ? builtIn : packaged)
})

test.each([undefined, null, {}, 'node:sqlite'])(
  'a Node that was built without it takes the package: %s',
  async (nothing) => {
    expect(await loadOn('24.4.0', () => nothing)).toBe(packaged)
  },
)

test('Node’s warning that its own is experimental is not shown, and every other one is', async () => {
  const emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  const warn = () => {
    process.emitWarning('SQLite is an experimental feature')
    return builtIn
  }
  await loadOn('22.13.0', warn)
  expect(emitWarning).not.toHaveBeenCalled()
  process.emitWarning('another')
  expect(emitWarning).toHaveBeenCalledWith('another')
})

test('a Node without its own, in an installation without the package, says what to use', () => {
  const loader = Module as unknown as { _load(): unknown }
  vi.spyOn(loader, '_load').mockImplementation(() => {
    throw new Error('Cannot find module')
  })
  return expect(loadOn('20.20.2', () => undefined)).rejects.toThrow(/^no SQLite .*: use Node 22\.13 or later/)
})

test('on this Node there is one', () => {
  expect(new (loadSqliteDriver().DatabaseSync)(':memory:').prepare('SELECT 1 AS one').get()).toEqual({ one: 1 })
})
