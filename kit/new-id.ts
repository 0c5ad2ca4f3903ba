// Ids of our own: UUIDs of version 7, and of version 8 where an id must be recognisable.
import { randomUUID } from 'node:crypto'

const TIME_DIGITS = 12
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * It begins with the time, so that new rows land side by side on disk however many there are, and ends in 74 random
 * bits, so that it cannot be guessed.
 */
export function newId(nowMs: number, version: 7 | 8 = 7): string {
  return `${firstIdAt(nowMs)}-${version}${randomUUID().slice(15)}`
}

/** The smallest id of this moment: ids made at or after it are larger, so `id < firstIdAt(…)` finds older ones. */
export function firstIdAt(timeMs: number): string {
  const digits = Math.max(0, Math.trunc(timeMs)).toString(16).padStart(TIME_DIGITS, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}`
}

/** When an id of ours was made. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.replace('-', '').slice(0, TIME_DIGITS), 16)
}

/** True for a text that could be one of our ids; checked before it is logged or compared with one. */
export function isId(value: string): boolean {
  return ID.test(value)
}
