import { serve } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { Hono } from 'hono'
import { proxy } from './credit-report-proxy.mjs'

const app = new Hono()
app.all('/credit-reports/*', (context) =>
  proxy(context.req.raw, { remoteAddress: getConnInfo(context).remote.address }),
)
serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) })
