// Takes the shape of what the widget reads out of the contract's schemas, so that the schema library itself stays at home.
import * as z from 'zod/mini'
import { ErrorBody } from '../../contract/error.ts'
import type { Shape } from '../check/shape.ts'
import type { Shapes } from '../check/wire-compiled.ts'
import { Answer, Resent } from './reading.ts'

export const shapes: Shapes = { answer: shapeOf(Answer), resent: shapeOf(Resent), error: shapeOf(ErrorBody) }

/** Throws on a kind of schema it does not know: a contract that grows one must not be read half. */
export function shapeOf(schema: z.core.$ZodType): Shape {
  const { type, checks = [] } = schema._zod.def
  const isInt = schema instanceof z.ZodMiniNumberFormat && schema._zod.def.format === 'safeint'
  if (checks.length > 0 && !isInt) throw new Error(`a ${type} with checks cannot be taken to the browser`)
  if (schema instanceof z.ZodMiniObject) {
    const entries = Object.entries(schema._zod.def.shape).map(([key, part]) => {
      return part instanceof z.ZodMiniOptional ? [`${key}?`, shapeOf(innermost(part))] : [key, shapeOf(part)]
    })
    return Object.fromEntries(entries)
  }
  if (schema instanceof z.ZodMiniArray) return [shapeOf(schema._zod.def.element)]
  if (isInt) return 1
  if (type === 'string') return ''
  if (type === 'number') return 0.5
  if (type === 'boolean') return true
  throw new Error(`a ${type} cannot be taken to the browser`)
}

// What was optional already may have been made optional once more.
function innermost(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodMiniOptional ? innermost(schema._zod.def.innerType) : schema
}
