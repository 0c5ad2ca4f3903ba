// Test support: the handler with every plugin, the portal and the demo, as a process of the demo puts them together.
import { createMailbox } from '../demo/service/mailbox.ts'
import { createDemoPlugin } from '../demo/service/mount.ts'
import { hosted } from '../hosted/index.ts'
import type { Clock } from '../kit/clock.ts'
import { createAllPlugins } from '../plugins/all.ts'
import { createProviders } from '../plugins/live-providers/create-providers.ts'
import { createMetrics, type Metrics } from '../plugins/metrics/metrics.ts'
import type { PluginSettings } from '../plugins/settings.ts'
import { createSmtpMail } from '../portal/identity/mail.ts'
import { createPortal, type PortalOptions } from '../portal/portal.ts'
import type { Config } from '../service/config.ts'
import { createHandler, type HandlerOptions } from '../service/handler.ts'
import { createSimulatedPhone } from '../service/providers/simulated/simulated.ts'

type CreateOptions = Omit<HandlerOptions, 'config' | 'telemetry'> & {
  config: Config & PluginSettings
  metrics?: Metrics
  portal?: Partial<PortalOptions>
  /** The address of the demo's shop. @default none */
  shop?: string | undefined
}

export async function createApp({ config, metrics = createMetrics(), portal = {}, shop, ...options }: CreateOptions) {
  const { database, log } = options
  const clock: Clock = options.clock ?? Date.now
  const phone = options.phone ?? createSimulatedPhone(clock)
  const { bureaus, publicUrl, providers: settings } = config
  const providers = { ...createProviders({ settings, bureaus, publicUrl, phone, log }), ...options.providers }
  const all = createAllPlugins({ config, database, clock, log, settings: config, metrics })
  const pages = hosted({ config, database, clock })
  const mailbox = createMailbox(clock)
  const own = createPortal({
    hosted: pages,
    sender: all.webhooks.sender,
    versions: all.stats.versions,
    refusals: all.refusals,
    mail: config.mail === null ? (config.demo ? mailbox : null) : createSmtpMail(config.mail),
    ...portal,
  })
  const plugins = [...all.plugins, pages, own, createDemoPlugin({ mailbox, shop })]
  const app = await createHandler({ ...options, config, telemetry: metrics, phone, providers }, plugins)
  return { ...app, webhooks: all.webhooks.sender, stats: all.stats.counters }
}
