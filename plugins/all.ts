// Every plugin, as `npm run service` runs them. The one file that knows them all.
import { deriveKeys } from '../service/keys.ts'
import type { Plugin } from '../service/plugin.ts'
import type { PluginParts } from '../service/start.ts'
import { audit } from './audit/index.ts'
import { clients } from './clients/index.ts'
import { limits } from './limits/index.ts'
import { liveProviders } from './live-providers/index.ts'
import { lookUp } from './look-up/index.ts'
import { metricsPlugin } from './metrics/index.ts'
import { createMetrics, type Metrics } from './metrics/metrics.ts'
import { people } from './people/index.ts'
import { refusals } from './refusals/index.ts'
import type { PluginSettings } from './settings.ts'
import { statement } from './statement/index.ts'
import { readSpending } from './statement/statement.ts'
import { stats } from './stats/index.ts'
import { webhooks } from './webhooks/index.ts'
import { webhookRulesOf } from './webhooks/target.ts'

export type AllOptions = PluginParts & {
  settings: PluginSettings
  /** @default new ones, without the process's own */
  metrics?: Metrics
}

/** `webhooks`, `stats` and `refusals` are for the console. */
export function createAllPlugins({ settings, metrics = createMetrics(), ...parts }: AllOptions) {
  const { config, database } = parts
  const keys = deriveKeys(config.secretKeys)
  const hooks = webhooks({ ...parts, keys: keys.webhooks, rules: webhookRulesOf(config), telemetry: metrics })
  const figures = stats({ ...parts, readSpending })
  const refused = refusals(parts)
  const { providers, texts } = settings
  const isLive = { isBureauLive: providers.bureau !== null, isSmsLive: providers.sms !== null }
  const plugins: readonly Plugin[] = [
    limits({ ...parts, indexes: keys.indexes, texts, ...isLive }),
    people({ ...parts, keys, telemetry: metrics }),
    statement({ ...parts, telemetry: metrics }),
    hooks,
    audit(parts),
    figures,
    refused,
    lookUp,
    clients,
    liveProviders(providers),
    metricsPlugin({ config, database, clock: parts.clock, metrics }),
  ]
  return { plugins, metrics, webhooks: hooks, stats: figures, refusals: refused.kept }
}
