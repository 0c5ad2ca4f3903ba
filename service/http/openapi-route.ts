import { Hono } from 'hono'
import document from '../../openapi.json?raw'
import type { ServiceEnv } from './context.ts'

/** The interface as a document for machines. */
export function openApiRoute(): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()
  routes.get('/openapi.json', (context) =>
    context.body(document, 200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache' }),
  )
  return routes
}
