// The settings of plugins, read with the core's and before them: the core's reading may write a file, and a wrong
// setting should leave nothing behind.
import { isLoopbackHost } from '../kit/network.ts'
import { ConfigError, createSettingReader, type Environment } from '../kit/setting-reader.ts'
import { type Config, readConfig as readCoreConfig } from '../service/config.ts'
import { readTextSettings, type TextSettings } from './limits/text-settings.ts'
import { type ProviderSettings, readProviderSettings } from './live-providers/settings.ts'
import { type MailSettings, readMailSettings } from './mail-settings.ts'

export type PluginSettings = {
  /** The providers of risk, match, bureaus and texts. */
  providers: ProviderSettings
  /** The limits on texts, and their destinations. */
  texts: TextSettings
  /** Null: no mail is sent. */
  mail: MailSettings | null
  /** Providers that may stay simulated in production. */
  allowSimulated: readonly string[]
}

/** Throws `ConfigError` on the first bad one. */
export function readPluginSettings(environment: Environment): PluginSettings {
  const read = createSettingReader(environment)
  const production = read.string('NODE_ENV', '') === 'production'
  const providers = readProviderSettings(read, { production })
  const mail = readMailSettings(read)
  if (read.flag('DEMO') && !production) refuseLiveProviders(providers, mail)
  return {
    providers,
    mail,
    texts: readTextSettings(read),
    allowSimulated: read.as(
      'ALLOW_SIMULATED',
      'names out of risk, match, bureau and sms with commas between them',
      parseSimulated,
      [],
    ),
  }
}

/** Every setting there is. */
export function readConfig(environment: Environment): Config & PluginSettings {
  const settings = readPluginSettings(environment)
  return { ...readCoreConfig(environment), ...settings }
}

/** The demo's tenants have public secrets, with which no real money may be spent. */
function refuseLiveProviders({ bureau, risk, match, sms }: ProviderSettings, mail: MailSettings | null): void {
  const live = {
    BUREAU_URL: bureau,
    RISK_URL: risk,
    MATCH_URL: match === 'simulated' ? null : match,
    SMS_URL: sms,
    SMTP_URL: mail,
  }
  for (const [name, settings] of Object.entries(live)) {
    if (settings === null || isLoopbackHost(new URL(settings.url).hostname)) continue
    throw new ConfigError(`DEMO: expected no live provider beside it, got ${name}; unset one of them`)
  }
}

const PROVIDER_NAMES = ['risk', 'match', 'bureau', 'sms']

function parseSimulated(given: string): readonly string[] | null {
  const names = given.split(',').map((part) => part.trim())
  return names.every((name) => PROVIDER_NAMES.includes(name)) ? names : null
}
