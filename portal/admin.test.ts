// The operator's commands about who may sign in.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../service/store/database.ts'
import { createClients } from '../service/tokens/clients.ts'
import { runTestAdmin } from '../testing/admin.ts'
import { openTestDatabase } from '../testing/open-database.ts'
import { hashQuickly } from '../testing/quick-passwords.ts'
import { createSessions } from './sessions.ts'
import { createUsers } from './users.ts'

hashQuickly()

const folder = mkdtempSync(join(tmpdir(), 'admin-identity-'))
const environment = { DATA_DIR: folder, SECRET_KEY: 'a secret key for tests that is long enough' }
let database: Database

async function admin(...words: string[]) {
  const { exitCode, printed, complaints } = await runTestAdmin(environment, words)
  return { exitCode, printed: printed.join('\n'), complaints: complaints.join('\n') }
}
const shown = (printed: string, what: string) => new RegExp(`${what} +(\\S+)`).exec(printed)?.[1] ?? ''

beforeAll(async () => {
  database = await openTestDatabase({ databaseUrl: null, dataDir: folder })
  for (const id of ['acme', 'globex']) await admin('tenant', 'create', id, '--name', id)
})
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

const clock = Date.now

test('a client is created and revoked; its secret works in between', async () => {
  const { printed } = await admin('client', 'create', 'acme', '--id', 'acme-shop')
  const clients = createClients({ database, clock })
  const secret = shown(printed, 'client secret')
  expect(await clients.verify('acme-shop', secret)).toMatchObject({ tenantId: 'acme' })
  expect(await admin('client', 'revoke', 'acme-shop')).toMatchObject({
    exitCode: 0,
    printed: 'client acme-shop revoked',
  })
  expect(await clients.verify('acme-shop', secret)).toBeNull()
  expect((await admin('client', 'revoke', 'acme-shop')).exitCode).toBe(2)
})

test('another tenant’s client id gets no second secret', async () => {
  await admin('client', 'create', 'acme', '--id', 'acme-only')
  const { exitCode, printed, complaints } = await admin('client', 'create', 'globex', '--id', 'acme-only')
  expect(exitCode).toBe(2)
  expect(printed).not.toContain('client secret')
  expect(complaints).toContain('the client id "acme-only" is taken')
})

test('a revoked client gets no new secret, which could never work', async () => {
  await admin('client', 'create', 'acme', '--id', 'acme-gone')
  await admin('client', 'revoke', 'acme-gone')
  const { exitCode, printed, complaints } = await admin('client', 'create', 'acme', '--id', 'acme-gone')
  expect(exitCode).toBe(2)
  expect(printed).not.toContain('client secret')
  expect(complaints).toContain('the client id "acme-gone" is taken')
})

test('a client at work gets one more secret, and both work', async () => {
  const first = await admin('client', 'create', 'acme', '--id', 'acme-twice')
  expect(first.printed).not.toContain('this client existed')
  const second = await admin('client', 'create', 'acme', '--id', 'acme-twice')
  expect(second.printed).toContain('this client existed: its scopes and its other secrets stay')
  const clients = createClients({ database, clock })
  for (const { printed } of [first, second]) {
    expect(await clients.verify('acme-twice', shown(printed, 'client secret'))).not.toBeNull()
  }
})

