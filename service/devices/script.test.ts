import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../store/database.ts'
import { openSqlite } from '../store/sqlite.ts'
import { createScriptArchive, loadScript, prepareScript } from './script.ts'
import { deviceTables } from './tables.ts'

const folder = mkdtempSync(join(tmpdir(), 'device-script-'))
const database = await openSqlite({ folder, role: 'service', migrations: [deviceTables] })
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

test('every encoding unpacks to the same bytes, and the digest is theirs', () => {
  const { bodies, digest, source } = prepareScript('document.title="ü"')
  expect(digest).toBe(createHash('sha384').update(bodies.identity).digest('base64'))
  expect(Buffer.from(bodies.identity).toString('utf8')).toBe(source)
  expect(gunzipSync(bodies.gzip)).toEqual(Buffer.from(bodies.identity))
  expect(brotliDecompressSync(bodies.br)).toEqual(Buffer.from(bodies.identity))
})

test('the script knows where it is served, and its hash depends on that', () => {
  const source = 'ask("%SERVED_AS%")'
  const here = loadScript('https://service.example', source)
  expect(here.source).toBe('ask("https://service.example/v1/fingerprints/device")')
  expect(loadScript('https://service.example', source).hash).toBe(here.hash)
  expect(loadScript('https://other.example', source).hash).not.toBe(here.hash)
})

describe('the archive', () => {
  beforeEach(() => database.run('DELETE FROM device_script'))

  /** An archive on a database that counts its queries and can fail. */
  function archiveOf(source: string) {
    const state = { runs: 0, reads: 0, isAway: false }
    const counted: Database = {
      ...database,
      async run(...given) {
        state.runs += 1
        if (state.isAway) throw new Error('away')
        return database.run(...given)
      },
      first(...given) {
        state.reads += 1
        return database.first(...given)
      },
    }
    const current = prepareScript(source)
    return { ...createScriptArchive({ database: counted, clock: () => 5, current }), state, current }
  }

  const stored = () => database.all('SELECT source, first_served_at_ms FROM device_script ORDER BY source')

  test('keeps a version once, with when it was first served', async () => {
    const { keep, state } = archiveOf('one')
    await Promise.all([keep(), keep(), keep()])
    expect(state.runs).toBe(1)
    await archiveOf('one').keep()
    expect(await stored()).toEqual([{ source: 'one', first_served_at_ms: 5 }])
  })

  test('that could not keep a version says so, and keeps it the next time', async () => {
    const { keep, state } = archiveOf('one')
    state.isAway = true
    await expect(keep()).rejects.toThrow('away')
    state.isAway = false
    await keep()
    await keep()
    expect(state.runs).toBe(2)
    expect(await stored()).toHaveLength(1)
  })

  test('finds the current version without asking, and an older one by asking once', async () => {
    const older = archiveOf('older')
    await older.keep()
    const { find, state, current } = archiveOf('newer')
    expect(await find(current.hash)).toBe(current)
    expect(state.reads).toBe(0)
    for (let times = 0; times < 2; times += 1) {
      expect(await find(older.current.hash)).toMatchObject({ source: 'older', hash: older.current.hash })
    }
    expect(state.reads).toBe(1)
    expect(await find('unknown')).toBeNull()
  })

  test('keeps twenty versions at hand, the current one included', async () => {
    const versions = Array.from({ length: 20 }, (_, index) => archiveOf(`version ${index}`))
    for (const { keep } of versions) await keep()
    const { find, state } = archiveOf('current')
    for (const { current } of versions) await find(current.hash)
    expect(state.reads).toBe(20)
    for (const { current } of versions) await find(current.hash)
    expect(state.reads).toBe(21)
  })
})
