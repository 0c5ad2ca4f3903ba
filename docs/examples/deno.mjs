import { proxy } from './credit-report-proxy.mjs'

Deno.serve({ port: Number(process.env.PORT ?? 3000) }, (request, { remoteAddr }) =>
  proxy(request, { remoteAddress: remoteAddr.hostname }),
)
