import { toFastify } from 'credit-report-widget/tenant-proxy'
import fastify from 'fastify'
import { proxy } from './credit-report-proxy.mjs'

const app = fastify()
app.register(toFastify(proxy))
await app.listen({ port: Number(process.env.PORT ?? 3000) })
