import { Hono } from 'hono'
import { latestDateOfBirth } from '../../contract/date-of-birth.ts'
import type { Clock } from '../../kit/clock.ts'
import { openApiDocument } from '../../openapi/document.ts'
import type { Rows } from '../../openapi/operation.ts'
import type { ServiceEnv } from './context.ts'
import { httpRows } from './operations.ts'
import { type PreparedText, prepareText, RUN_TIME_QUALITY, sendPrepared } from './prepared-text.ts'
import { serve } from './serve.ts'

type OpenApiOptions = {
  publicUrl: string
  bureaus: readonly string[]
  clock: Clock
  /** The operations; known once every plugin is mounted. */
  rows: () => readonly Rows[]
}

/** The interface as a document for machines: that of this service, with its address, its bureaus and what it serves. */
export function createOpenApi({ publicUrl, bureaus, clock, rows }: OpenApiOptions): () => string {
  let made: { birthYearMax: number; json: string } | null = null

  // Made on the first visit, and again each year: the document says in which years borrowers were born.
  return () => {
    const birthYearMax = Number(latestDateOfBirth(clock()).slice(0, 4))
    if (made?.birthYearMax === birthYearMax) return made.json
    const json = JSON.stringify(openApiDocument(rows(), { publicUrl, bureaus, birthYearMax }), null, 2)
    made = { birthYearMax, json }
    return json
  }
}

export function openApiRoute(openApi: () => string): Hono<ServiceEnv> {
  let made: { json: string; prepared: PreparedText } | null = null
  const routes = new Hono<ServiceEnv>()
  serve(routes, httpRows.operations.getOpenApiDocument, (context) => {
    const json = openApi()
    if (made?.json !== json) made = { json, prepared: prepareText(json, RUN_TIME_QUALITY) }
    return sendPrepared(context, made.prepared, {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-cache',
      // Nothing in it is secret, and tools on other pages read it.
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    })
  })
  return routes
}
