import { createServer } from 'node:http'
import { toNodeHandler } from 'credit-report-widget/tenant-proxy'
import { proxy } from './credit-report-proxy.mjs'

// Your own page: the customer comes from your session and your database.
function showCheckout(request, response) {
  const start = proxy.begin({
    request,
    externalReference: 'order-1042',
    person: { firstName: 'Sam', lastName: 'Example', dateOfBirth: '1985-03-27' },
    addresses: [{ buildingNumber: '10', thoroughfare: 'Mill Lane', townOrCity: 'Leeds', postcode: 'LS1 4AP' }],
  })
  response.setHeader('Content-Type', 'text/html; charset=utf-8')
  response.setHeader('Cache-Control', 'no-store')
  response.end(`<!doctype html>
<html lang="en">
  <head>
    <title>Checkout</title>
    <meta name="viewport" content="width=device-width">
    <script async src="${process.env.CREDIT_SERVICE_URL}/v1/fingerprints/device"></script>
    <script async src="/credit-reports/widget.js"></script>
  </head>
  <body>
    <credit-report-widget endpoint="/credit-reports" start="${start}"></credit-report-widget>
  </body>
</html>`)
}

const handle = toNodeHandler(proxy)
const server = createServer((request, response) => handle(request, response, () => showCheckout(request, response)))
server.listen(Number(process.env.PORT ?? 3000))
process.once('SIGTERM', () => {
  server.close(async () => {
    await proxy.drain()
    process.exit()
  })
})
