import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type Config, ConfigError, readConfig } from './config.ts'

const folder = mkdtempSync(join(tmpdir(), 'config-'))
afterAll(() => rmSync(folder, { recursive: true }))

const secret = 'k'.repeat(32)
const development = { DATA_DIR: folder }
const production = { NODE_ENV: 'production', SECRET_KEY: secret }

test('nothing set is a complete configuration for development', () => {
  const { secretKeys, ...config } = readConfig(development)
  expect(secretKeys[0].byteLength).toBeGreaterThanOrEqual(32)
  expect(config).toEqual({
    production: false,
    demo: false,
    demoGateway: false,
    host: '127.0.0.1',
    port: 4100,
    databaseUrl: null,
    databaseMigrationUrl: null,
    dataDir: folder,
    postgres: { connectionsMax: 16, timeoutMs: 1_500, transactionPooler: false },
    gate: { runningMax: 400, waitingMax: 400 },
    drainMs: 500,
    challengeLifetimeMs: 300_000,
    rateLimitPerMinute: 600,
    searchesPerPersonPerDay: 5,
    reportPriceCredits: 500,
    textPriceCredits: 40,
    matchPriceCredits: 50,
    bureaus: ['equifax', 'experian', 'transunion'],
    publicUrl: 'http://localhost:4100',
    trustedHops: 0,
    metricsToken: null,
    securityContact: null,
    auditRetentionMs: 400 * 86_400_000,
    reportRetentionMs: 30 * 86_400_000,
    checksCertificates: true,
    logLevel: 'info',
  })
})

test('a generated key is the same after a restart', () => {
  expect(readConfig(development).secretKeys).toEqual(readConfig(development).secretKeys)
})

type Row = [name: string, environment: { [name: string]: string }, expected: object]

