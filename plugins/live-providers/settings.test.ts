import { describe, expect, test } from 'vitest'
import { ConfigError, createSettingReader } from '../../kit/setting-reader.ts'
import { readProviderSettings } from './settings.ts'
import { SMS_KINDS } from './sms-gateways.ts'

type Environment = { [name: string]: string }

function settingsOf(environment: Environment, { production = false } = {}) {
  return readProviderSettings(createSettingReader(environment), { production })
}

const gateway = { SMS_URL: 'https://sms.example', SMS_TOKEN: 'token-123', SMS_FROM: 'Harbour' }
const receiptSecret = 'receipts'.repeat(2)
const twilio = { SMS_FROM: '+447700900001', TWILIO_ACCOUNT_SID: 'AC012345', TWILIO_AUTH_TOKEN: 't'.repeat(32) }

test('nothing set is simulated, with the default limits', () => {
  expect(settingsOf({})).toEqual({
    bureau: null,
    risk: null,
    match: null,
    sms: null,
  })
})

test.each<[string, Environment, object]>([
  [
    'a bureau needs an address and a token',
    { BUREAU_URL: 'https://bureaus.example/', BUREAU_TOKEN: 'token-123' },
    { bureau: { url: 'https://bureaus.example', token: 'token-123' } },
  ],
  [
    'so does risk',
    { RISK_URL: 'http://127.0.0.1:9', RISK_TOKEN: 'token-123' },
    { risk: { url: 'http://127.0.0.1:9', token: 'token-123' } },
  ],
  [
    'a gateway needs a secret for its receipts too',
    { SMS_PROVIDER: 'http', ...gateway, SMS_RECEIPT_SECRET: receiptSecret },
    { sms: { kind: 'http', url: 'https://sms.example' } },
  ],
  [
    'Twilio has an address of its own',
    { SMS_PROVIDER: 'twilio', ...twilio },
    { sms: { kind: 'twilio', url: 'https://api.twilio.com' } },
  ],
  [
    'or the one that is set',
    { SMS_PROVIDER: 'twilio', ...twilio, SMS_URL: 'https://sms.example/' },
    { sms: { kind: 'twilio', url: 'https://sms.example' } },
  ],
  ['a match is left out by name', { MATCH_PROVIDER: 'none', MATCH_URL: 'https://match.example' }, { match: null }],
  ['or simulated', { MATCH_PROVIDER: 'simulated' }, { match: 'simulated' }],
  [
    'or over HTTP, with an address and a token of eight bytes',
    { MATCH_PROVIDER: 'http', MATCH_URL: 'https://match.example//', MATCH_TOKEN: '12345678' },
    { match: { url: 'https://match.example', token: '12345678' } },
  ],
  [
    'a secret may be as short as the shortest',
    {
      SMS_PROVIDER: 'http',
      SMS_URL: 'http://sms.example',
      SMS_TOKEN: '12345678',
      SMS_FROM: 'H',
      SMS_RECEIPT_SECRET: receiptSecret,
    },
    { sms: { kind: 'http', url: 'http://sms.example' } },
  ],
  [
    'and those of Twilio too',
    { SMS_PROVIDER: 'twilio', SMS_FROM: 'H', TWILIO_ACCOUNT_SID: 'AC012345', TWILIO_AUTH_TOKEN: 't'.repeat(16) },
    { sms: { kind: 'twilio' } },
  ],
])('%s', (_name, environment, expected) => {
  expect(settingsOf(environment)).toMatchObject(expected)
})

