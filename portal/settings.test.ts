import { expect, test } from 'vitest'
import { ConfigError } from '../kit/setting-reader.ts'
import { readExternalProvider } from './settings.ts'

const all = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'us', OIDC_CLIENT_SECRET: 'secret' }
const read = (environment: { [name: string]: string }, production = true) =>
  readExternalProvider(environment, { production })

test('people sign in here unless another provider is named', () => {
  expect(read({})).toBeNull()
  expect(read(all)).toEqual({ issuer: 'https://id.example', clientId: 'us', clientSecret: 'secret' })
})

test.each([
  ['half of it', { ...all, OIDC_CLIENT_SECRET: '' }, 'OIDC_CLIENT_SECRET'],
  ['no client', { ...all, OIDC_CLIENT_ID: '' }, 'OIDC_CLIENT_ID'],
  ['plain http in production', { ...all, OIDC_ISSUER: 'http://id.example' }, 'OIDC_ISSUER'],
  ['no address', { ...all, OIDC_ISSUER: 'id.example' }, 'OIDC_ISSUER'],
])('%s stops the service with a line that names it', (_what, environment, name) => {
  expect(() => read(environment)).toThrow(ConfigError)
  expect(() => read(environment)).toThrow(name)
})

test('plain http will do on a developer’s machine', () => {
  expect(read({ ...all, OIDC_ISSUER: 'http://localhost:4100' }, false)?.issuer).toBe('http://localhost:4100')
})
