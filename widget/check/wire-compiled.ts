// The same as `wire.ts`, from shapes the build has taken out of the contract's schemas.
import type { ErrorBody } from '../../contract/error.ts'
import type { Answer, Resent } from '../reading.ts'
import type { Reader } from './wire.ts'

/** `'string'`, `'int'`, … · `[items]` · `{ key: shape }`, a key ending in `?` may be absent. */
export type Shape = string | [Shape] | { [key: string]: Shape }
export type Shapes = { answer: Shape; resent: Shape; error: Shape }

/** Put in by the build. */
declare const __SHAPES__: Shapes

export const readAnswer: Reader<Answer> = (value) => readAs(__SHAPES__.answer, value)
export const readResent: Reader<Resent> = (value) => readAs(__SHAPES__.resent, value)
export const readError: Reader<ErrorBody> = (value) => readAs(__SHAPES__.error, value)

function readAs<T>(shape: Shape, value: unknown): T | null {
  return isShaped<T>(shape, value) ? value : null
}

/** True when the value has this shape; what it has beyond that does not matter. */
export function isShaped<T>(shape: Shape, value: unknown): value is T {
  if (typeof shape === 'string') return shape === 'int' ? Number.isSafeInteger(value) : typeof value === shape
  if (Array.isArray(shape)) return Array.isArray(value) && value.every((item) => isShaped(shape[0], item))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.entries(shape).every(([key, part]) => {
    const name = key.replace('?', '')
    const own: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
    return own === undefined ? name !== key : isShaped(part, own)
  })
}
