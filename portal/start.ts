import type { Environment } from '../service/setting-reader.ts'
import { type RunningService, type StartOptions, startService } from '../service/start.ts'
import { createPortal, type PortalOptions } from './portal.ts'
import { portalChecks } from './preflight.ts'
import { readExternalProvider } from './settings.ts'
import { portalTables } from './tables.ts'

export type PortalStartOptions = StartOptions & { environment: Environment } & Pick<
    PortalOptions,
    'publicClients' | 'links'
  >

/** The service and its portal on one socket. */
export function startWithPortal({
  environment,
  publicClients = [],
  links = [],
  ...options
}: PortalStartOptions): Promise<RunningService> {
  const externalProvider = readExternalProvider(environment, options.config)
  const { mounts = [], tables = [] } = options
  return startService({
    ...options,
    tables: [...portalTables, ...tables],
    checks: portalChecks,
    mounts: [createPortal({ externalProvider, publicClients, links }), ...mounts],
  })
}
