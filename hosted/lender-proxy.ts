// The tenant proxy of each lender and mode, in this process: its requests go to the handler beside it, with a token
// that the core mints for the lender's built-in client `{tenantId}-hosted`. That client has no secret, so nothing else
// can obtain one; revoked, it ends every page.
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { LinkStart } from '../contract/link.ts'
import { createBoundedMap } from '../kit/bounded-map.ts'
import type { Core } from '../service/plugin.ts'
import { USUAL_SCOPES } from '../service/tokens/clients.ts'
import { TOKEN_LIFETIME_SECONDS } from '../service/tokens/signing-keys.ts'
import type { ProxyEvent } from '../tenant-proxy/events.ts'
import { createTenantProxy, type TenantProxy } from '../tenant-proxy/tenant-proxy.ts'
import { clientIdOf, type Link } from './links.ts'
import type { HostedKeys } from './tables.ts'

/** The mount of each proxy, as it sees its requests; browsers see another address. */
export const MOUNT = '/hosted'
/** Lenders times modes that are kept ready. */
const PROXIES_MAX = 500

type ProxyOptions = Pick<Core, 'config' | 'clock' | 'log' | 'tokens' | 'fetch'> & { keys: HostedKeys; pageUrl: string }
export type LenderProxies = (link: Pick<Link, 'tenant_id' | 'test'>) => TenantProxy

export function createLenderProxies({ config, clock, log, tokens, fetch, keys, pageUrl }: ProxyOptions): LenderProxies {
  const proxies = createBoundedMap<TenantProxy>(PROXIES_MAX)

  /** Every call of a proxy: the token from the core, and all else from the handler. */
  async function answer(tenantId: string, request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname === '/v1/oauth/token') {
      const client = { id: clientIdOf(tenantId), tenantId, scopes: USUAL_SCOPES }
      const access_token = await tokens.accessTokens.issue(client, USUAL_SCOPES)
      return Response.json({ access_token, token_type: 'Bearer', expires_in: TOKEN_LIFETIME_SECONDS })
    }
    return fetch(request)
  }

  function create(tenantId: string, test: boolean): TenantProxy {
    const serviceUrl = config.publicUrl
    return createTenantProxy({
      service: serviceUrl,
      tenantId,
      credentials: { clientId: clientIdOf(tenantId), clientSecret: 'in this process' },
      cookieSecret: keys.cookies.map((key) => Buffer.from(key).toString('base64url')),
      path: MOUNT,
      origins: [new URL(pageUrl).origin],
      test,
      bureaus: config.bureaus,
      secureCookies: true,
      doctor: false,
      clock,
      fetch: (url, options) => answer(tenantId, new Request(url, options)),
      externalReference: (_request, { hostRequest }) => (hostRequest as Link).external_reference ?? undefined,
      onEvent: (event) => note(event, { tenantId, test }),
    })
  }

  /** Test mode in production is a lender's choice here, and made for each link. */
  function note(event: ProxyEvent, about: { tenantId: string; test: boolean }): void {
    if (event.type === 'misconfigured' && !about.test) log.warn(`hosted page: ${event.problem}`, about)
  }

  return ({ tenant_id: tenantId, test }) => {
    const name = `${test} ${tenantId}`
    const known = proxies.get(name)
    if (known) return known
    const made = create(tenantId, test === 1)
    proxies.set(name, made)
    return made
  }
}

/**
 * The start of the page's widget for a known applicant. Throws a `TypeError` that names the field no check could begin
 * with.
 */
export function beginWith(
  proxy: TenantProxy,
  { person, addresses }: LinkStart,
  externalReference: string | null = null,
): string {
  return proxy.begin({
    ...(person && { person }),
    ...(addresses && { addresses }),
    ...(externalReference !== null && { externalReference }),
  })
}

/** As the package carries them; null where the widget was not built. */
export function findWidgetFiles(): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve('credit-report-service/widget.js'))
  } catch {
    return null
  }
}
