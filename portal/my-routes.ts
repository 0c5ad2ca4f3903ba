// What a caller may know about itself.
import { Hono } from 'hono'
import type { Tenant } from '../contract/account.ts'
import { portalOperations } from '../openapi/portal-operations.ts'
import { forbidden } from '../service/http/access.ts'
import type { Caller } from '../service/http/caller.ts'
import type { ServiceEnv } from '../service/http/context.ts'
import { serve } from '../service/http/serve.ts'
import type { Queries } from '../service/store/database.ts'
import { profileOf, type Users } from './users.ts'

export function myRoutes({ database, users }: { database: Queries; users: Users }): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()

  async function tenantsOf(caller: Caller): Promise<Tenant[]> {
    if (caller.kind === 'user') return (await users.listTenants(caller.userId)).map(({ id, name }) => ({ id, name }))
    const row = await database.first<{ id: string; name: string }>(
      'SELECT id, name FROM tenant WHERE id = ?',
      caller.tenantIds[0],
    )
    return row === null ? [] : [row]
  }

  serve(routes, portalOperations.getProfile, async (context) => {
    const caller = context.get('caller')
    const user = caller.kind === 'user' ? await users.find(caller.userId) : null
    if (user === null) throw forbidden()
    return context.json(profileOf(user))
  })

  serve(routes, portalOperations.listTenants, async (context) => context.json(await tenantsOf(context.get('caller'))))

  serve(routes, portalOperations.selectTenant, async (context, { tenantId }) => {
    const caller = context.get('caller')
    // A machine has one tenant and nothing to remember.
    const selected =
      caller.kind === 'user'
        ? await users.selectTenant(caller.userId, tenantId)
        : (await tenantsOf(caller)).find(({ id }) => id === tenantId)
    if (!selected) throw forbidden()
    return context.json(selected)
  })

  return routes
}
