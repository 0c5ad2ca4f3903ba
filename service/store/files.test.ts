import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { makeFolder, syncToDisk } from './files.ts'

const root = mkdtempSync(join(tmpdir(), 'make-folder-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('a folder', () => {
  test('is made with those above it, for this user alone', () => {
    makeFolder(join(root, 'a/b/c'))
    for (const made of ['a', 'a/b', 'a/b/c']) expect(statSync(join(root, made)).mode & 0o777).toBe(0o700)
  })

  test('that exists stays as it is, a link to one included', () => {
    makeFolder(root)
    symlinkSync(root, join(root, 'link'))
    makeFolder(join(root, 'link'))
    expect(existsSync(join(root, 'link/a'))).toBe(true)
  })

  test('cannot stand where a file is, nor below it', () => {
    writeFileSync(join(root, 'file'), '')
    expect(() => makeFolder(join(root, 'file'))).toThrow('EEXIST')
    expect(() => makeFolder(join(root, 'file/sub'))).toThrow('ENOTDIR')
  })

  test('cannot stand where a link leads nowhere', () => {
    symlinkSync(join(root, 'nowhere'), join(root, 'dangling'))
    expect(() => makeFolder(join(root, 'dangling'))).toThrow('EEXIST')
  })

  test('is refused, not awaited for ever, where the file system takes none', () => {
    expect(() => makeFolder('/proc/no-such-folder/below')).toThrow(/ENOENT|EPERM|EACCES|EROFS/)
  })
})

describe('what must be on the disk', () => {
  test('can be a file or a folder, and stays as it is', () => {
    writeFileSync(join(root, 'synced'), 'kept')
    syncToDisk(join(root, 'synced'))
    syncToDisk(root)
    expect(readFileSync(join(root, 'synced'), 'utf8')).toBe('kept')
  })

  test('must be there', () => {
    expect(() => syncToDisk(join(root, 'never-made'))).toThrow('ENOENT')
  })
})
