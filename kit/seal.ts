// Encryption at rest. Each row has its own data key, kept only in wrapped form beside it:
//
//   SECRET_KEY ──HKDF──▶ wrapping key ──wraps──▶ data key ──seals──▶ content
//
// Deleting the wrapped key makes the content unreadable for good. Both layers are bound to their tenant and row, so
// that a blob moved to another row does not open.
import { hash } from 'node:crypto'
import { decrypt, encrypt } from './aes-gcm.ts'
import type { KeyList } from './keys.ts'
import { takeRandom } from './random.ts'

const DATA_KEY_BYTES = 32
/** A wrapped key begins with the id of what wrapped it. */
export const KEY_ID_BYTES = 4

type SealedPlace = { tenantId: string; rowId: string }
export type Sealed = { wrappedKey: Uint8Array; content: Uint8Array }

export function seal([wrappingKey]: KeyList, place: SealedPlace, content: string): Sealed {
  const dataKey = takeRandom(DATA_KEY_BYTES)
  return {
    wrappedKey: wrap(wrappingKey, place, dataKey),
    content: encrypt(dataKey, labelOf(place, 'content'), content),
  }
}

/** Throws `Unsealable` when none of the keys sealed it, or anything was changed or moved. */
export function unseal(wrappingKeys: KeyList, place: SealedPlace, { wrappedKey, content }: Sealed): string {
  const dataKey = unwrap(wrappingKeys, place, wrappedKey)
  return open(dataKey, labelOf(place, 'content'), content).toString('utf8')
}

/** The same data key under the first of the keys. */
export function rewrap(wrappingKeys: KeyList, place: SealedPlace, wrappedKey: Uint8Array): Uint8Array {
  return wrap(wrappingKeys[0], place, unwrap(wrappingKeys, place, wrappedKey))
}

export class Unsealable extends Error {
  override readonly name = 'Unsealable'
  /** `other-key`: no key of the list sealed it. `damaged`: the key is there, and what it sealed was changed. */
  readonly why: 'other-key' | 'damaged'
  constructor(message: string, why: Unsealable['why']) {
    super(message)
    this.why = why
  }
}

function wrap(wrappingKey: Uint8Array, place: SealedPlace, dataKey: Uint8Array): Uint8Array {
  return Buffer.concat([keyId(wrappingKey), encrypt(wrappingKey, labelOf(place, 'key'), dataKey)])
}

function unwrap(wrappingKeys: KeyList, place: SealedPlace, wrappedKey: Uint8Array): Buffer {
  const wrappingKey = wrappingKeys.find((key) => keyId(key).equals(wrappedKey.subarray(0, KEY_ID_BYTES)))
  if (wrappingKey === undefined) throw new Unsealable('sealed under another SECRET_KEY', 'other-key')
  return open(wrappingKey, labelOf(place, 'key'), wrappedKey.subarray(KEY_ID_BYTES))
}

function open(key: Uint8Array, label: string, sealed: Uint8Array): Buffer {
  const plain = decrypt(key, label, sealed)
  if (plain === null) throw new Unsealable('changed, moved or cut short', 'damaged')
  return plain
}

// Neither id can hold a line break, so two places never share a label.
function labelOf({ tenantId, rowId }: SealedPlace, part: 'key' | 'content'): string {
  return `${part}\n${tenantId}\n${rowId}`
}

const keyIds = new WeakMap<Uint8Array, Buffer>()

/** Says which key it is and nothing about it. */
export function keyId(wrappingKey: Uint8Array): Buffer {
  const known = keyIds.get(wrappingKey)
  if (known) return known
  const id = hash('sha256', wrappingKey, 'buffer').subarray(0, KEY_ID_BYTES)
  keyIds.set(wrappingKey, id)
  return id
}
