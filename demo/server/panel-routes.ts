// The requests of the preview's panels, and the stages whose traffic they show.
import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { PAGE_SIZE_MAX } from '../../contract/limits.ts'
import { read, writeProblems } from '../../contract/problems.ts'
import { PROXY_PATH } from '../../contract/proxy-path.ts'
import type { TenantProxy } from '../../tenant-proxy/index.ts'
import { MoveClock, type Pins } from '../preview/wire.ts'
import { isStageName, STAGES_PATH, type Stage, stageOf } from '../stages.ts'
import type { Clocks } from './clocks.ts'
import type { Recorder } from './recorder.ts'
import type { ServiceClient } from './service-client.ts'
import type { DemoEnv } from './shop-routes.ts'
import type { StageMounts } from './stage-mounts.ts'

export type PanelOptions = {
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
export function panelRoutes({
  publicServiceUrl,
  proxy,
  clients,
  clocks,
  recorder,
  stageMounts,
}: PanelOptions): Hono<DemoEnv> {
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
    const reading = read(MoveClock, await context.req.json().catch(() => null))
    if (!reading.ok) {
      return context.json({ code: 'validation-error', message: writeProblems(reading.problems) }, 400)
    }
    const { stage, seconds } = reading.value
    const tenantId = tenantOf(stage)
    await clients[tenantId].moveClock(seconds)
    clocks.advance(tenantId, seconds)
    return context.json({ tenantId, seconds })
  })

  routes.get('/wallet', async (context) => {
    const client = clientOf(context.req.query('stage'))
    const [wallet, { lines }] = await Promise.all([client.wallet(), client.walletLines({ limit: PAGE_SIZE_MAX })])
    return context.json({ wallet, lines })
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
