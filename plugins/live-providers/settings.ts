// The providers of an installation. Nothing set: simulated ones, in this process.
import { isLoopbackHost } from '../../kit/network.ts'
import type { SettingReader } from '../../kit/setting-reader.ts'
import { type ConfiguredGateway, SMS_GATEWAYS, SMS_KINDS } from './sms-gateways.ts'

export type ProviderSettings = {
  /** Null: simulated. */
  bureau: HttpSettings | null
  /** Null: simulated. */
  risk: HttpSettings | null
  /** Null: there is none, and nothing is said about numbers. */
  match: HttpSettings | 'simulated' | null
  /** Null: simulated. */
  sms: ConfiguredGateway | null
}

type HttpSettings = { url: string; token: string }

const TOKEN_BYTES_MIN = 8
const MATCH_PROVIDERS = ['none', 'simulated', 'http'] as const

export function readProviderSettings(read: SettingReader, { production }: { production: boolean }): ProviderSettings {
  return {
    bureau: readHttp(read, production, 'BUREAU'),
    risk: readHttp(read, production, 'RISK'),
    match: readMatch(read, production),
    sms: readSms(read, production),
  }
}

function readHttp(read: SettingReader, production: boolean, name: 'BUREAU' | 'RISK' | 'MATCH'): HttpSettings | null {
  const url = readUrl(read, production, `${name}_URL`)
  if (url === null) return null
  const token = read.secret(`${name}_TOKEN`, TOKEN_BYTES_MIN)
  return { url, token: read.needed(token, `${name}_TOKEN`, `${name}_URL is set`) }
}

function readMatch(read: SettingReader, production: boolean): ProviderSettings['match'] {
  const kind = read.oneOf('MATCH_PROVIDER', MATCH_PROVIDERS, 'none')
  if (kind !== 'http') return kind === 'simulated' ? kind : null
  return read.needed(readHttp(read, production, 'MATCH'), 'MATCH_URL', 'MATCH_PROVIDER is http')
}

function readSms(read: SettingReader, production: boolean): ConfiguredGateway | null {
  const kind = read.oneOf('SMS_PROVIDER', ['simulated', ...SMS_KINDS], 'simulated')
  if (kind === 'simulated') return null
  const because = `SMS_PROVIDER is ${kind}`
  const needed = <T>(value: T | null, name: string) => read.needed(value, name, because)
  // Receipts go there, and without receipts no text is ever charged. A developer's gateway reaches this machine by
  // itself.
  if (production) needed(read.string('PUBLIC_URL', '') || null, 'PUBLIC_URL')
  const from = needed(read.string('SMS_FROM', '') || null, 'SMS_FROM')
  const gateway = SMS_GATEWAYS[kind]({
    url: readUrl(read, production, 'SMS_URL'),
    from,
    secret: (name, bytesMin) => needed(read.secret(name, bytesMin), name),
    needed,
  })
  const others = read.string('SMS_NUMBERS', '')
  const numbers = [from, ...others.split(/[\s,]+/).filter(Boolean)]
  return { kind, from, numbers, ...gateway }
}

/** Names, birthdays and codes travel there: in production only over https, or to this very machine. */
function readUrl(read: SettingReader, production: boolean, name: string): string | null {
  const expected = production
    ? 'an address that begins with https://'
    : 'an address that begins with https:// or http://'
  return read.as(
    name,
    expected,
    (given) => {
      if (!URL.canParse(given)) return null
      const { protocol, hostname, username, password, search, hash } = new URL(given)
      const isSafe = protocol === 'https:' || (protocol === 'http:' && (!production || isLoopbackHost(hostname)))
      const isPlain = [username, password, search, hash].every((part) => part === '')
      return isSafe && isPlain ? given.replace(/(?<!\/)\/+$/, '') : null
    },
    null,
  )
}
