// A lender's server, as small as one can be: the built tenant proxy under the package's own name, and nothing else.
import { createServer } from 'node:http'
import { createTenantProxy, toNodeHandler } from 'credit-report-widget/tenant-proxy'

const proxy = createTenantProxy({
  service: process.env.SERVICE_URL,
  tenantId: process.env.TENANT_ID ?? 'demo-lender',
  credentials: { clientId: 'demo-lender', clientSecret: process.env.CLIENT_SECRET ?? 'demo-secret' },
  testScenarios: true,
  // Every test comes from one address.
  limits: { generatesMax: 10_000, writesMax: 100_000 },
  ...(process.env.WIDGET_FILES ? { widgetFiles: process.env.WIDGET_FILES } : {}),
  ...(process.env.PREVIOUS_FILES ? { previousFiles: process.env.PREVIOUS_FILES } : {}),
  // Refusals are what these tests are about; no warning on the terminal is needed as well.
  onEvent: () => undefined,
})
const server = createServer(toNodeHandler(proxy))
server.listen(Number(process.env.PORT), '127.0.0.1', () =>
  console.log(`lender: http://127.0.0.1:${server.address().port}`),
)
process.once('SIGTERM', async () => {
  server.close()
  server.closeAllConnections()
  await proxy.drain()
  process.exit()
})
