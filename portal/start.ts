import { hosted } from '../hosted/index.ts'
import { readPageUrl } from '../hosted/settings.ts'
import { hostedTables } from '../hosted/tables.ts'
import type { Environment } from '../kit/setting-reader.ts'
import { findSettingObstacles, refuse, requireNoObstacles, serviceChecks } from '../plugins/admin/production-checks.ts'
import { createAllPlugins } from '../plugins/all.ts'
import { createProviders, simulatedProviders } from '../plugins/live-providers/create-providers.ts'
import { createMetrics } from '../plugins/metrics/metrics.ts'
import { openDatabase } from '../plugins/postgres/open-database.ts'
import type { PluginSettings } from '../plugins/settings.ts'
import { pluginTables } from '../plugins/tables.ts'
import type { Config } from '../service/config.ts'
import type { Log } from '../service/log.ts'
import type { Plugin } from '../service/plugin.ts'
import { createSimulatedPhone } from '../service/providers/simulated/simulated.ts'
import { type RunningService, type StartOptions, startService } from '../service/start.ts'
import type { Database } from '../service/store/database.ts'
import { createSmtpMail, type Mail } from './identity/mail.ts'
import { createPortal, type PortalOptions } from './portal.ts'
import { portalChecks } from './preflight.ts'
import { readExternalProvider } from './settings.ts'
import { portalTables } from './tables.ts'

type FullConfig = Config & PluginSettings

export type PortalStartOptions = {
  config: FullConfig
  log: Log
  environment: Environment
  /** Beside the others. @default none */
  plugins?: readonly Plugin[]
  /** Takes mail where no mail server is set. @default none is sent */
  mailbox?: Mail
} & Pick<StartOptions, 'providers' | 'phone'> &
  Pick<PortalOptions, 'publicClients' | 'links'>

/** The service with every plugin and its portal, on one socket. */
export function startWithPortal(options: PortalStartOptions): Promise<RunningService> {
  const { config, log, environment, mailbox = null, publicClients = [], links = [], plugins: more = [] } = options
  const externalProvider = readExternalProvider(environment, config)
  const metrics = createMetrics({ process: true })
  const phone = options.phone ?? createSimulatedPhone(Date.now)
  const { bureaus, publicUrl } = config
  const providers = createProviders({ settings: config.providers, bureaus, publicUrl, phone, log })
  // Also without NODE_ENV, as a server that was set up in a hurry runs; `development` and the demo mean it.
  if (!config.demo && environment.NODE_ENV !== 'development')
    for (const provider of simulatedProviders(config.providers)) log.warn('provider is simulated', { provider })
  return startService({
    config,
    log,
    phone,
    telemetry: metrics,
    openDatabase: (_location, opening) => openDatabase(config, opening),
    tables: [...pluginTables, hostedTables, ...portalTables, ...more.flatMap(({ tables = [] }) => tables)],
    providers: { ...providers, ...options.providers },
    ...(config.production && { check: (database: Database | null) => requireFit(config, database) }),
    createPlugins(parts) {
      const { plugins, webhooks, stats, refusals } = createAllPlugins({ ...parts, settings: config, metrics })
      const pages = hosted({ ...parts, pageUrl: readPageUrl(environment, config) })
      const mail = config.mail === null ? mailbox : createSmtpMail(config.mail)
      const own = { sender: webhooks.sender, versions: stats.versions, refusals, hosted: pages, mail }
      return [...plugins, pages, createPortal({ externalProvider, publicClients, links, ...own }), ...more]
    },
  })
}

/** Refuses to start with a fault that an installation for real people must not have. */
async function requireFit(config: FullConfig, database: Database | null): Promise<void> {
  refuse(findSettingObstacles(config))
  if (database !== null) await requireNoObstacles([...serviceChecks, ...portalChecks], { config, database })
}
