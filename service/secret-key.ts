// The key of an installation without SECRET_KEY: made once, kept beside the data it protects.
import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, syncToDisk } from './store/files.ts'

/** Shorter keys are refused, wherever they come from. */
export const SECRET_KEY_BYTES_MIN = 32

const FILE_NAME = 'secret-key'

/**
 * Reads the key below `dataDir`, or makes it. Two processes that start at once end up with the same key, and a power
 * cut leaves either no key or a whole one: the file appears under its name only after its bytes are on disk.
 */
export function loadSecretKey(dataDir: string): Uint8Array {
  makeFolder(dataDir)
  const path = join(dataDir, FILE_NAME)
  return readKey(path) ?? makeKey(path, dataDir) ?? fail(path)
}

function readKey(path: string): Uint8Array | null {
  try {
    const key = readFileSync(path, 'utf8').trim()
    if (Buffer.byteLength(key) < SECRET_KEY_BYTES_MIN)
      throw new Error(`${path} holds fewer than ${SECRET_KEY_BYTES_MIN} bytes`)
    return Buffer.from(key, 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw error
  }
}

function makeKey(path: string, dataDir: string): Uint8Array | null {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, `${randomBytes(SECRET_KEY_BYTES_MIN).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 })
  syncToDisk(draft)
  try {
    linkSync(draft, path)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error // EEXIST: another process was first, and its key is the key
  } finally {
    unlinkSync(draft)
  }
  syncToDisk(dataDir)
  return readKey(path)
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

function fail(path: string): never {
  throw new Error(`${path} vanished while it was read`)
}
