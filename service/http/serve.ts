import type { Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import * as z from 'zod/mini'
import { type Problem, read } from '../../contract/problems.ts'
import type { Operation } from '../../openapi/operation.ts'
import { validationError } from './api-error.ts'
import { type ServiceEnv, timeTakenMs } from './context.ts'
import { readJson, unknownName } from './read-body.ts'

/** A `Response`, or the `data` of one. */
export type Answered<Row extends Operation> = Response | DataOf<Row>

type PathOf<Row extends Operation> = Row['route'] extends `${string} ${infer Path}` ? Path : never
type BodyOf<Row extends Operation> = Row extends { body: { reads: infer Schema extends z.ZodMiniType } }
  ? z.output<Schema>
  : undefined
type QueryOf<Row extends Operation> = Row extends { query: { reads: infer Schema extends z.ZodMiniType } }
  ? z.output<Schema>
  : undefined

/** The type of `data` in its answer; void where the row answers 204. */
type DataOf<Row extends Operation> = Row['answers'][keyof Row['answers']] extends infer Answer
  ? Answer extends { data: infer Schema extends z.ZodMiniType }
    ? z.output<Schema>
    : // biome-ignore lint/suspicious/noConfusingVoidType: a handler without an answer returns nothing
      void
  : never

/**
 * Serves an operation at the method and path of its row; `handle` gets the body and the query as the row reads them.
 * The value it resolves to is answered as `data` beside `meta`, with the status of the row, unless it is a `Response`.
 */
export function serve<Row extends Operation>(
  routes: Hono<ServiceEnv>,
  row: Row,
  handle: (
    context: Context<ServiceEnv, PathOf<Row>>,
    body: BodyOf<Row>,
    query: QueryOf<Row>,
  ) => Answered<Row> | Promise<Answered<Row>>,
): void {
  const [method = '', path = ''] = row.route.split(' ')
  const schema = row.body?.reads
  // The operations of the interface document, and senders that may be newer, may send more than is known.
  const query = row.query?.reads ?? (path.startsWith('/:tenantId/') && !row.body?.ignoresUnknown ? NO_QUERY : undefined)
  const status = Number(Object.keys(row.answers)[0]) as ContentfulStatusCode
  const known = row.body?.ignoresUnknown ? null : knownFieldsOf(schema)
  routes.on(method, path, async (context) => {
    const reading =
      schema && !(row.body?.required === false && isEmpty(context.req.raw)) && readJson(context.req.raw, schema, known)
    const body = reading ? await reading.catch(countAndThrow(context)) : undefined
    const answered = await handle(context, body as BodyOf<Row>, (query && readQuery(context, query)) as QueryOf<Row>)
    if (answered instanceof Response) return answered
    const meta = { request: { timeTakenMs: timeTakenMs(context) } }
    return answered === undefined ? context.body(null, 204) : context.json({ meta, data: answered }, status)
  })
}

const NO_QUERY = z.object({})

function isEmpty({ body, headers }: Request): boolean {
  return body === null || !headers.has('Content-Type') || headers.get('Content-Length') === '0'
}

/** Null where the schema is no plain object, and for a row without a body. */
function knownFieldsOf(schema: z.ZodMiniType | undefined): readonly string[] | null {
  return schema && 'shape' in schema ? Object.keys(schema.shape as object) : null
}

/** A request that is refused for its body counts towards the lender's limit, also where the route does the counting. */
function countAndThrow(context: Context<ServiceEnv>) {
  return async (error: unknown) => {
    await context.get('countRequest')?.()
    throw error
  }
}

/** Reads the query as `schema` says. Any other parameter is refused: a misspelt filter would answer with everything. */
function readQuery<Shape extends z.core.$ZodLooseShape>(
  context: Context,
  schema: z.ZodMiniObject<Shape>,
): z.output<z.ZodMiniObject<Shape>> {
  const known = Object.keys(schema.shape)
  const problems = Object.entries(context.req.queries()).flatMap(([name, values]): Problem[] => {
    if (!known.includes(name)) return [unknownName(name, 'parameter', known)]
    return values.length > 1 ? [{ path: name, expected: 'must be given once' }] : []
  })
  const reading = read(schema, context.req.query())
  if (!reading.ok || problems.length > 0) throw validationError([...problems, ...(reading.ok ? [] : reading.problems)])
  return reading.value
}
