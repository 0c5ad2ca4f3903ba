import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder that only this user can enter, and those above it; one that exists stays as it is. Not Node's `recursive`:
 * where the file system takes no folders, as below `/proc`, that one never returns.
 */
export function makeFolder(folder: string): void {
  const path = resolve(folder)
  const parent = dirname(path)
  if (!existsSync(parent)) makeFolder(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // File systems differ in the error for a folder that exists.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

/** Waits until a file's bytes, or a folder's entries, are on the disk. */
export function syncToDisk(path: string): void {
  const isFolder = statSync(path).isDirectory()
  const handle = openSync(path, isFolder ? 'r' : 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
