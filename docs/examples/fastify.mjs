import { toNodeHandler } from 'credit-report-widget/tenant-proxy'
import fastify from 'fastify'
import { proxy } from './credit-report-proxy.mjs'

const app = fastify()
const handle = toNodeHandler(proxy)
// Before Fastify parses a body; requests outside the mount go on to your routes.
app.addHook('onRequest', (request, reply, next) => handle(request.raw, reply.raw, next))
await app.listen({ port: Number(process.env.PORT ?? 3000) })
