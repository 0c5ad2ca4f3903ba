// What `DEMO=1` adds to the service: known tenants and people, and routes that show texts, move clocks and spoil providers.
import { createUsers } from '../../portal/users.ts'
import type { Mount } from '../../service/app.ts'
import type { AuthorisationTable } from '../../service/http/protect.ts'
import type { FaultyGateway } from '../gateway/gateway.ts'
import { gatewayRoutes } from '../gateway/routes.ts'
import { demoRoutes } from './routes.ts'
import { seedDemo } from './seed.ts'

export const DEMO_ROUTES: AuthorisationTable = {
  'GET /demo/sms': { who: 'anyone' },
  'GET /demo/mail': { who: 'anyone' },
  'POST /demo/clock': { who: 'caller' },
  'GET /demo/gateway': { who: 'anyone' },
  'POST /demo/gateway': { who: 'caller' },
}

type DemoMountOptions = {
  gateway?: FaultyGateway | undefined
  /** Where the demo's shop is: a new database then gets a past as well. @default none */
  shop?: string | undefined
}

export function createDemoMount({ gateway, shop }: DemoMountOptions = {}): Mount {
  return async ({ config, database, clock, keys, tokens, phone, mailbox }) => {
    const { bureaus } = config
    const past = shop ? { prices: config, bureaus, webhookUrl: `${shop}/webhooks`, keys: keys.webhooks } : null
    await seedDemo(
      database,
      { clients: tokens.clients, users: createUsers({ database, clock }) },
      { past, nowMs: clock() },
    )
    const routes = demoRoutes({ database, phone, mailbox })
    if (gateway) routes.route('/demo/gateway', gatewayRoutes(gateway))
    return { routes, authorisation: DEMO_ROUTES }
  }
}
