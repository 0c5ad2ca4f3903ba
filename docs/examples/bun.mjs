import { proxy } from './credit-report-proxy.mjs'

Bun.serve({
  port: process.env.PORT ?? 3000,
  fetch: (request, server) => proxy(request, { remoteAddress: server.requestIP(request)?.address }),
})
