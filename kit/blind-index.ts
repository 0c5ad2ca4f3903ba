import { createHmac } from 'node:crypto'

/** The same value gives the same index, and without the key nobody can tell which value it was. */
export function blindIndex(key: Uint8Array, purpose: string, value: string): string {
  return createHmac('sha256', key).update(`${purpose}\n`).update(value).digest('base64url')
}
