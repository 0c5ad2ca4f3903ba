import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
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

test('a key of 32 bytes is long enough; the end of its line is no part of it', () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'secret-key'), `${'k'.repeat(32)}\n`)
  expect(loadSecretKey(folder)).toEqual(Buffer.from('k'.repeat(32)))
  writeFileSync(join(folder, 'secret-key'), `${'k'.repeat(31)}\n`)
  expect(() => loadSecretKey(folder)).toThrow(/fewer than 32 bytes/)
})

test('a key that cannot be read is not replaced', () => {
  const folder = emptyFolder()
  mkdirSync(join(folder, 'secret-key'))
  expect(() => loadSecretKey(folder)).toThrow(/EISDIR/)
  expect(readdirSync(folder)).toEqual(['secret-key'])
})

test('a name that is taken and leads nowhere is an error, and leaves no draft behind', () => {
  const folder = emptyFolder()
  symlinkSync(join(folder, 'gone'), join(folder, 'secret-key'))
  expect(() => loadSecretKey(folder)).toThrow(/secret-key vanished while it was read/)
  expect(readdirSync(folder)).toEqual(['secret-key'])
})
