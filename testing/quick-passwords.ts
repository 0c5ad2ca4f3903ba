// Test support: passwords hashed at a fraction of the cost, for files that hash many and are about other things.
import crypto, { type ScryptOptions } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, beforeAll } from 'vitest'

type Done = (error: Error | null, key: Buffer) => void

/** For all tests of the file that calls it. */
export function hashQuickly(): void {
  const { scrypt } = crypto
  const quick = (password: string, salt: Uint8Array, bytes: number, cost: ScryptOptions, done: Done) =>
    scrypt(password, salt, bytes, { ...cost, N: 16, p: 1 }, done)
  const use = (chosen: typeof quick | typeof scrypt) => {
    Object.assign(crypto, { scrypt: chosen })
    // For those who have imported it by name.
    syncBuiltinESMExports()
  }
  beforeAll(() => use(quick))
  afterAll(() => use(scrypt))
}
