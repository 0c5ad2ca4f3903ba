// `npm start`: the service in a process of its own, the shop and the preview in this one, until Ctrl-C.
import { fileURLToPath } from 'node:url'
import { serve } from '@hono/node-server'
import { createShop } from './server/app.ts'
import { findPort } from './server/find-port.ts'
import { putAsideOlderData } from './server/older-data.ts'
import { startService } from './server/service-process.ts'

const HOST = '127.0.0.1'
/** Playing every journey at once takes more requests a minute than a lender's own limit allows. */
const RATE_LIMIT_PER_MINUTE = '6000'

const environment = process.env
const isTalkative = environment.LOG_LEVEL !== undefined

await start().catch((error: unknown) => {
  console.error(`npm start: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
})

async function start(): Promise<void> {
  const aside = await putAsideOlderData(environment)
  if (aside !== null) console.log(aside)
  const servicePort = await choosePort('PORT', 4100, 'the service')
  const shopPort = await choosePort('SHOP_PORT', 4200, 'the shop', servicePort)
  const service = `http://${HOST}:${servicePort}`
  const publicServiceUrl = `http://localhost:${servicePort}`

  let isUp = false
  const child = await startService({
    entry: fileURLToPath(new URL('demo-service.js', import.meta.url)),
    url: service,
    environment: {
      RATE_LIMIT_PER_MINUTE,
      LOG_LEVEL: 'warn',
      PUBLIC_URL: publicServiceUrl,
      DEMO_SHOP_URL: `http://localhost:${shopPort}`,
      ...environment,
      DEMO: '1',
      HOST,
      PORT: String(servicePort),
    },
    // Its output before it serves is shown when it fails; its address is printed with the others.
    onLine: (line) => (isUp || isTalkative) && !line.includes('"event":"serving"') && console.log(line),
  })
  isUp = true
  const shop = createShop({ service, publicServiceUrl, assets: fileURLToPath(new URL('../demo', import.meta.url)) })
  const server = serve({ fetch: shop.fetch, hostname: HOST, port: shopPort })
  server.once('error', (error) => stop(1, `the shop cannot listen on port ${shopPort} (${error.message})`))
  server.once('listening', () => printAddresses(shopPort, publicServiceUrl))

  let isStopping = false
  async function stop(exitCode: number, why?: string): Promise<void> {
    // A person who presses Ctrl-C twice means it.
    if (isStopping) process.exit(1)
    isStopping = true
    if (why !== undefined) console.error(`npm start: ${why}`)
    server.close()
    if ('closeAllConnections' in server) server.closeAllConnections()
    await Promise.all([shop.drain(), child.stop()])
    process.exit(exitCode)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0))
  child.ended.then((code) => {
    if (!isStopping) void stop(1, `the service stopped by itself (exit code ${code})`)
  })
}

async function choosePort(variable: string, fallback: number, what: string, promised?: number): Promise<number> {
  const wanted = Number(environment[variable] || fallback)
  if (!Number.isInteger(wanted) || wanted < 0 || wanted > 65_535) {
    throw new Error(
      `${variable}: expected a whole number from 0 to 65535, got ${JSON.stringify(environment[variable])}`,
    )
  }
  const port = await findPort(wanted, HOST, promised)
  if (port !== wanted && wanted !== 0) {
    console.log(`Port ${wanted} is taken, so ${what} uses ${port}. (${variable}=… chooses another.)`)
  }
  return port
}

function printAddresses(shopPort: number, publicServiceUrl: string): void {
  const shop = `http://localhost:${shopPort}`
  console.log(
    [
      '',
      `  Shop           ${shop}`,
      `  Preview        ${shop}/preview`,
      `  Service        ${publicServiceUrl}`,
      `  API reference  ${publicServiceUrl}/docs`,
      `  Console        ${publicServiceUrl}/console (sam@demo-lender.example, demo-password)`,
      '',
      '  Ctrl-C stops everything.',
      '',
    ].join('\n'),
  )
}
