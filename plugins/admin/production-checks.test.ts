import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConfigError } from '../../kit/setting-reader.ts'
import type { Queries } from '../../service/store/database.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { readConfig } from '../settings.ts'
import { findObstacles, requireNoObstacles, serviceChecks } from './production-checks.ts'

const empty: Queries = { all: async () => [], first: async () => null, run: async () => 0, must: async () => ({}) }

const FIT = {
  NODE_ENV: 'production',
  SECRET_KEY: 'pUbRk3ZQ0mN7xw2VtJ5sY9cHfE1aLgDo',
  PUBLIC_URL: 'https://service.example',
  TRUSTED_HOPS: '1',
  BUREAU_URL: 'https://bureaus.example',
  BUREAU_TOKEN: 'a token of a bureau',
  RISK_URL: 'https://risk.example',
  RISK_TOKEN: 'a token for risk',
  SMS_PROVIDER: 'http',
  SMS_URL: 'https://sms.example',
  SMS_TOKEN: 'a token for texts',
  SMS_FROM: 'Lender',
  SMS_RECEIPT_SECRET: 'a secret for receipts',
}

const obstaclesOf = (environment: object) =>
  findObstacles(serviceChecks, { config: readConfig({ ...FIT, ...environment }), database: empty })

test('an installation with everything set is fit', async () => {
  expect(await obstaclesOf({})).toEqual([])
})

