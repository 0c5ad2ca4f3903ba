import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createTenantProxy, toNodeHandler } from 'credit-report-widget/tenant-proxy'
import { render } from './dist/server/entry-server.js'

const proxy = createTenantProxy({
  service: process.env.CREDIT_SERVICE_URL,
  tenantId: 'demo-lender',
  credentials: { clientId: process.env.CLIENT_ID, clientSecret: process.env.CLIENT_SECRET },
  // Your own copy, server to server: keep it under its id.
  onReport: (_report, { creditReportId }) => console.log(`report ${creditReportId}`),
})
const handle = toNodeHandler(proxy)
const template = await readFile('dist/client/index.html', 'utf8')

/** Paths outside the mount: the bundle, and the page. */
async function answer(request, response) {
  const [, asset] = /^\/assets\/([\w.-]+\.js)$/.exec(request.url) ?? []
  const type = asset ? 'text/javascript' : 'text/html; charset=utf-8'
  const body = asset ? await readFile(`dist/client/assets/${asset}`) : template.replace('<!--app-->', await render())
  response.writeHead(200, { 'Content-Type': type }).end(body)
}

createServer((request, response) => {
  handle(request, response, () => answer(request, response).catch(() => response.writeHead(404).end()))
}).listen(process.env.PORT ?? 3000)
