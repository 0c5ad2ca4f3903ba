// The developers' preview: its pages, its stages, and what its panels ask for.
import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { PROXY_PATH } from '../../contract/tenant-proxy.ts'
import type { TenantProxy } from '../../tenant-proxy/index.ts'
import earlyScript from '../host/early.js?raw'
import hostileCss from '../host/hostile.css?raw'
import { type HostPage, hostPolicy, renderHost } from '../host/page.ts'
import { isPreset } from '../host/presets.ts'
import { journeys } from '../journeys/journeys.ts'
import { PREVIEW_POLICY, renderPreview } from '../preview/page.ts'
import { MoveClock, type Pins } from '../preview/wire.ts'
import { isStageName, STAGES_PATH, type Stage, stageOf } from '../stages.ts'
import type { Clocks } from './clocks.ts'
import type { Recorder } from './recorder.ts'
import type { ServiceClient } from './service-client.ts'
import type { DemoEnv } from './shop-routes.ts'
import type { StageMounts } from './stage-mounts.ts'

export type PreviewParts = {
  publicServiceUrl: string
  /** The shop's own mount: it serves the widget's files. */
  proxy: TenantProxy
  clients: { [tenantId in Stage['tenantId']]: ServiceClient }
  clocks: Clocks
  recorder: Recorder
  stageMounts: StageMounts
}

const STREAM_HEARTBEAT_MS = 15_000

/** Mounted below `/preview`. */
export function previewRoutes(parts: PreviewParts): Hono<DemoEnv> {
  const { publicServiceUrl } = parts
  const routes = new Hono<DemoEnv>()

  routes.get('/', (context) => {
    context.header('Content-Security-Policy', PREVIEW_POLICY)
    return context.html(renderPreview({ publicServiceUrl }))
  })
  routes.get('/host', (context) => {
    const page = readHostPage(new URL(context.req.url).searchParams, publicServiceUrl)
    context.header('Content-Security-Policy', hostPolicy(page))
    context.header('Cache-Control', 'no-store')
    return context.html(renderHost(page))
  })
  routes.get('/early.js', () => text(earlyScript, 'text/javascript; charset=utf-8'))
  routes.get('/hostile.css', () => text(hostileCss, 'text/css; charset=utf-8'))
  routes.get('/journeys.json', (context) => context.json(journeys))
  routes.route('/', panelRoutes(parts))
  return routes
}

/** What the panels show, and the stages whose traffic they show. */
function panelRoutes({ publicServiceUrl, proxy, clients, clocks, recorder, stageMounts }: PreviewParts): Hono<DemoEnv> {
  const routes = new Hono<DemoEnv>()
  const clientOf = (stage: string | undefined) => clients[tenantOf(stage)]

  const below = STAGES_PATH.replace('/preview', '')
  routes.all(`${below}/:stage/*`, async ({ req, env, notFound }) => {
    const stage = req.param('stage')
    if (!isStageName(stage)) return notFound()
    const { socket } = env.incoming
    const visitor = { remoteAddress: socket.remoteAddress, hangUp: () => socket.destroy() }
    return (await stageMounts.visit(stage, req.raw, visitor)) ?? notFound()
  })

  routes.get('/stream', (context) => {
    let lastId = Number(context.req.header('Last-Event-ID') ?? context.req.query('since') ?? 0) || 0
    return streamSSE(context, async (stream) => {
      while (!stream.aborted) {
        for (const exchange of recorder.since(lastId)) {
          lastId = exchange.id
          await stream.writeSSE({ id: String(exchange.id), data: JSON.stringify(exchange) })
        }
        const hasNews = await recorder.waitForNews(lastId, STREAM_HEARTBEAT_MS)
        if (!hasNews) await stream.write(': still here\n\n')
      }
    })
  })

  routes.post('/clock', async (context) => {
    const { stage, seconds } = MoveClock.parse(await context.req.json())
    const tenantId = tenantOf(stage)
    await clients[tenantId].moveClock(seconds)
    clocks.advance(tenantId, seconds)
    return context.json({ tenantId, seconds })
  })

  routes.get('/wallet', async (context) => {
    const client = clientOf(context.req.query('stage'))
    const [wallet, { lines }] = await Promise.all([client.getWallet(), client.getWalletLines({ limit: '200' })])
    return context.json({ wallet, lines })
  })

  routes.get('/receipt', async (context) => {
    const { stage, creditReportId = '' } = context.req.query()
    const { lines } = await clientOf(stage).getWalletLines({ creditReportId, limit: '200' })
    return context.json(lines.toReversed())
  })

  routes.get('/texts', async (context) => {
    const { creditReportId } = context.req.query()
    const texts = await clients['demo-lender'].listTexts()
    return context.json(texts.filter((sms) => sms.creditReportId === creditReportId))
  })

  routes.get('/doctor', async (context) => {
    const stage = context.req.query('stage') ?? ''
    return context.json(await (isStageName(stage) ? stageMounts.doctor(stage) : proxy.doctor()))
  })

  routes.get('/pins', async (context) => context.json(await findPins(publicServiceUrl, proxy)))
  return routes
}

function readHostPage(query: URLSearchParams, publicServiceUrl: string): HostPage {
  const preset = query.get('preset') ?? ''
  return {
    publicServiceUrl,
    endpoint: query.get('endpoint') ?? PROXY_PATH,
    preset: isPreset(preset) ? preset : 'plain',
    fingerprint: query.get('fingerprint') === 'blocked' ? 'blocked' : 'allowed',
    direction: query.get('dir') === 'rtl' ? 'rtl' : 'ltr',
  }
}

function tenantOf(stage: string | undefined): Stage['tenantId'] {
  return stage !== undefined && isStageName(stage) ? stageOf(stage).tenantId : 'demo-lender'
}

async function findPins(publicServiceUrl: string, proxy: TenantProxy): Promise<Pins> {
  const address = `${publicServiceUrl}/v1/fingerprints/device`
  const script = await (await fetch(address)).text()
  const digest = createHash('sha384').update(script).digest()
  return {
    publicServiceUrl,
    widget: { src: `${PROXY_PATH}/widget.js`, integrity: proxy.integrity() },
    fingerprint: {
      src: `${address}@${digest.toString('base64url').slice(0, 16)}`,
      integrity: `sha384-${digest.toString('base64')}`,
    },
  }
}

function text(body: string, type: string): Response {
  return new Response(body, { headers: { 'Content-Type': type, 'Cache-Control': 'no-cache' } })
}
