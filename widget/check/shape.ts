// Reads a value by its shape, which is what a schema comes down to when nothing has to be explained.
import type { Reader } from './wire.ts'

/** By example: `''`, `true`, `1` for whole numbers, `0.5` for any · `[items]` · `{ key: shape }`, a key ending in `?` may be absent. */
export type Shape = string | number | boolean | [Shape] | { [key: string]: Shape }

/** Reads what has this shape; what it has beyond that does not matter. */
export function readerOf<T>(shape: Shape): Reader<T> {
  const check = checkOf(shape)
  const isRight = (value: unknown): value is T => check(value)
  return (value) => (isRight(value) ? value : null)
}

type Check = (value: unknown) => boolean

// A shape is taken apart once: a report has thousands of fields.
function checkOf(shape: Shape): Check {
  if (shape === 1) return Number.isSafeInteger
  if (Array.isArray(shape)) {
    const isItem = checkOf(shape[0])
    return (value) => Array.isArray(value) && value.every(isItem)
  }
  if (typeof shape !== 'object') return (value) => typeof value === typeof shape
  const fields = Object.entries(shape).map(([key, part]) => {
    const name = key.replace('?', '')
    return { name, isOptional: name !== key, isRight: checkOf(part) }
  })
  return (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    fields.every(({ name, isOptional, isRight }) => {
      const own: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
      return own === undefined ? isOptional : isRight(own)
    })
}
