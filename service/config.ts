// Every environment variable the service knows, read once and checked before anything starts.
import { BUREAUS } from '../contract/credit-report.ts'
import type { KeyList } from '../kit/keys.ts'
import { ConfigError, createSettingReader, type Environment, type SettingReader } from '../kit/setting-reader.ts'
import { LOG_LEVELS } from './log.ts'
import { loadSecretKey, SECRET_KEY_BYTES_MIN } from './secret-key.ts'

export { ConfigError, type Environment } from '../kit/setting-reader.ts'

export type Config = ReturnType<typeof readConfig>

/** Long enough for a client on an open connection to be answered with `Connection: close`. */
const DRAIN_MS_MIN = 500

/** Reads the settings; throws `ConfigError` on the first bad one. Creates the secret key's file when it may. */
export function readConfig(environment: Environment) {
  const read = createSettingReader(environment)
  const production = read.string('NODE_ENV', '') === 'production'
  const demo = read.flag('DEMO')
  if (demo && production) {
    throw new ConfigError(
      'DEMO: expected to be unset when NODE_ENV is production (it opens routes and seeds known secrets), got "1"',
    )
  }
  const demoGateway = read.flag('DEMO_GATEWAY')
  if (demoGateway && !demo) throw new ConfigError('DEMO_GATEWAY: expected DEMO=1 beside it, got nothing')
  const host = read.string('HOST', '127.0.0.1')
  const port = read.whole('PORT', 4100, { min: 0, max: 65_535 })
  const dataDir = read.string('DATA_DIR', './.data')
  return {
    production,
    /** Seeds the demo tenants and opens `/demo/*`. Never in production. */
    demo,
    /**
     * The demo's providers are peers on a loopback port that can misbehave on request, instead of simulated in process.
     */
    demoGateway,
    host,
    port,
    dataDir,
    /** `postgres://…`; null keeps everything in an SQLite file below `dataDir`. */
    databaseUrl: read.url('DATABASE_URL', ['postgres:', 'postgresql:'], { secret: true }),
    /** The connection of the tables' owner, where the service connects as another role. */
    databaseMigrationUrl: read.url('DATABASE_MIGRATION_URL', ['postgres:', 'postgresql:'], { secret: true }),
    /** Settings of the PostgreSQL connections. */
    postgres: {
      connectionsMax: read.whole('DATABASE_CONNECTIONS_MAX', 16, { min: 1, max: 1_000 }),
      timeoutMs: read.whole('DATABASE_TIMEOUT_MS', 1_500, { min: 500, max: 60_000 }),
      transactionPooler: read.oneOf('DATABASE_POOLER', ['none', 'transaction'], 'none') === 'transaction',
    },
    /** Requests processed at once, and requests that wait for their turn. */
    gate: {
      runningMax: read.whole('REQUESTS_RUNNING_MAX', 400, { min: 1, max: 100_000 }),
      waitingMax: read.whole('REQUESTS_WAITING_MAX', 400, { min: 0, max: 100_000 }),
    },
    /** Time for which a stopping process still answers while load balancers take it out of rotation. */
    drainMs: Math.max(DRAIN_MS_MIN, read.whole('DRAIN_SECONDS', production ? 5 : 0, { min: 0, max: 300 }) * 1000),
    challengeLifetimeMs: read.whole('CHALLENGE_TTL_SECONDS', 300, { min: 1, max: 86_400 }) * 1000,
    /** Requests a minute of each tenant that has no limit of its own, and of each person. */
    rateLimitPerMinute: read.whole('RATE_LIMIT_PER_MINUTE', 600, { min: 1, max: 100_000_000 }),
    /** Searches of a person's credit file for one tenant in 24 hours. */
    searchesPerPersonPerDay: read.whole('SEARCHES_PER_PERSON_PER_DAY', 5, { min: 1, max: 1_000_000 }),
    reportPriceCredits: read.whole('REPORT_PRICE_CREDITS', 500, { min: 0, max: 1_000_000_000 }),
    textPriceCredits: read.whole('SMS_PRICE_CREDITS', 40, { min: 0, max: 1_000_000_000 }),
    /** The lender's price of a match of person and number. */
    matchPriceCredits: read.whole('MATCH_PRICE_CREDITS', 50, { min: 0, max: 1_000_000_000 }),
    /** The bureaus this installation can query, in the order they are offered. */
    bureaus: read.as('BUREAUS', 'different lower-case names with commas between them', parseNames, BUREAUS),
    /** The public address of this service, without a trailing slash; also the issuer of its tokens. */
    publicUrl: publicUrl(read.url('PUBLIC_URL', ['https:', 'http:'])) ?? httpUrl(host, port),
    /** The number of proxies in front of the service that add to `X-Forwarded-For`; 0 trusts only the socket. */
    trustedHops: read.whole('TRUSTED_HOPS', 0, { min: 0, max: 10 }),
    /** Lets a scraper read `/metrics` from elsewhere; null answers this machine only, where it can be recognised. */
    metricsToken: read.secret('METRICS_TOKEN', 16),
    /** Whom `/.well-known/security.txt` names; null serves none. */
    securityContact: read.url('SECURITY_CONTACT', ['mailto:', 'https:']),
    /** Retention of the audit trail. */
    auditRetentionMs: read.whole('AUDIT_RETENTION_DAYS', 400, { min: 30, max: 3_650 }) * 86_400_000,
    /** Retention of a report and the consumer's details. */
    reportRetentionMs: read.whole('REPORT_RETENTION_DAYS', 30, { min: 1, max: 3_650 }) * 86_400_000,
    /** False where Node does not check the certificates of servers it calls. */
    checksCertificates: read.string('NODE_TLS_REJECT_UNAUTHORIZED', '') !== '0',
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    /**
     * The roots of every derived key: the first seals, all of them open. Read last, because that may write a file: a
     * wrong setting elsewhere should leave nothing behind.
     */
    secretKeys: secretKeys(read, { production, dataDir }),
  }
}

