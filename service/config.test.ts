import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'
import { TEXT_LIMITS } from './texts/limits.ts'

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
    smsPriceCredits: 40,
    matchPriceCredits: 50,
    bureaus: ['equifax', 'experian', 'transunion'],
    publicUrl: 'http://localhost:4100',
    trustedHops: 0,
    mail: null,
    metricsToken: null,
    securityContact: null,
    auditRetentionMs: 400 * 86_400_000,
    reportRetentionMs: 30 * 86_400_000,
    checksCertificates: true,
    logLevel: 'info',
    providers: { bureau: null, risk: null, match: null, sms: null },
    allowSimulated: [],
    texts: { limits: TEXT_LIMITS, destinations: ['+44'] },
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
  ['DEMO=1 is for development', { DEMO: '1' }, { demo: true }],
  [
    'a second key opens what it sealed before',
    { ...production, SECRET_KEY: `${secret}, ${secret}2` },
    { secretKeys: [Buffer.from(secret), Buffer.from(`${secret}2`)] },
  ],
  ['production brings its own key', production, { production: true, secretKeys: [Buffer.from(secret)] }],
])('%s', (_name, environment, expected) => {
  expect(readConfig({ ...development, ...environment })).toMatchObject(expected)
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

  test('DEMO=1 is refused beside a live provider, whose bills are real', () => {
    const live = { DEMO: '1', RISK_URL: 'https://risk.example', RISK_TOKEN: 'a token for risk' }
    expect(() => readConfig(live)).toThrow('DEMO: expected no live provider beside it, got RISK_URL')
    expect(readConfig({ ...live, RISK_URL: 'http://127.0.0.1:4300' }).demo).toBe(true)
    const mail = { DEMO: '1', MAIL_FROM: 'portal@service.example' }
    expect(() => readConfig({ ...mail, SMTP_URL: 'smtps://mail.example' })).toThrow('beside it, got SMTP_URL')
    expect(readConfig({ ...mail, SMTP_URL: 'smtp://localhost:1025' }).demo).toBe(true)
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
  })

  test('a folder that cannot be written names DATA_DIR', () => {
    expect(() => readConfig({ DATA_DIR: '/dev/null/data' })).toThrow(/^DATA_DIR: expected a folder/)
  })
})

test('every setting is on a page of the guides', () => {
  const read = (file: string) => readFileSync(file, 'utf8')
  const documented = ['settings', 'live-providers', 'identity', 'operate']
    .map((page) => read(`docs/operator/${page}.md`))
    .join()
  const providers = readdirSync('service/providers', { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.ts$/.test(file))
    .map((file) => `service/providers/${file}`)
  const settings = ['service/config.ts', ...providers, 'service/texts/settings.ts', 'portal/settings.ts']
    .map(read)
    .flatMap((text) => [...text.matchAll(/'([A-Z]+(?:_[A-Z]+)+|PORT|HOST|DEMO|BUREAUS)'/g)].map(([, name]) => name))
    .filter((name) => name !== 'NODE_ENV')
  expect(settings.length).toBeGreaterThan(25)
  expect(settings.filter((name) => !documented.includes(`${name}`))).toEqual([])
})
