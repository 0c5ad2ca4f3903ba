import { describe, expect, test } from 'vitest'
import { ConfigError, createSettingReader } from '../setting-reader.ts'
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
])('%s', (_name, environment, expected) => {
  expect(settingsOf(environment)).toMatchObject(expected)
})

describe('a bad value stops the start with one line', () => {
  test.each<[Environment, string]>([
    [{ BUREAU_URL: 'https://b.example' }, 'BUREAU_TOKEN: expected a value, because BUREAU_URL is set, got nothing'],
    [{ BUREAU_URL: 'bureaus' }, 'BUREAU_URL: expected an address that begins with https:// or http://, got "bureaus"'],
    [{ RISK_URL: 'https://u:p@r.example' }, 'RISK_URL: expected an address'],
    [{ RISK_URL: 'https://r.example?key=1' }, 'RISK_URL: expected an address'],
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
    expect(settings('http://bureaus.example')).toThrow('BUREAU_URL: expected an address that begins with https://')
    expect(settings('http://localhost:8080')().bureau?.url).toBe('http://localhost:8080')
  })
})
