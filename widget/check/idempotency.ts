// One key per thing the consumer wants done, so that a repeat (a retry, a double tap, a reload) cannot do it twice.
// The key is all that is stored: it says nothing about the person.

export type KeyRing = {
  /** The key for doing `what`: the same as last time for the same thing, also over a reload. */
  keyFor(what: string): string
  /** The server has answered for good; the next request is a new one. */
  settle(): void
}

const STORAGE_PREFIX = 'credit-report-widget:'

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

// Storage is refused in some private windows and sandboxed frames; a key in memory then has to do.
export function readSlot(slot: string): string | null {
  try {
    return sessionStorage.getItem(STORAGE_PREFIX + slot)
  } catch {
    return null
  }
}

export function writeSlot(slot: string, key: string | null): void {
  try {
    if (key === null) sessionStorage.removeItem(STORAGE_PREFIX + slot)
    else sessionStorage.setItem(STORAGE_PREFIX + slot, key)
  } catch {
    return
  }
}

// Not `randomUUID`: it is missing on a plain-http test page.
export function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
