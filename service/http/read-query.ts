import type { Context } from 'hono'
import type * as z from 'zod/mini'
import { type Problem, read } from '../../contract/problems.ts'
import { validationError } from './api-error.ts'

const NAME_SHOWN_MAX = 50

/** Reads the query as `schema` says. Any other parameter is refused: a misspelt filter would answer with everything. */
export function readQuery<Shape extends z.core.$ZodLooseShape>(
  context: Context,
  schema: z.ZodMiniObject<Shape>,
): z.output<z.ZodMiniObject<Shape>> {
  const known = Object.keys(schema.shape)
  const problems = Object.entries(context.req.queries()).flatMap(([name, values]): Problem[] => {
    const path = name.slice(0, NAME_SHOWN_MAX)
    if (!known.includes(name)) return [{ path, expected: `is not a parameter here; there are ${known.join(', ')}` }]
    return values.length > 1 ? [{ path, expected: 'must be given once' }] : []
  })
  const reading = read(schema, context.req.query())
  if (!reading.ok || problems.length > 0) throw validationError([...problems, ...(reading.ok ? [] : reading.problems)])
  return reading.value
}
