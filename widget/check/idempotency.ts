// One key per thing the consumer wants done, so that a repeat (a retry, a double tap, a reload) cannot do it twice.
// The key is all that is stored: it says nothing about the person.
import { readSlot, writeSlot } from '../slots.ts'

export type KeyRing = {
  /** The key for doing `what`: the same as last time for the same thing, also over a reload. */
  keyFor(what: string): string
  /** The server has answered for good; the next request is a new one. */
  settle(): void
}

export function createKeyRing(name: string): KeyRing {
  let last: string | null = null
  let key = ''

  return {
    keyFor(what) {
      const kept = last === null ? readSlot(name) : last === what && key
      key = kept || randomKey()
      last = what
      if (!kept) writeSlot(name, key)
      return key
    },
    settle() {
      last = ''
      key = ''
      writeSlot(name, null)
    },
  }
}

// Not `randomUUID`: it is missing on a plain-http test page.
export function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
