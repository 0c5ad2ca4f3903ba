import { serve } from '@hono/node-server'
import { toHono } from 'credit-report-widget/tenant-proxy'
import { Hono } from 'hono'
import { proxy } from './credit-report-proxy.mjs'

const app = new Hono()
app.all('/credit-reports/*', toHono(proxy))
serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) })
