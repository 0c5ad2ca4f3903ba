// `npm run dev`: shop, preview and widget straight from their sources, through Vite, with reload; the service from its
// sources too, in a process of its own that is started again when they change. The same ports and addresses as `npm
// start`.
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { join, relative, sep } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { build, createServer } from 'vite'
import { leaveWithNpm } from './leave-with-npm.mjs'
import { root } from './root.mjs'

const HOST = '127.0.0.1'
const SHIMS = join(root, 'node_modules/.cache/dev')
/** The paths that Vite serves; everything else is the shop's. */
const OF_VITE = /^\/(?:@|(?:widget|demo|contract|node_modules)\/)/
const OF_SERVICE = /^(?:service|plugins|hosted|portal|tenant-proxy|openapi|kit|contract|demo\/service|demo\/gateway)\//
/** One save may touch several files. */
const SETTLE_MS = 100

// In place of a built file: the source it is built from, and the client that reloads the page.
const load = (source) => `import('/@vite/client');import('/${source}')`
const shims = {
  'widget/widget.js': load('widget/index.ts'),
  'widget/manifest.json': '{}',
  'assets/shop.js': load('demo/shop/client.ts'),
  'assets/preview.js': load('demo/preview/client.tsx'),
  'assets/host.js': load('demo/host/client.ts'),
  // The styles come with the scripts that import them.
  'assets/shop.css': '',
  'assets/preview.css': '',
  'assets/host.css': '',
}
for (const [file, text] of Object.entries(shims)) {
  mkdirSync(join(SHIMS, file, '..'), { recursive: true })
  writeFileSync(join(SHIMS, file), text)
}

const http = createHttpServer()
const vite = await createServer({
  root,
  appType: 'custom',
  logLevel: 'warn',
  // Found beforehand, so that the first page is not reloaded when they are.
  optimizeDeps: {
    entries: ['widget/index.ts', 'demo/shop/client.ts', 'demo/preview/client.tsx', 'demo/host/client.ts'],
    include: ['preact', 'preact/hooks', 'preact/jsx-dev-runtime', '@preact/signals'],
  },
  server: { middlewareMode: true, hmr: { server: http }, watch: { ignored: ['**/dist/**', '**/.data/**'] } },
})
const { findPort } = await vite.ssrLoadModule('/demo/server/find-port.ts')
const { startService } = await vite.ssrLoadModule('/demo/server/service-process.ts')
const { putAsideOlderData } = await vite.ssrLoadModule('/demo/server/older-data.ts')
const aside = await putAsideOlderData(process.env)
if (aside !== null) console.log(aside)
const servicePort = await findPort(Number(process.env.PORT || 4100), HOST)
const shopPort = await findPort(Number(process.env.SHOP_PORT || 4200), HOST)
const publicServiceUrl = `http://localhost:${servicePort}`

// The shop's own sources are read meanwhile.
let [service] = await Promise.all([buildFingerprintScript().then(start), vite.ssrLoadModule('/demo/server/app.ts')])
let timer
vite.watcher.on('all', (_event, path) => {
  const file = relative(root, path).split(sep).join('/')
  if (!OF_SERVICE.test(file) && !file.startsWith('fingerprint-script/')) return
  clearTimeout(timer)
  timer = setTimeout(() => void restart(file), SETTLE_MS)
})

let shop = null
http.on('request', (request, response) => {
  if (OF_VITE.test(request.url)) vite.middlewares(request, response)
  else void serveShop(request, response)
})
http.listen(shopPort, HOST, () => {
  const address = `http://localhost:${shopPort}`
  console.log(`\n  Shop     ${address}\n  Preview  ${address}/preview\n  Service  ${publicServiceUrl}\n`)
  console.log(
    `  Ready in ${(performance.now() / 1000).toFixed(1)} s. A change of a source shows at once. Ctrl-C stops everything.\n`,
  )
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop())
leaveWithNpm()

async function serveShop(request, response) {
  try {
    const { createShop } = await vite.ssrLoadModule('/demo/server/app.ts')
    if (shop?.create !== createShop) shop = { create: createShop, answer: answerWith(createShop) }
    await shop.answer(request, response)
  } catch (error) {
    vite.ssrFixStacktrace(error)
    console.error(error)
    response.writeHead(500).end(String(error))
  }
}

function answerWith(createShop) {
  const { fetch } = createShop({
    service: `http://${HOST}:${servicePort}`,
    publicServiceUrl,
    assets: join(SHIMS, 'assets'),
    widgetFiles: join(SHIMS, 'widget'),
  })
  return getRequestListener(async (request, environment) => {
    const response = await fetch(request, environment)
    // Vite puts styles into the page, which the shop's own policy would refuse.
    response.headers.delete('Content-Security-Policy')
    return response
  })
}

/** The one thing that is built: the service hands it out as it is, with its hash. */
async function buildFingerprintScript() {
  const changedAtMs = (path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const sources = readdirSync(join(root, 'fingerprint-script')).map((file) => changedAtMs(`fingerprint-script/${file}`))
  if (changedAtMs('dist/fingerprint-script/device.js') > Math.max(...sources)) return
  await build({ root, mode: 'fingerprint-script', logLevel: 'warn' })
}

function start() {
  return startService({
    entry: join(root, 'scripts/dev-service.mjs'),
    url: `http://${HOST}:${servicePort}`,
    environment: {
      RATE_LIMIT_PER_MINUTE: '6000',
      LOG_LEVEL: 'warn',
      PUBLIC_URL: publicServiceUrl,
      DEMO_SHOP_URL: `http://localhost:${shopPort}`,
      ...process.env,
      DEMO: '1',
      HOST,
      PORT: String(servicePort),
    },
    onLine: (line) => line.includes('"event":"serving"') || console.log(line),
  })
}

async function restart(file) {
  console.log(`  ${file} has changed: the service starts again`)
  try {
    if (file.startsWith('fingerprint-script/')) await buildFingerprintScript()
    await service?.stop()
    service = null
    service = await start()
    vite.ws.send({ type: 'full-reload' })
  } catch (error) {
    // Until the next change.
    console.error(error instanceof Error ? error.message : error)
  }
}

async function stop() {
  http.close()
  http.closeAllConnections()
  await Promise.all([service?.stop(), vite.close()])
  process.exit(0)
}
