// A lender's server that writes each report's id to a file, as slowly as a database would.
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTenantProxy, toNodeHandler } from 'credit-report-widget/tenant-proxy'

const { SERVICE_URL, PORT, REPORTS_FILE, WEBHOOK_SECRET } = process.env
const WRITE_MS_MAX = 20

const proxy = createTenantProxy({
  service: SERVICE_URL,
  tenantId: 'demo-lender',
  credentials: { clientId: 'demo-lender', clientSecret: 'demo-secret' },
  webhookSecrets: [WEBHOOK_SECRET],
  limits: { generatesMax: 1_000_000, writesMax: 1_000_000 },
  onEvent: () => {},
  async onReport(_report, { creditReportId }) {
    await sleep(Math.random() * WRITE_MS_MAX)
    appendFileSync(REPORTS_FILE, `${creditReportId}\n`)
  },
})
createServer(toNodeHandler(proxy)).listen(Number(PORT), '127.0.0.1', () => process.send?.('ready'))
