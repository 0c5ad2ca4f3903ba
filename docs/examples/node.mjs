import { createServer } from 'node:http'
import { toNodeHandler } from 'credit-report-widget/tenant-proxy'
import { proxy } from './credit-report-proxy.mjs'

const server = createServer(toNodeHandler(proxy)).listen(process.env.PORT ?? 3000)

process.once('SIGTERM', () => {
  // Finish open requests first: one of them may bring a report.
  server.close(async () => {
    await proxy.drain()
    process.exit()
  })
})
