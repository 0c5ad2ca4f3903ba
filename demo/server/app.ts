// The shop's origin: the lender's checkout and, beside it, the developers' preview. The only file that knows every
// part.
import { Hono } from 'hono'
import { createTenantProxy, inventAddresses } from '../../tenant-proxy/index.ts'
import { assetRoutes } from './assets.ts'
import { createClocks } from './clocks.ts'
import { credentials } from './credentials.ts'
import { createOrders } from './orders.ts'
import { previewRoutes } from './preview-routes.ts'
import { createRecorder } from './recorder.ts'
import { createServiceClient } from './service-client.ts'
import { type DemoEnv, shopRoutes } from './shop-routes.ts'
import { createStageMounts } from './stage-mounts.ts'

export type AppOptions = {
  /** The address at which this process reaches the service. */
  service: string
  /** The address at which browsers do. */
  publicServiceUrl: string
  /** The folder of the built browser files. */
  assets: string
  /** The folder of the widget's. @default the built ones of this package */
  widgetFiles?: string
}

const TENANT = 'demo-lender'
/** People try a demo more often than a lender would let one address ask. */
const LIMITS = { generatesMax: 500, writesMax: 5_000, lookupsMax: 5_000 }

export function createShop({ service, publicServiceUrl, assets, widgetFiles }: AppOptions) {
  const orders = createOrders()
  const proxy = createTenantProxy({
    service,
    publicServiceUrl,
    tenantId: TENANT,
    credentials: credentials[TENANT],
    limits: LIMITS,
    ...(widgetFiles !== undefined && { widgetFiles }),
    findAddresses: inventAddresses,
    externalReference: (request) => orders.find(request),
    onEvent: (event) => {
      if (event.type === 'answered') orders.noteReport(event.creditReportId)
    },
  })
  const clients = {
    'demo-lender': createServiceClient(service, credentials['demo-lender']),
    'other-lender': createServiceClient(service, credentials['other-lender']),
    'empty-lender': createServiceClient(service, credentials['empty-lender']),
  }
  const clocks = createClocks()
  const recorder = createRecorder()
  const stageMounts = createStageMounts({ service, publicServiceUrl, clocks, recorder })

  const app = new Hono<DemoEnv>()
  app.onError((error, context) => {
    console.error(error)
    return context.json({ code: 'internal-error', message: 'Something went wrong in the demo.' }, 500)
  })
  app.use(async (context, next) => {
    await next()
    context.header('X-Content-Type-Options', 'nosniff')
    context.header('Referrer-Policy', 'no-referrer')
  })
  app.route('/', assetRoutes(assets))
  app.route('/', shopRoutes({ publicServiceUrl, proxy, orders, service: clients[TENANT] }))
  app.route('/preview', previewRoutes({ publicServiceUrl, proxy, clients, clocks, recorder, stageMounts }))
  return { fetch: app.fetch, drain: () => proxy.drain() }
}
