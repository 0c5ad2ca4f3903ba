// A check behind a link: a lender without a page and a server of its own sends its customers an address of ours.
import type { Core, Mounted, Plugin } from '../service/plugin.ts'
import { hostedActs } from './acts.ts'
import { createLenderProxies } from './lender-proxy.ts'
import { linkRoutes } from './link-routes.ts'
import { createLinks, type Links } from './links.ts'
import { createMakeLink, type MakeLink } from './make-link.ts'
import { explainSecond, oneCheckMoments, tellLink } from './one-check.ts'
import { hostedRows } from './operations.ts'
import { PAGE_ROUTES, pageRoutes } from './page-routes.ts'
import { deriveHostedKeys, hostedSealed, hostedTables } from './tables.ts'
import { createVisits } from './visits.ts'

export { readPageUrl } from './settings.ts'
export { hostedTables } from './tables.ts'

export type HostedOptions = Pick<Core, 'config' | 'database' | 'clock'> & {
  /** The address at which browsers reach the pages, without a slash at its end. @default the service's own address */
  pageUrl?: string
}

/** `links` and `makeLink` are for the console. */
export type Hosted = Plugin & { links: Links; makeLink: MakeLink }

export function hosted({ config, database, clock, pageUrl = config.publicUrl }: HostedOptions): Hosted {
  const keys = deriveHostedKeys(config.secretKeys)
  const links = createLinks({ config, database, clock, keys, pageUrl })
  const visits = createVisits({ database, clock, keys, secure: pageUrl.startsWith('https:') })
  let make: MakeLink | null = null
  return {
    name: 'hosted',
    links,
    makeLink: (...input) => (make ?? notServed())(...input),
    tables: [hostedTables],
    sealed: hostedSealed,
    on: oneCheckMoments(keys),
    explain: explainSecond,
    timeline: tellLink,
    async serve(core): Promise<Mounted> {
      const proxyOf = createLenderProxies({ ...core, keys, pageUrl })
      make = createMakeLink({ database, links, proxyOf })
      const routes = linkRoutes({ core, links, makeLink: make })
      routes.route('/', pageRoutes({ ...core, keys, links, visits, proxyOf, pageUrl }))
      return { routes, rows: [hostedRows], authorisation: PAGE_ROUTES }
    },
    acts: hostedActs,
    sweeps: () => ({ oldHostedLinks: links.sweep, oldHostedVisits: visits.sweep }),
  }
}

function notServed(): never {
  throw new Error('hosted: no link can be made before the service serves')
}
