import { expect, test } from 'vitest'
import { ConfigError, createSettingReader } from '../../kit/setting-reader.ts'
import { TEXT_LIMITS } from './text-limits.ts'
import { parseLimits, readTextSettings } from './text-settings.ts'

const settingsOf = (environment: { [name: string]: string }) => readTextSettings(createSettingReader(environment))

test('nothing set gives the default limits, and texts to the United Kingdom', () => {
  expect(settingsOf({})).toEqual({ limits: TEXT_LIMITS, destinations: ['+44'] })
})

test('countries can be opened', () => {
  expect(settingsOf({ SMS_DESTINATIONS: '+44, +353' })).toMatchObject({ destinations: ['+44', '+353'] })
})

test.each([
  [{ SMS_LIMITS: 'some' }, 'SMS_LIMITS: expected limits such as "tenant=60/1m,5000/24h number=5/10m", got "some"'],
  [{ SMS_DESTINATIONS: '+44,' }, 'SMS_DESTINATIONS: expected beginnings of numbers such as "+44,+353", got "+44,"'],
  [{ SMS_DESTINATIONS: '+0' }, 'SMS_DESTINATIONS: expected beginnings of numbers such as "+44,+353", got "+0"'],
  [{ SMS_DESTINATIONS: '44' }, 'SMS_DESTINATIONS: expected beginnings of numbers such as "+44,+353", got "44"'],
])('%j stops the start with one line', (environment, line) => {
  expect(() => settingsOf(environment)).toThrow(ConfigError)
  expect(() => settingsOf(environment)).toThrow(line)
})

const without = (...traits: string[]) => TEXT_LIMITS.filter(({ same }) => !traits.includes(same))

test('what is named is replaced, the rest stays', () => {
  expect(parseLimits('tenant=120/1m,20000/24h number=3/10m')).toEqual([
    ...without('tenant', 'number'),
    { same: 'tenant', max: 120, windowMs: 60_000 },
    { same: 'tenant', max: 20_000, windowMs: 86_400_000 },
    { same: 'number', max: 3, windowMs: 600_000 },
  ])
})

test.each([
  ['1/1m', 1, 60_000],
  ['1/1440m', 1, 86_400_000],
  ['1/24h', 1, 86_400_000],
  ['999999999/1h', 999_999_999, 3_600_000],
])('%s is a limit', (text, max, windowMs) => {
  expect(parseLimits(`device=${text}`)).toEqual([...without('device'), { same: 'device', max, windowMs }])
})

test('a limit of nothing stops such texts altogether', () => {
  expect(parseLimits('tenant=0/24h')).toContainEqual({ same: 'tenant', max: 0, windowMs: 86_400_000 })
})

test.each([
  '',
  'tenant',
  'tenant=',
  'nobody=1/1m',
  'tenant=1',
  'tenant=1/1s',
  'tenant=1/0m',
  'tenant=1/25h',
  'tenant=1/1441m',
  'tenant=1000000000/1m',
  'tenant=1/1m,1/0m',
  'number=1/1m tenant',
  'tenant=-1/1m',
  'tenant=1/1m,',
  'tenant=1/1m=2',
])('%j makes no sense', (text) => {
  expect(parseLimits(text)).toBeNull()
})
