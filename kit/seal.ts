// Encryption at rest. Each row has its own data key, kept only in wrapped form beside it:
//
//   SECRET_KEY ──HKDF──▶ wrapping key ──wraps──▶ data key ──seals──▶ content
//
// Deleting the wrapped key makes the content unreadable for good. Both layers are bound to their tenant and row, so
// that a blob moved to another row does not open.
import { hash } from 'node:crypto'
import { decrypt, encrypt, takeRandom } from './aes-gcm.ts'

const DATA_KEY_BYTES = 32
const KEY_ID_BYTES = 4

export type SealedPlace = { tenantId: string; rowId: string }
export type Sealed = { wrappedKey: Uint8Array; content: Uint8Array }

export function seal(wrappingKey: Uint8Array, place: SealedPlace, content: string): Sealed {
  const dataKey = takeRandom(DATA_KEY_BYTES)
  return {
    wrappedKey: Buffer.concat([keyId(wrappingKey), encrypt(wrappingKey, labelOf(place, 'key'), dataKey)]),
    content: encrypt(dataKey, labelOf(place, 'content'), Buffer.from(content, 'utf8')),
  }
}

/** Throws `Unsealable` when the key is another one, or anything was changed or moved. */
export function unseal(wrappingKey: Uint8Array, place: SealedPlace, { wrappedKey, content }: Sealed): string {
  const dataKey = unwrap(wrappingKey, place, wrappedKey)
  return open(dataKey, labelOf(place, 'content'), content).toString('utf8')
}

export class Unsealable extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'Unsealable'
  }
}

function unwrap(wrappingKey: Uint8Array, place: SealedPlace, wrappedKey: Uint8Array): Buffer {
  const isOurs = keyId(wrappingKey).equals(wrappedKey.subarray(0, KEY_ID_BYTES))
  if (!isOurs) throw new Unsealable('sealed under another SECRET_KEY')
  return open(wrappingKey, labelOf(place, 'key'), wrappedKey.subarray(KEY_ID_BYTES))
}

function open(key: Uint8Array, label: string, sealed: Uint8Array): Buffer {
  const plain = decrypt(key, label, sealed)
  if (plain === null) throw new Unsealable('changed, moved or cut short')
  return plain
}

// Neither id can hold a line break, so two places never share a label.
function labelOf({ tenantId, rowId }: SealedPlace, part: 'key' | 'content'): string {
  return `${part}\n${tenantId}\n${rowId}`
}

const keyIds = new WeakMap<Uint8Array, Buffer>()

function keyId(wrappingKey: Uint8Array): Buffer {
  let id = keyIds.get(wrappingKey)
  if (id === undefined) {
    id = Buffer.from(hash('sha256', wrappingKey, 'hex').slice(0, KEY_ID_BYTES * 2), 'hex')
    keyIds.set(wrappingKey, id)
  }
  return id
}