describe('a user', () => {
  const users = () => createUsers({ database, clock })

  test('is created with a password that works, joins a second tenant, and can be reset', async () => {
    const created = await admin(
      'user',
      'create',
      'acme',
      'Pat@Acme.example',
      '--first-name',
      'Pat',
      '--last-name',
      'Doe',
    )
    const password = shown(created.printed, 'password')
    const user = await users().verifyPassword('pat@acme.example', password)
    expect(user).toMatchObject({ firstName: 'Pat', lastName: 'Doe' })
    const joined = await admin('user', 'create', 'globex', 'pat@acme.example')
    expect(joined.printed).toContain('may act for globex as owner now')
    expect((await users().listTenants(user?.id ?? '')).map(({ id }) => id)).toEqual(['acme', 'globex'])
    const reset = await admin('user', 'reset', 'pat@acme.example')
    expect(await users().verifyPassword('pat@acme.example', password)).toBeNull()
    expect(await users().verifyPassword('pat@acme.example', shown(reset.printed, 'password'))).not.toBeNull()
  })

  test('leaves one tenant, then is removed: every session is over, nothing of them stays, and they may come again', async () => {
    const names = ['--first-name', 'Kim', '--last-name', 'Doe']
    await admin('user', 'create', 'acme', 'kim@acme.example', ...names)
    await admin('user', 'create', 'globex', 'kim@acme.example')
    const id = (await users().findByEmail('kim@acme.example'))?.id ?? ''
    await users().selectTenant(id, 'globex')
    const sessions = createSessions({ database, clock, hasOwnLogin: true })
    const { session, refreshToken } = await sessions.open(database, id)
    await database.run('INSERT INTO user_recovery_code (user_id, digest) VALUES (?, ?)', id, 'digest')
    await users().findByLogin({ issuer: 'https://other.example', subject: 'kim', verifiedEmail: 'kim@acme.example' })
    expect((await sessions.renew(refreshToken))?.session.id).toBe(session.id)

    const left = await admin('user', 'remove', 'Kim@Acme.example', '--tenant', 'globex')
    expect(left).toMatchObject({ exitCode: 0, printed: 'Kim@Acme.example may no longer act for globex' })
    expect(await sessions.find(session.id)).toMatchObject({ userId: id, tenantIds: ['acme'] })

    const removed = await admin('user', 'remove', 'Kim@Acme.example')
    expect(removed).toMatchObject({ exitCode: 0, printed: 'Kim@Acme.example removed' })
    expect(await sessions.find(session.id)).toBeNull()
    expect(await sessions.renew(refreshToken)).toBeNull()
    for (const table of ['user_session', 'user_recovery_code', 'user_login', 'user_tenant']) {
      expect(await database.all(`SELECT * FROM ${table} WHERE user_id = ?`, id)).toEqual([])
    }
    const back = await admin('user', 'create', 'acme', 'kim@acme.example', ...names)
    expect(shown(back.printed, 'user')).not.toBe(id)
  })

  test.each([
    ['nobody to remove', ['user', 'remove', 'nobody@acme.example'], 'nobody signs in as'],
    ['no membership to end', ['user', 'remove', 'nobody@acme.example', '--tenant', 'acme'], 'does not act for "acme"'],
    ['no names', ['user', 'create', 'acme', 'new@acme.example'], '--first-name and --last-name'],
    ['no address', ['user', 'create', 'acme', 'nobody', '--first-name', 'a', '--last-name', 'b'], 'e-mail address'],
    ['no tenant', ['user', 'create', 'nobody', 'a@b.example'], 'there is no tenant'],
    ['nobody to reset', ['user', 'reset', 'nobody@acme.example'], 'nobody signs in as'],
  ])('%s: exit code 2 and a line that says so', async (_what, words, complaint) => {
    const { exitCode, complaints } = await admin(...words)
    expect(exitCode).toBe(2)
    expect(complaints).toContain(complaint)
  })
})

test('keys are rotated: the new one is public now and signs later, or at once when it must', async () => {
  expect((await admin('keys', 'rotate')).printed).toMatch(/^key \S+ signs from \S+Z$/)
  expect(await database.all('SELECT id FROM signing_key')).toHaveLength(2)
  const { printed } = await admin('keys', 'rotate', '--now')
  const good = await database.all(
    'SELECT id FROM signing_key WHERE verifies_until_ms IS NULL OR verifies_until_ms > ?',
    Date.now(),
  )
  expect(good).toEqual([{ id: shown(printed, 'key') }])
})
