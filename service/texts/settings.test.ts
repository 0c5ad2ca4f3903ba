import { expect, test } from 'vitest'
import { ConfigError, createSettingReader } from '../setting-reader.ts'
import { TEXT_LIMITS } from './limits.ts'
import { readTextSettings } from './settings.ts'

const settingsOf = (environment: { [name: string]: string }) => readTextSettings(createSettingReader(environment))

test('nothing set gives the default limits, and texts to the United Kingdom', () => {
  expect(settingsOf({})).toEqual({ limits: TEXT_LIMITS, destinations: ['+44'] })
})

test('countries can be opened', () => {
  expect(settingsOf({ SMS_DESTINATIONS: '+44, +353' })).toMatchObject({ destinations: ['+44', '+353'] })
})

test.each([
  [{ SMS_LIMITS: 'some' }, 'SMS_LIMITS: expected limits such as "tenant=60/1m,5000/24h number=5/10m", got "some"'],
  [{ SMS_DESTINATIONS: '44' }, 'SMS_DESTINATIONS: expected beginnings of numbers such as "+44,+353", got "44"'],
])('%j stops the start with one line', (environment, line) => {
  expect(() => settingsOf(environment)).toThrow(ConfigError)
  expect(() => settingsOf(environment)).toThrow(line)
})
