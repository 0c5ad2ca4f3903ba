import { randomUUID } from 'node:crypto'

const TIME_DIGITS = 12

/**
 * A UUID of version 7: it begins with the time, so that new rows land side by side on disk however many there are,
 * and ends in 74 random bits, so that it cannot be guessed.
 */
export function newTimedId(nowMs: number): string {
  return `${timePart(nowMs)}-7${randomUUID().slice(15)}`
}

/** What an id of this moment begins with. */
export function timePart(timeMs: number): string {
  const digits = Math.max(0, Math.trunc(timeMs)).toString(16).padStart(TIME_DIGITS, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}`
}
