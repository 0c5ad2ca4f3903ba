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

export function createDemoMount({ gateway }: { gateway?: FaultyGateway | undefined } = {}): Mount {
  return async ({ database, clock, tokens, phone, mailbox }) => {
    await seedDemo(database, { clients: tokens.clients, users: createUsers({ database, clock }) }, clock())
    const routes = demoRoutes({ database, phone, mailbox })
    if (gateway) routes.route('/demo/gateway', gatewayRoutes(gateway))
    return { routes, authorisation: DEMO_ROUTES }
  }
}
