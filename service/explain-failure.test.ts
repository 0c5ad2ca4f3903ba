import { expect, test } from 'vitest'
import { Unsealable } from '../kit/seal.ts'
import { ConfigError } from '../kit/setting-reader.ts'
import { explainFailure, failureLine } from './explain-failure.ts'
import { DatabaseUnavailable, MoveRefused, NotOwner } from './store/database.ts'
import { OtherVersion } from './store/migration.ts'
import { NoDatabaseYet, UnusableFolder } from './store/sqlite.ts'

const coded = (code: string, more: object = {}) => Object.assign(new Error('10.1.2.3'), { code, ...more })

test.each<[name: string, error: unknown, line: string | null]>([
  ['a wrong setting', new ConfigError('PORT: expected 1'), 'PORT: expected 1'],
  ['a refused move', new MoveRefused('the target is not empty'), 'the target is not empty'],
  [
    'a user who does not own the tables',
    new NotOwner(),
    'DATABASE_URL: its user does not own the tables, so DATABASE_MIGRATION_URL is needed for this',
  ],
  ['a folder that cannot be used', new UnusableFolder('DATA_DIR: read-only'), 'DATA_DIR: read-only'],
  ['a folder without a database', new NoDatabaseYet('DATA_DIR: empty'), 'DATA_DIR: empty'],
  [
    'another secret key',
    new Unsealable('no key fits', 'other-key'),
    'SECRET_KEY: expected the one this database was written with (no key fits)',
  ],
  [
    'a file of the database that is broken',
    new DatabaseUnavailable('SQLITE_CORRUPT'),
    'DATA_DIR: the database there cannot be used now (SQLITE_CORRUPT)',
  ],
  [
    'a full disk of PostgreSQL',
    new DatabaseUnavailable('53100'),
    'DATABASE_URL: PostgreSQL has no room left on its disk (53100)',
  ],
  [
    'a PostgreSQL that is starting up',
    new DatabaseUnavailable('57P03'),
    'DATABASE_URL: PostgreSQL is there, and cannot serve now (57P03)',
  ],
  [
    'no PostgreSQL',
    new DatabaseUnavailable('ECONNREFUSED'),
    'DATABASE_URL: no PostgreSQL answers there (ECONNREFUSED)',
  ],
  ['a wrong password', coded('28P01'), 'DATABASE_URL: PostgreSQL refuses this name, password or database (28P01)'],
  [
    'a database that is not there',
    coded('3D000'),
    'DATABASE_URL: PostgreSQL refuses this name, password or database (3D000)',
  ],
  [
    'a user without rights',
    coded('42501'),
    'DATABASE_URL: expected a user who may make the tables, or tables that "admin -- migrate" has made with DATABASE_MIGRATION_URL (42501)',
  ],
  ['a database of another version', new OtherVersion('made by another version'), 'made by another version'],
  [
    'a package that is missing',
    coded('ERR_MODULE_NOT_FOUND', { message: `Cannot find package 'pg' imported from /app/service.js` }),
    'the module "pg" is missing: run "npm ci" and "npm run build" where the service was installed',
  ],
  [
    'a port that is taken',
    coded('EADDRINUSE', { port: 4100 }),
    'PORT: another process listens on 4100 already; stop it, or choose another PORT (0 takes any that is free)',
  ],
  [
    'a port of the system',
    coded('EACCES', { port: 80, syscall: 'listen' }),
    'PORT: this user may not listen on 80; choose one from 1024 up',
  ],
  ['a file of the system', coded('EACCES', { syscall: 'open' }), null],
  ['a right that is missing for something unknown', coded('EACCES'), null],
  ...['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].map((code): [string, unknown, string] => [
    `a host that is not here (${code})`,
    coded(code),
    `HOST: expected an address of this machine, such as 127.0.0.1 or 0.0.0.0 (${code})`,
  ]),
  ['a bug with a code', coded('E_OTHER'), null],
  ['a bug', new TypeError('Cannot read x'), null],
  ['a text', 'EADDRINUSE', null],
  ['nothing', undefined, null],
])('%s: the line names the setting that would fix it, if there is one', (_name, error, line) => {
  expect(explainFailure(error)).toBe(line)
})

test('the last line says how to fix it', () => {
  expect(failureLine('could not start', new ConfigError('PORT: expected 1'))).toBe('PORT: expected 1')
})

test('the last line of a bug says where it happened, and nothing of its message', () => {
  const line = failureLine('could not start', Object.assign(new RangeError('ada'), { code: 'E_RANGE' }))
  expect(line).toMatch(/^could not start: RangeError E_RANGE explain-failure\.test\.ts:\d+/)
  expect(failureLine('could not start', 'ada')).toBe('could not start: string')
})
