import { newTimedId, timePart } from '../../kit/timed-id.ts'

/** Of a row: `firstIdAt` finds it by its time. */
export function newId(nowMs: number): string {
  return newTimedId(nowMs)
}

/** No id made at or after this moment is smaller: what `id < firstIdAt(…)` finds is older. */
export function firstIdAt(timeMs: number): string {
  return timePart(timeMs)
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether it could be an id of ours, before it is logged or compared with one. */
export function isId(value: string): boolean {
  return ID.test(value)
}
