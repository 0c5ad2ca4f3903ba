// Keys per purpose, indexes made with them, and the comparison of secrets: one place each.
import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

const KEY_BYTES = 32

/** Keys for one purpose while one replaces another: the first seals and makes, all of them open and check. */
export type KeyList = readonly [Uint8Array, ...Uint8Array[]]

type Root = Uint8Array | string

/** The keys for one purpose, in the order of their roots. */
export function deriveKeyList([first, ...older]: readonly [Root, ...Root[]], label: string): KeyList {
  return [deriveKey(first, label), ...older.map((root) => deriveKey(root, label))]
}

/** A key for one purpose (HKDF-SHA-256), the same for the same root: a key that leaks opens nothing else. */
export function deriveKey(root: Root, label: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', root, '', label, KEY_BYTES))
}

/** A keyed hash: equal values have equal indexes, and without the key the value cannot be recovered or guessed. */
export function keyedIndex(key: Uint8Array | string, purpose: string, value: string): string {
  return createHmac('sha256', key).update(`${purpose}\n${value}`).digest('base64url')
}

/** Constant time in the content. Digests are compared, so that a difference in length does not show either. */
export function isSameSecret(one: string | Uint8Array, other: string | Uint8Array): boolean {
  const digest = (secret: string | Uint8Array) => createHash('sha256').update(secret).digest()
  return timingSafeEqual(digest(one), digest(other))
}
