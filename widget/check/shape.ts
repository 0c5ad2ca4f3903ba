// Reads a value by its shape, which is what a schema comes down to when nothing has to be explained.
import type { Reader } from './wire.ts'

/** `'string'`, `'int'`, … · `[items]` · `{ key: shape }`, a key ending in `?` may be absent. */
export type Shape = string | [Shape] | { [key: string]: Shape }

/** Reads what has this shape; what it has beyond that does not matter. */
export function readerOf<T>(shape: Shape): Reader<T> {
  const check = checkOf(shape)
  const isRight = (value: unknown): value is T => check(value)
  return (value) => (isRight(value) ? value : null)
}

type Check = (value: unknown) => boolean

// A shape is taken apart once: a report has thousands of fields.
function checkOf(shape: Shape): Check {
  if (shape === 'int') return Number.isSafeInteger
  if (typeof shape === 'string') return (value) => typeof value === shape
  if (Array.isArray(shape)) {
    const isItem = checkOf(shape[0])
    return (value) => Array.isArray(value) && value.every(isItem)
  }
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