describe('a bad value stops the start with one line', () => {
  test.each<[Environment, string]>([
    [{ BUREAU_URL: 'https://b.example' }, 'BUREAU_TOKEN: expected a value, because BUREAU_URL is set, got nothing'],
    [{ BUREAU_URL: 'bureaus' }, 'BUREAU_URL: expected an address that begins with https:// or http://, got "bureaus"'],
    [{ RISK_URL: 'https://u:p@r.example' }, 'RISK_URL: expected an address'],
    [{ RISK_URL: 'https://:p@r.example' }, 'RISK_URL: expected an address'],
    [{ RISK_URL: 'https://r.example?key=1' }, 'RISK_URL: expected an address'],
    [{ RISK_URL: 'https://r.example#top' }, 'RISK_URL: expected an address'],
    [{ RISK_URL: 'ftp://r.example' }, 'RISK_URL: expected an address'],
    [{ RISK_URL: 'https://r.example', RISK_TOKEN: '1234567' }, 'RISK_TOKEN: expected at least 8 bytes, got 7'],
    [{ MATCH_PROVIDER: 'pigeon' }, 'MATCH_PROVIDER: expected one of none, simulated, http, got "pigeon"'],
    [{ MATCH_PROVIDER: 'http' }, 'MATCH_URL: expected a value, because MATCH_PROVIDER is http, got nothing'],
    [
      { MATCH_PROVIDER: 'http', MATCH_URL: 'https://match.example' },
      'MATCH_TOKEN: expected a value, because MATCH_URL is set, got nothing',
    ],
    [
      { SMS_PROVIDER: 'http', ...gateway, SMS_TOKEN: '1234567', SMS_RECEIPT_SECRET: receiptSecret },
      'SMS_TOKEN: expected at least 8 bytes, got 7',
    ],
    [
      { SMS_PROVIDER: 'twilio', ...twilio, TWILIO_ACCOUNT_SID: 'AC01234' },
      'TWILIO_ACCOUNT_SID: expected at least 8 bytes, got 7',
    ],
    [
      { SMS_PROVIDER: 'twilio', ...twilio, TWILIO_AUTH_TOKEN: 't'.repeat(15) },
      'TWILIO_AUTH_TOKEN: expected at least 16 bytes, got 15',
    ],
    [{ SMS_PROVIDER: 'pigeon' }, `SMS_PROVIDER: expected one of simulated, ${SMS_KINDS.join(', ')}, got "pigeon"`],
    [
      { SMS_PROVIDER: 'http', ...gateway },
      'SMS_RECEIPT_SECRET: expected a value, because SMS_PROVIDER is http, got nothing',
    ],
    [
      { SMS_PROVIDER: 'http', ...gateway, SMS_RECEIPT_SECRET: 'short' },
      'SMS_RECEIPT_SECRET: expected at least 16 bytes, got 5',
    ],
    [{ SMS_PROVIDER: 'twilio' }, 'SMS_FROM: expected a value, because SMS_PROVIDER is twilio, got nothing'],
  ])('%j', (environment, line) => {
    expect(() => settingsOf(environment)).toThrow(ConfigError)
    expect(() => settingsOf(environment)).toThrow(line)
  })

  test('in production a gateway must know where its receipts go, or no text is ever charged', () => {
    const sms = { SMS_PROVIDER: 'http', ...gateway, SMS_RECEIPT_SECRET: 'sixteen bytes or more' }
    const missing = 'PUBLIC_URL: expected a value, because SMS_PROVIDER is http, got nothing'
    expect(() => settingsOf(sms, { production: true })).toThrow(missing)
    expect(settingsOf({ ...sms, PUBLIC_URL: 'https://a.example' }, { production: true }).sms?.kind).toBe('http')
    expect(settingsOf(sms).sms?.kind).toBe('http')
    expect(settingsOf({}, { production: true }).sms).toBeNull()
  })

  test('in production nothing personal leaves the machine in the clear', () => {
    const token = { BUREAU_TOKEN: 'token-123' }
    const settings = (url: string) => () => settingsOf({ BUREAU_URL: url, ...token }, { production: true })
    expect(settings('http://bureaus.example')).toThrow(
      'BUREAU_URL: expected an address that begins with https://, got "http://bureaus.example"',
    )
    expect(settings('https://bureaus.example')().bureau?.url).toBe('https://bureaus.example')
    expect(settings('http://localhost:8080')().bureau?.url).toBe('http://localhost:8080')
  })
})
