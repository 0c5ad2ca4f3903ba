import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ConfigError } from '../kit/setting-reader.ts'
import { readConfig as readCoreConfig } from '../service/config.ts'
import { TEXT_LIMITS } from './limits/text-limits.ts'
import { readConfig, readPluginSettings } from './settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'settings-'))
afterAll(() => rmSync(folder, { recursive: true }))

const development = { DATA_DIR: folder }

test('nothing set is complete: simulated providers, the usual limits', () => {
  const settings = {
    providers: { bureau: null, risk: null, match: null, sms: null },
    mail: null,
    texts: { limits: TEXT_LIMITS, destinations: ['+44'] },
    allowSimulated: [],
  }
  expect(readPluginSettings({})).toEqual(settings)
  expect(readConfig(development)).toEqual({ ...readCoreConfig(development), ...settings })
})

test('spaces between names are not part of them', () => {
  expect(readPluginSettings({ ALLOW_SIMULATED: 'risk, sms' })).toMatchObject({ allowSimulated: ['risk', 'sms'] })
})

test('a provider that is none is not allowed to be simulated', () => {
  const expected = 'expected names out of risk, match, bureau and sms with commas between them'
  expect(() => readPluginSettings({ ALLOW_SIMULATED: 'risk,all' })).toThrow(
    new ConfigError(`ALLOW_SIMULATED: ${expected}, got "risk,all"`),
  )
})

test('a wrong setting leaves nothing behind', () => {
  const dataDir = join(folder, 'untouched')
  expect(() => readConfig({ DATA_DIR: dataDir, ALLOW_SIMULATED: 'all' })).toThrow(ConfigError)
  expect(existsSync(dataDir)).toBe(false)
})

test('a simulated match is no live provider', () => {
  expect(readConfig({ ...development, DEMO: '1', MATCH_PROVIDER: 'simulated' }).demo).toBe(true)
})

test.each<[name: string, settings: { [name: string]: string }, live: string, local: string]>([
  ['BUREAU_URL', { BUREAU_TOKEN: 'a token of a bureau' }, 'https://bureaus.example', 'http://127.0.0.1:4300'],
  ['RISK_URL', { RISK_TOKEN: 'a token for risk' }, 'https://risk.example', 'http://127.0.0.1:4300'],
  [
    'MATCH_URL',
    { MATCH_PROVIDER: 'http', MATCH_TOKEN: 'a token for matches' },
    'https://match.example',
    'http://127.0.0.1:4300',
  ],
  [
    'SMS_URL',
    {
      SMS_PROVIDER: 'http',
      SMS_TOKEN: 'a token for texts',
      SMS_FROM: 'Lender',
      SMS_RECEIPT_SECRET: 'a secret for receipts',
    },
    'https://sms.example',
    'http://127.0.0.1:4300',
  ],
  ['SMTP_URL', { MAIL_FROM: 'portal@service.example' }, 'smtps://mail.example', 'smtp://localhost:1025'],
])('DEMO=1 is refused beside a live %s, whose bills are real', (name, settings, live, local) => {
  const beside = (url: string) => readConfig({ ...development, DEMO: '1', ...settings, [name]: url })
  expect(() => beside(live)).toThrow(
    new ConfigError(`DEMO: expected no live provider beside it, got ${name}; unset one of them`),
  )
  expect(beside(local).demo).toBe(true)
})

test('every setting is on a page of the guides', () => {
  const read = (file: string) => readFileSync(file, 'utf8')
  const documented = ['settings', 'live-providers', 'identity', 'operate']
    .map((page) => read(`docs/operator/${page}.md`))
    .join()
  const sources = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.test)\.ts$/.test(file))
      .map((file) => `${folder}/${file}`)
  const providers = ['service/providers', 'plugins/live-providers'].flatMap(sources)
  const others = ['service/config.ts', 'plugins/settings.ts', 'plugins/limits/text-settings.ts', 'portal/settings.ts']
  const settings = [...providers, ...others]
    .map(read)
    .flatMap((text) => [...text.matchAll(/'([A-Z]+(?:_[A-Z]+)+|PORT|HOST|DEMO|BUREAUS)'/g)].map(([, name]) => name))
    .filter((name) => name !== 'NODE_ENV')
  expect(settings.length).toBeGreaterThan(25)
  expect(settings.filter((name) => !documented.includes(`${name}`))).toEqual([])
})
