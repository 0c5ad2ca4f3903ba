import { Hono } from 'hono'
import { latestDateOfBirth } from '../../contract/date-of-birth.ts'
import type { Clock } from '../../kit/clock.ts'
import { openApiDocument } from '../../openapi/document.ts'
import type { ServiceEnv } from './context.ts'
import { type PreparedText, prepareText, RUN_TIME_QUALITY, sendPrepared } from './prepared-text.ts'

type OpenApiOptions = {
  publicUrl: string
  bureaus: readonly string[]
  clock: Clock
  /** Every route there is, as the router writes them; asked for once all are mounted. */
  routes: () => readonly string[]
}

/** The interface as a document for machines: that of this service, with its address, its bureaus and what it serves. */
export function createOpenApi({ publicUrl, bureaus, clock, routes }: OpenApiOptions): () => string {
  let made: { birthYearMax: number; json: string } | null = null

  // Made on the first visit, and again each year: the document says in which years borrowers were born.
  return () => {
    const birthYearMax = Number(latestDateOfBirth(clock()).slice(0, 4))
    if (made?.birthYearMax === birthYearMax) return made.json
    const served = routes().map(writeRoute)
    const json = JSON.stringify(openApiDocument({ publicUrl, bureaus, birthYearMax, routes: served }), null, 2)
    made = { birthYearMax, json }
    return json
  }
}

export function openApiRoute(openApi: () => string): Hono<ServiceEnv> {
  let made: { json: string; prepared: PreparedText } | null = null
  return new Hono<ServiceEnv>().get('/openapi.json', (context) => {
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
}

/** `/:tenantId/v1/wallet` → `/{tenantId}/v1/wallet`, and the pinned script by the name of its hash. */
export function writeRoute(route: string): string {
  return route.replace(/:pinned\{device@.*$/, 'device@{hash}').replace(/:(\w+)/g, '{$1}')
}