test.each<Row>([
  ['an empty variable counts as unset', { PORT: '', HOST: ' ' }, { port: 4100, host: '127.0.0.1' }],
  ['PORT may be 0, for any free one', { PORT: '0' }, { port: 0 }],
  ['seconds become milliseconds', { CHALLENGE_TTL_SECONDS: '1' }, { challengeLifetimeMs: 1000 }],
  ['a price may be nothing', { REPORT_PRICE_CREDITS: '0' }, { reportPriceCredits: 0 }],
  ['both spellings of PostgreSQL are known', { DATABASE_URL: 'postgresql://h/d' }, { databaseUrl: 'postgresql://h/d' }],
  [
    'a trailing slash is not part of the address',
    { PUBLIC_URL: 'https://a.example/' },
    { publicUrl: 'https://a.example' },
  ],
  ['the public address follows host and port', { HOST: '::1', PORT: '80' }, { publicUrl: 'http://[::1]:80' }],
  ['bureaus can be others', { BUREAUS: 'one, two' }, { bureaus: ['one', 'two'] }],
  ['a pooler is named by its mode', { DATABASE_POOLER: 'transaction' }, { postgres: { transactionPooler: true } }],
  ['production takes its time to leave', production, { drainMs: 5_000 }],
  [
    'production may be in a hurry, and still tells open connections',
    { ...production, DRAIN_SECONDS: '0' },
    { drainMs: 500 },
  ],
  ['no process takes more than five minutes to leave', { DRAIN_SECONDS: '300' }, { drainMs: 300_000 }],
  ['DEMO=1 is for development', { DEMO: '1' }, { demo: true, demoGateway: false }],
  ['DEMO_GATEWAY=1 goes with it', { DEMO: '1', DEMO_GATEWAY: '1' }, { demo: true, demoGateway: true }],
  ['every interface is reached by this machine’s name', { HOST: '0.0.0.0' }, { publicUrl: 'http://localhost:4100' }],
  ['every interface of IPv6 is too', { HOST: '::' }, { publicUrl: 'http://localhost:4100' }],
  ['one interface is reached by its address', { HOST: '192.0.2.1' }, { publicUrl: 'http://192.0.2.1:4100' }],
  ['a token of sixteen bytes is long enough', { METRICS_TOKEN: 't'.repeat(16) }, { metricsToken: 't'.repeat(16) }],
  [
    'certificates may go unchecked outside production',
    { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    { checksCertificates: false },
  ],
  [
    'the owner of the tables may be another',
    { DATABASE_MIGRATION_URL: 'postgres://o@h/d' },
    { databaseMigrationUrl: 'postgres://o@h/d' },
  ],
  [
    'a second key opens what it sealed before',
    { ...production, SECRET_KEY: `${secret}, ${secret}2` },
    { secretKeys: [Buffer.from(secret), Buffer.from(`${secret}2`)] },
  ],
  ['production brings its own key', production, { production: true, secretKeys: [Buffer.from(secret)] }],
])('%s', (_name, environment, expected) => {
  expect(readConfig({ ...development, ...environment })).toMatchObject(expected)
})

const DAY_MS = 86_400_000
type Limit = [setting: string, min: number, max: number, unit: number, read: (config: Config) => number]

test.each<Limit>([
  ['PORT', 0, 65_535, 1, ({ port }) => port],
  ['DATABASE_CONNECTIONS_MAX', 1, 1_000, 1, ({ postgres }) => postgres.connectionsMax],
  ['DATABASE_TIMEOUT_MS', 500, 60_000, 1, ({ postgres }) => postgres.timeoutMs],
  ['REQUESTS_RUNNING_MAX', 1, 100_000, 1, ({ gate }) => gate.runningMax],
  ['REQUESTS_WAITING_MAX', 0, 100_000, 1, ({ gate }) => gate.waitingMax],
  ['CHALLENGE_TTL_SECONDS', 1, 86_400, 1_000, ({ challengeLifetimeMs }) => challengeLifetimeMs],
  ['RATE_LIMIT_PER_MINUTE', 1, 100_000_000, 1, ({ rateLimitPerMinute }) => rateLimitPerMinute],
  ['SEARCHES_PER_PERSON_PER_DAY', 1, 1_000_000, 1, ({ searchesPerPersonPerDay }) => searchesPerPersonPerDay],
  ['REPORT_PRICE_CREDITS', 0, 1_000_000_000, 1, ({ reportPriceCredits }) => reportPriceCredits],
  ['SMS_PRICE_CREDITS', 0, 1_000_000_000, 1, ({ textPriceCredits }) => textPriceCredits],
  ['MATCH_PRICE_CREDITS', 0, 1_000_000_000, 1, ({ matchPriceCredits }) => matchPriceCredits],
  ['TRUSTED_HOPS', 0, 10, 1, ({ trustedHops }) => trustedHops],
  ['AUDIT_RETENTION_DAYS', 30, 3_650, DAY_MS, ({ auditRetentionMs }) => auditRetentionMs],
  ['REPORT_RETENTION_DAYS', 1, 3_650, DAY_MS, ({ reportRetentionMs }) => reportRetentionMs],
])('%s may be from %i to %i', (setting, min, max, unit, read) => {
  const readAs = (value: number) => read(readConfig({ ...development, [setting]: String(value) }))
  expect([readAs(min), readAs(max)]).toEqual([min * unit, max * unit])
  for (const value of [min - 1, max + 1]) {
    const line = `${setting}: expected a whole number from ${min} to ${max}, got "${value}"`
    expect(() => readAs(value)).toThrow(new ConfigError(line))
  }
})

test('a key in the environment goes before one in a file', () => {
  const path = join(folder, 'other-key')
  writeFileSync(path, 'n'.repeat(32))
  const { secretKeys } = readConfig({ ...production, SECRET_KEY_FILE: path })
  expect(secretKeys).toEqual([Buffer.from(secret)])
})

describe('a bad value stops the start with one line', () => {
  test.each<[environment: { [name: string]: string }, line: string]>([
    [{ PORT: '70000' }, 'PORT: expected a whole number from 0 to 65535, got "70000"'],
    [{ PORT: '80.5' }, 'PORT: expected a whole number from 0 to 65535, got "80.5"'],
    [{ PORT: '-1' }, 'PORT: expected a whole number from 0 to 65535, got "-1"'],
    [{ PORT: '1e3' }, 'PORT: expected a whole number from 0 to 65535, got "1e3"'],
    [{ CHALLENGE_TTL_SECONDS: '0' }, 'CHALLENGE_TTL_SECONDS: expected a whole number from 1 to 86400, got "0"'],
    [
      { RATE_LIMIT_PER_MINUTE: 'many' },
      'RATE_LIMIT_PER_MINUTE: expected a whole number from 1 to 100000000, got "many"',
    ],
    [{ REPORT_PRICE_CREDITS: '£5' }, 'REPORT_PRICE_CREDITS: expected a whole number from 0 to 1000000000, got "£5"'],
    [{ DEMO: 'yes' }, 'DEMO: expected 1 or 0, got "yes"'],
    [{ DEMO_GATEWAY: '1' }, 'DEMO_GATEWAY: expected DEMO=1 beside it, got nothing'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL: expected one of silent, error, warn, info, debug, got "loud"'],
    [
      { PUBLIC_URL: 'example.com' },
      'PUBLIC_URL: expected an address that begins with https:// or http://, got "example.com"',
    ],
    [
      { PUBLIC_URL: 'https://a.example/?x=1' },
      'PUBLIC_URL: expected an address of scheme, host and port alone, got "https://a.example/?x=1"',
    ],
    [
      { PUBLIC_URL: 'https://a.example/credit/' },
      'PUBLIC_URL: expected an address of scheme, host and port alone, got "https://a.example/credit/"',
    ],
    [{ BUREAUS: 'a,,b' }, 'BUREAUS: expected different lower-case names with commas between them, got "a,,b"'],
    [{ BUREAUS: 'a,a' }, 'BUREAUS: expected different lower-case names with commas between them, got "a,a"'],
    [{ SECRET_KEY: 'short' }, 'SECRET_KEY: expected at least 32 bytes, got 5'],
    [{ SECRET_KEY: `${secret},short` }, 'SECRET_KEY: expected at least 32 bytes between commas, got 5'],
    [{ DATABASE_POOLER: 'statement' }, 'DATABASE_POOLER: expected one of none, transaction, got "statement"'],
    [{ DATABASE_TIMEOUT_MS: '0' }, 'DATABASE_TIMEOUT_MS: expected a whole number from 500 to 60000, got "0"'],
    [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN: expected at least 16 bytes, got 5'],
    [{ METRICS_TOKEN: 't'.repeat(15) }, 'METRICS_TOKEN: expected at least 16 bytes, got 15'],
    [{ DRAIN_SECONDS: '301' }, 'DRAIN_SECONDS: expected a whole number from 0 to 300, got "301"'],
    [
      { DATA_DIR: '/dev/null/data' },
      'DATA_DIR: expected a folder that can keep the secret key, got "/dev/null/data" (ENOTDIR)',
    ],
  ])('%j', (environment, line) => {
    expect(() => readConfig({ ...development, ...environment })).toThrow(new ConfigError(line))
  })

  test('the keys may be in a file, as orchestrators mount them; one that is short or missing is refused', () => {
    const path = join(folder, 'keys')
    writeFileSync(path, `${'n'.repeat(32)},${secret}\n`)
    const { secretKeys } = readConfig({ NODE_ENV: 'production', SECRET_KEY_FILE: path })
    expect(secretKeys.map((key) => Buffer.from(key).toString())).toEqual(['n'.repeat(32), secret])
    writeFileSync(path, 'short')
    expect(() => readConfig({ SECRET_KEY_FILE: path })).toThrow('SECRET_KEY_FILE: expected a file with at least 32')
    expect(() => readConfig({ SECRET_KEY_FILE: `${path}-none` })).toThrow('SECRET_KEY_FILE: expected a file that can')
  })

  test('DEMO=1 is refused in production, because its secrets are known', () => {
    expect(() => readConfig({ ...production, DEMO: '1' })).toThrow(/^DEMO: .*production/)
  })

  test('production without a key says how to make one', () => {
    expect(() => readConfig({ NODE_ENV: 'production' })).toThrow(/^SECRET_KEY: .*openssl rand/)
  })

  test('a wrong database address is not repeated: it holds a password', () => {
    const wrong = 'mysql://root:hunter2@db/x'
    expect(() => readConfig({ ...development, DATABASE_URL: wrong })).toThrow(/^DATABASE_URL: expected .*postgres/)
    expect(() => readConfig({ ...development, DATABASE_URL: wrong })).not.toThrow(/hunter2/)
    expect(() => readConfig({ ...development, DATABASE_MIGRATION_URL: wrong })).toThrow(/got something else$/)
  })

  test('a folder whose key was cut short says so', () => {
    const cut = mkdtempSync(join(folder, 'cut-'))
    writeFileSync(join(cut, 'secret-key'), 'cut')
    expect(() => readConfig({ DATA_DIR: cut })).toThrow(/^DATA_DIR: .* \(Error: .* holds fewer than 32 bytes\)$/)
  })
})