test.each([
  ['plain http', { PUBLIC_URL: 'http://service.example' }, /^PUBLIC_URL is "http:.*https:/],
  ['no address at all', { PUBLIC_URL: 'http://localhost:4100' }, /^PUBLIC_URL is "http:\/\/localhost/],
  ['https without a trusted hop', { TRUSTED_HOPS: '0' }, /TRUSTED_HOPS/],
  ['a key of one letter', { SECRET_KEY: 'a'.repeat(40) }, /^SECRET_KEY is weak.*openssl/],
  ['a key in the order of the alphabet', { SECRET_KEY: 'abcdefghijklmnopqrstuvwxyz123456' }, /^SECRET_KEY is weak/],
  ['a key that repeats itself', { SECRET_KEY: 'pUbRk3ZQ0mN7xw2V'.repeat(2) }, /^SECRET_KEY is weak/],
  ['a key of eleven letters', { SECRET_KEY: 'acegikmoqsuaeacigmkqouascaegikmoqsua' }, /^SECRET_KEY is weak/],
  ['a key with nine neighbours in 32', { SECRET_KEY: 'abefjkoptuyzABEFacegikmoqsuwCGKL' }, /^SECRET_KEY is weak/],
  ['an older key that is weak', { SECRET_KEY: `${FIT.SECRET_KEY},${'a'.repeat(40)}` }, /^SECRET_KEY is weak/],
  ['a key that is a sentence', { SECRET_KEY: 'correct horse battery staple and more' }, /^SECRET_KEY is weak/],
  ['texts from a generic name', { SMS_FROM: 'Verify' }, /^SMS_FROM is "Verify": UK networks block generic names/],
  ['texts from a long name', { SMS_FROM: 'AVeryLongLenderName' }, /^SMS_FROM is .*1 to 11 letters/],
  ['texts from a name with a sign', { SMS_FROM: 'L£nder!' }, /^SMS_FROM is .*1 to 11 letters/],
  ['texts from a foreign number', { SMS_FROM: '+12025550100' }, /^SMS_FROM is .*foreign/],
  ['certificates that are not checked', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }, /^NODE_TLS_REJECT_UNAUTHORIZED is 0/],
  ['a database over the network', { DATABASE_URL: 'postgres://u:p@db.example/x' }, /^DATABASE_URL.*sslmode/],
  ['TLS only if offered', { DATABASE_URL: 'postgres://u:p@db.example/x?sslmode=prefer' }, /^DATABASE_URL.*sslmode/],
  [
    'a host that a parameter names',
    { DATABASE_URL: 'postgres://u:p@localhost/x?host=db.example' },
    /^DATABASE_URL leads over a network without TLS/,
  ],
  [
    'an owner of the tables over the network',
    { DATABASE_URL: 'postgres://u:p@127.0.0.1/x', DATABASE_MIGRATION_URL: 'postgres://o:p@db.example/x' },
    /^DATABASE_MIGRATION_URL.*sslmode/,
  ],
  [
    'one role under both names',
    { DATABASE_URL: 'postgres://u:p@127.0.0.1/x', DATABASE_MIGRATION_URL: 'postgres://u:q@127.0.0.1/x' },
    /^DATABASE_MIGRATION_URL names the user of DATABASE_URL/,
  ],
  ['a simulated bureau', { BUREAU_URL: '' }, /^bureau is simulated.*ALLOW_SIMULATED/],
  ['simulated risk', { RISK_URL: '', ALLOW_SIMULATED: 'bureau' }, /^risk is simulated/],
  ['simulated texts', { SMS_PROVIDER: 'simulated' }, /^sms is simulated/],
  ['a simulated match', { MATCH_PROVIDER: 'simulated' }, /^match is simulated/],
])('%s is refused', async (_what, environment, line) => {
  const obstacles = await obstaclesOf(environment)
  expect(obstacles).toHaveLength(1)
  expect(obstacles[0]).toMatch(line)
})

test.each([
  ['Harbour', []],
  ['+447700900123', []],
  [
    'Verify',
    [
      'texts of lender "acme" come from "Verify": UK networks block generic names: use the lender’s own; see "tenant sender"',
    ],
  ],
  ['+447700900456', [expect.stringContaining('SMS_NUMBERS')]],
])('a lender whose texts come from %s', async (sender, obstacles) => {
  const database = {
    ...empty,
    all: async (sql: string) => (sql.includes('sms_sender') ? [{ id: 'acme', sms_sender: sender }] : []),
  }
  const config = readConfig({ ...FIT, SMS_NUMBERS: '+447700900123, +447700900124' })
  expect(await findObstacles(serviceChecks, { config, database: database as Queries })).toEqual(obstacles)
})

test.each([
  ['a key of twelve letters', { SECRET_KEY: 'acegikmoqsuweacigmkqouwscaegikmoqsuw' }],
  ['a key with eight neighbours in 32', { SECRET_KEY: 'abefjkoptuyzABEFacegikmoqsuwCGKO' }],
  ['a key in hexadecimal', { SECRET_KEY: '4f1a9c03e8d27b65a0c94e1f7d38b2569be07a1c' }],
  ['a database on this machine', { DATABASE_URL: 'postgres://u:p@127.0.0.1/x' }],
  ['a database behind a socket', { DATABASE_URL: 'postgres://u:p@localhost/x?host=/run/postgresql' }],
  ['a database without a host', { DATABASE_URL: 'postgres:///x' }],
  ['a database behind an encoded socket', { DATABASE_URL: 'postgres://u:p@%2Frun%2Fpostgresql/x' }],
  ['a database over TLS of any authority', { DATABASE_URL: 'postgres://u:p@db.example/x?sslmode=require' }],
  ['a database over TLS of a known authority', { DATABASE_URL: 'postgres://u:p@db.example/x?sslmode=verify-ca' }],
  [
    'a role that owns the tables and another that serves',
    { DATABASE_URL: 'postgres://u:p@127.0.0.1/x', DATABASE_MIGRATION_URL: 'postgres://o:p@127.0.0.1/x' },
  ],
  ['two proxies in front', { TRUSTED_HOPS: '2' }],
  ['a database over TLS', { DATABASE_URL: 'postgres://u:p@db.example/x?sslmode=verify-full' }],
  ['what the compose file says', { DATABASE_URL: urlOf('deploy/compose.yaml') }],
  ['what may be simulated', { BUREAU_URL: '', RISK_URL: '', ALLOW_SIMULATED: 'bureau,risk' }],
])('%s is fit', async (_what, environment) => {
  expect(await obstaclesOf(environment)).toEqual([])
})

/** With a password in the place of the variable. */
function urlOf(file: string): string {
  return /DATABASE_URL: (.*)/.exec(readFileSync(file, 'utf8'))?.[1]?.replace(/\$\{.*?\}/, 'p') ?? 'none'
}

test('one obstacle is enough to stop a start, and without any it goes on', async () => {
  const installation = { config: readConfig(FIT), database: empty }
  await expect(requireNoObstacles([async () => [], async () => ['one line']], installation)).rejects.toThrow(
    new ConfigError('not fit for production:\none line'),
  )
  await expect(requireNoObstacles([async () => []], installation)).resolves.toBeUndefined()
})

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

test('a database the demo used is refused, with a line for each client', async () => {
  const installation = { config: readConfig(FIT), database: app.database }
  await expect(requireNoObstacles(serviceChecks, installation)).rejects.toThrow(
    /^not fit for production:\n.*demo-lender.*\n.*empty-lender.*\n.*other-lender.*$/,
  )
})
