// Test support: passwords hashed at a fraction of the cost, for files that hash many and are about other things; or
// held.
import crypto, { type ScryptOptions } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, beforeAll } from 'vitest'

type Done = (error: Error | null, key: Buffer) => void

type Scrypt = (password: string, salt: Uint8Array, bytes: number, cost: ScryptOptions, done: Done) => void

function use(scrypt: Scrypt): void {
  Object.assign(crypto, { scrypt })
  // For those who have imported it by name.
  syncBuiltinESMExports()
}

/** For all tests of the file that calls it. */
export function hashQuickly(): void {
  const { scrypt } = crypto
  beforeAll(() =>
    use((password, salt, bytes, cost, done) => scrypt(password, salt, bytes, { ...cost, N: 16, p: 1 }, done)),
  )
  afterAll(() => use(scrypt))
}

/** No password is hashed until `release`, then quickly, until `restore`. */
export function holdPasswords(): { release(): void; restore(): void } {
  const { scrypt } = crypto
  let held: (() => void)[] | null = []
  use((password, salt, bytes, cost, done) => {
    const begin = () => scrypt(password, salt, bytes, { ...cost, N: 16, p: 1 }, done)
    if (held === null) begin()
    else held.push(begin)
  })
  return {
    release() {
      for (const begin of held ?? []) begin()
      held = null
    },
    restore: () => use(scrypt),
  }
}