function parseNames(text: string): readonly string[] | null {
  const names = text.split(',').map((part) => part.trim())
  const isEachGood = names.every((name) => /^[a-z0-9-]{1,40}$/.test(name))
  return isEachGood && new Set(names).size === names.length ? names : null
}

/** An origin: cookies are set for the whole host, and pages lead to each other by absolute paths. */
function publicUrl(text: string | null): string | null {
  if (text === null) return null
  const { origin, href } = new URL(text)
  if (href === `${origin}/`) return origin
  throw new ConfigError(`PUBLIC_URL: expected an address of scheme, host and port alone, got "${text}"`)
}

function secretKeys(read: SettingReader, { production, dataDir }: { production: boolean; dataDir: string }): KeyList {
  const keys =
    read.secrets('SECRET_KEY', SECRET_KEY_BYTES_MIN) ?? read.secretsFile('SECRET_KEY_FILE', SECRET_KEY_BYTES_MIN)
  const [first, ...older] = (keys ?? []).map((key) => Buffer.from(key, 'utf8'))
  if (first !== undefined) return [first, ...older]
  if (production) {
    throw new ConfigError(
      `SECRET_KEY: expected at least ${SECRET_KEY_BYTES_MIN} bytes in production (for example from "openssl rand -base64 48"), got nothing`,
    )
  }
  try {
    return [loadSecretKey(dataDir)]
  } catch (error) {
    throw new ConfigError(
      `DATA_DIR: expected a folder that can keep the secret key, got "${dataDir}" (${reasonOf(error)})`,
    )
  }
}

/** The address at which a browser on this machine reaches a server that listens there. */
export function httpUrl(host: string, port: number): string {
  const name = ['127.0.0.1', '0.0.0.0', '::'].includes(host) ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
