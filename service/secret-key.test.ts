import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadSecretKey } from './secret-key.ts'

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'secret-key-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('the key is made once, readable by its owner alone, and nothing else is left behind', () => {
  const folder = join(emptyFolder(), 'new')
  const key = loadSecretKey(folder)
  expect(key.byteLength).toBeGreaterThanOrEqual(32)
  expect(loadSecretKey(folder)).toEqual(key)
  expect(statSync(join(folder, 'secret-key')).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['secret-key'])
})

test('two installations have different keys', () => {
  expect(loadSecretKey(emptyFolder())).not.toEqual(loadSecretKey(emptyFolder()))
})

test('a key cut short is refused rather than used', () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'secret-key'), 'cut')
  expect(() => loadSecretKey(folder)).toThrow(/fewer than 32 bytes/)
})
