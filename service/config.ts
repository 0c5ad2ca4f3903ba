// Every environment variable the service knows, read once and checked before anything starts.
import { BUREAUS } from '../contract/credit-report.ts'
import { loadSecretKey, SECRET_KEY_BYTES_MIN } from './secret-key.ts'

export type Config = {
  production: boolean
  host: string
  port: number
  /** `postgres://…`; null keeps everything in an SQLite file below `dataDir`. */
  databaseUrl: string | null
  dataDir: string
  /** Seeds the demo tenants and opens `/demo/*`. Never in production. */
  demo: boolean
  challengeLifetimeMs: number
  rateLimitPerMinute: number
  reportPriceCredits: number
  smsPriceCredits: number
  /** The bureaus this installation can query, in the order they are offered. */
  bureaus: readonly string[]
  /** The root of every derived key. */
  secretKey: Uint8Array
  /** Where the world reaches this service, without a trailing slash; also the issuer of its tokens. */
  publicUrl: string
  /** How many proxies in front of the service add to `X-Forwarded-For`; 0 trusts nothing but the socket. */
  trustedHops: number
  /** Lets a scraper read `/metrics` from elsewhere; null answers on loopback only. */
  metricsToken: string | null
  /** How long a report and the consumer's details are kept. */
  reportRetentionMs: number
  logLevel: LogLevel
}

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export type Environment = { readonly [name: string]: string | undefined }

/** One line that names the variable, what it should be and what it was. Never shows a secret. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ConfigError'
  }
}

/** Reads the settings; throws `ConfigError` on the first bad one. Creates the secret key's file when it may. */
export function readConfig(environment: Environment): Config {
  const read = reader(environment)
  const production = read.text('NODE_ENV', '') === 'production'
  const demo = read.flag('DEMO')
  if (demo && production) {
    throw new ConfigError(
      'DEMO: expected to be unset when NODE_ENV is production (it opens routes and seeds known secrets), got "1"',
    )
  }
  const host = read.text('HOST', '127.0.0.1')
  const port = read.whole('PORT', 4100, { min: 0, max: 65_535 })
  const dataDir = read.text('DATA_DIR', './.data')
  return {
    production,
    demo,
    host,
    port,
    dataDir,
    databaseUrl: read.url('DATABASE_URL', ['postgres:', 'postgresql:'], { secret: true }),
    challengeLifetimeMs: read.whole('CHALLENGE_TTL_SECONDS', 300, { min: 1, max: 86_400 }) * 1000,
    rateLimitPerMinute: read.whole('RATE_LIMIT_PER_MINUTE', 60, { min: 1, max: 100_000_000 }),
    reportPriceCredits: read.whole('REPORT_PRICE_CREDITS', 500, { min: 0, max: 1_000_000_000 }),
    smsPriceCredits: read.whole('SMS_PRICE_CREDITS', 40, { min: 0, max: 1_000_000_000 }),
    bureaus: read.names('BUREAUS', BUREAUS),
    publicUrl: read.url('PUBLIC_URL', ['https:', 'http:'])?.replace(/\/+$/, '') ?? `http://${urlHost(host)}:${port}`,
    trustedHops: read.whole('TRUSTED_HOPS', 0, { min: 0, max: 10 }),
    metricsToken: read.secret('METRICS_TOKEN', 16),
    reportRetentionMs: read.whole('REPORT_RETENTION_DAYS', 30, { min: 1, max: 3_650 }) * 86_400_000,
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    // Last, because it may write a file: a wrong setting elsewhere should leave nothing behind.
    secretKey: secretKey(read.secret('SECRET_KEY', SECRET_KEY_BYTES_MIN), { production, dataDir }),
  }
}

function secretKey(
  given: string | null,
  { production, dataDir }: { production: boolean; dataDir: string },
): Uint8Array {
  if (given !== null) return Buffer.from(given, 'utf8')
  if (production) {
    throw new ConfigError(
      `SECRET_KEY: expected at least ${SECRET_KEY_BYTES_MIN} bytes in production (for example from "openssl rand -base64 48"), got nothing`,
    )
  }
  try {
    return loadSecretKey(dataDir)
  } catch (error) {
    throw new ConfigError(
      `DATA_DIR: expected a folder that can keep the secret key, got "${dataDir}" (${reasonOf(error)})`,
    )
  }
}

/** The ways a variable can be read. An empty one counts as unset, as shells and compose files write it. */
function reader(environment: Environment) {
  const given = (name: string) => environment[name]?.trim() || null
  const refuse = (name: string, expected: string, value: string) =>
    new ConfigError(`${name}: expected ${expected}, got ${value}`)

  return {
    text: (name: string, fallback: string): string => given(name) ?? fallback,

    flag(name: string): boolean {
      const value = given(name)
      if (value === null || value === '0') return false
      if (value === '1') return true
      throw refuse(name, '1 or 0', show(value))
    },

    whole(name: string, fallback: number, { min, max }: { min: number; max: number }): number {
      const value = given(name)
      if (value === null) return fallback
      const parsed = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
      if (parsed >= min && parsed <= max) return parsed
      throw refuse(name, `a whole number from ${min} to ${max}`, show(value))
    },

    oneOf<Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice {
      const value = given(name)
      if (value === null) return fallback
      const choice = choices.find((candidate) => candidate === value)
      if (choice !== undefined) return choice
      throw refuse(name, `one of ${choices.join(', ')}`, show(value))
    },

    names(name: string, fallback: readonly string[]): readonly string[] {
      const value = given(name)
      if (value === null) return fallback
      const names = value.split(',').map((part) => part.trim())
      if (names.every((part) => /^[a-z0-9-]{1,40}$/.test(part)) && new Set(names).size === names.length) return names
      throw refuse(name, 'different lower-case names with commas between them', show(value))
    },

    url(name: string, protocols: readonly string[], { secret = false } = {}): string | null {
      const value = given(name)
      if (value === null) return null
      if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value
      // A database address usually carries its password, so not even a wrong one is repeated.
      throw refuse(
        name,
        `an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
        secret ? 'something else' : show(value),
      )
    },

    secret(name: string, bytesMin: number): string | null {
      const value = given(name)
      if (value === null || Buffer.byteLength(value, 'utf8') >= bytesMin) return value
      throw refuse(name, `at least ${bytesMin} bytes`, `${Buffer.byteLength(value, 'utf8')}`)
    },
  }
}

const SHOWN_LENGTH_MAX = 60

function show(value: string): string {
  return JSON.stringify(value.length > SHOWN_LENGTH_MAX ? `${value.slice(0, SHOWN_LENGTH_MAX)}…` : value)
}

function urlHost(host: string): string {
  if (host === '127.0.0.1' || host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
