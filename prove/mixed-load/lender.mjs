// A lender's server that notes each report it is given.
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createTenantProxy, toNodeHandler } from 'credit-report-widget/tenant-proxy'

const { SERVICE_URL, REPORTS_FILE } = process.env

const proxy = createTenantProxy({
  service: SERVICE_URL,
  tenantId: 'demo-lender',
  credentials: { clientId: 'demo-lender', clientSecret: 'demo-secret' },
  testScenarios: true,
  // Every request comes through one balancer here, and says where from.
  trustedHops: 1,
  onEvent: (event) => {
    if (event.type === 'unavailable') process.stderr.write(`${JSON.stringify(event)}\n`)
  },
  onReport: (_report, { creditReportId }) => appendFileSync(REPORTS_FILE, `${creditReportId}\n`),
})
const server = createServer(toNodeHandler(proxy)).listen(0, '127.0.0.1', () => process.send?.(server.address().port))
// Asked for, it says how much memory it has, or what of its heap is in use after a full collection.
process.on('message', (what) => {
  if (what === 'heap') globalThis.gc()
  process.send?.(what === 'heap' ? process.memoryUsage().heapUsed : process.memoryUsage.rss())
})
