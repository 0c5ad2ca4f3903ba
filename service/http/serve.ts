import type { Context, Hono } from 'hono'
import type * as z from 'zod/mini'
import { type Problem, read } from '../../contract/problems.ts'
import type { Operation } from '../../openapi/operation.ts'
import { validationError } from './api-error.ts'
import type { ServiceEnv } from './context.ts'
import { readJson } from './read-json.ts'

type PathOf<Row extends Operation> = Row['route'] extends `${string} ${infer Path}` ? Path : never
type BodyOf<Row extends Operation> = Row extends { body: { reads: infer Schema extends z.ZodMiniType } }
  ? z.output<Schema>
  : undefined
type QueryOf<Row extends Operation> = Row extends { query: { reads: infer Schema extends z.ZodMiniType } }
  ? z.output<Schema>
  : undefined

/** Serves an operation at the method and path of its row; `handle` gets the body and the query as the row reads them. */
export function serve<Row extends Operation>(
  routes: Hono<ServiceEnv>,
  row: Row,
  handle: (
    context: Context<ServiceEnv, PathOf<Row>>,
    body: BodyOf<Row>,
    query: QueryOf<Row>,
  ) => Response | Promise<Response>,
): void {
  const [method = '', path = ''] = row.route.split(' ')
  const schema = row.body?.reads
  const query = row.query?.reads
  routes.on(method, path, async (context) => {
    const body = schema && (await readJson(context.req.raw, schema).catch(countAndThrow(context)))
    return handle(context, body as BodyOf<Row>, (query && readQuery(context, query)) as QueryOf<Row>)
  })
}

/** A request that is refused for its body counts towards the lender's limit, also where the route does the counting. */
function countAndThrow(context: Context<ServiceEnv>) {
  return async (error: unknown) => {
    await context.get('countRequest')?.()
    throw error
  }
}

const NAME_SHOWN_MAX = 50

/** Reads the query as `schema` says. Any other parameter is refused: a misspelt filter would answer with everything. */
function readQuery<Shape extends z.core.$ZodLooseShape>(
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
