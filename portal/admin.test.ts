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
import { createSessions } from './identity/sessions.ts'
import { createUsers } from './identity/users.ts'

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
  const { printed } = await admin('client', 'create', 'acme', '--id', 'acme-shop', '--name', 'Shop')
  const clients = createClients({ database, clock })
  const secret = shown(printed, 'client secret')
  expect(await clients.verify('acme-shop', secret)).toMatchObject({ tenantId: 'acme' })
  expect(await admin('client', 'revoke', 'acme', 'acme-shop')).toMatchObject({
    exitCode: 0,
    printed: 'client id  acme-shop',
  })
  expect(await clients.verify('acme-shop', secret)).toBeNull()
  expect((await admin('client', 'revoke', 'acme', 'acme-shop')).exitCode).toBe(1)
})

test('another tenant’s client id gets no second secret', async () => {
  await admin('client', 'create', 'acme', '--id', 'acme-only', '--name', 'Only')
  const { exitCode, printed, complaints } = await admin(
    'client',
    'create',
    'globex',
    '--id',
    'acme-only',
    '--name',
    'Only',
  )
  expect(exitCode).toBe(2)
  expect(printed).not.toContain('client secret')
  expect(complaints.toString()).toContain('--id is taken, or was')
})

test('a revoked client gets no new secret, which could never work', async () => {
  await admin('client', 'create', 'acme', '--id', 'acme-gone', '--name', 'Gone')
  await admin('client', 'revoke', 'acme', 'acme-gone')
  const { exitCode, printed, complaints } = await admin(
    'client',
    'create',
    'acme',
    '--id',
    'acme-gone',
    '--name',
    'Gone',
  )
  expect(exitCode).toBe(2)
  expect(printed).not.toContain('client secret')
  expect(complaints.toString()).toContain('--id is taken, or was')
})

describe('a user', () => {
  const users = () => createUsers({ database, clock })

  const newUser = (email: string, tenantIds: string[], role: 'owner' | 'support' = 'owner') =>
    users().create(database, { email, firstName: 'Some', lastName: 'One', tenantIds, role })
  const passwordOf = async (email: string) =>
    (await database.first<{ hash: string }>('SELECT password_hash AS hash FROM user_account WHERE email = ?', email))
      ?.hash

  test('user invite prints a link, and no password; an open one is replaced', async () => {
    const email = 'invited@acme.example'
    const first = await admin('user', 'invite', 'acme', email, '--role', 'support')
    expect(first.printed).toMatch(
      /^link {2}http:\/\/localhost:4100\/invitations\/[\w-]{43}\nworks once, until \S+Z: hand it/,
    )
    expect(first.printed).not.toContain('password')
    expect(await users().findByEmail(email)).toBeNull()
    await admin('user', 'invite', 'acme', email)
    const rows = await database.all('SELECT role, made_by FROM one_time_link WHERE email = ?', email)
    expect(rows).toEqual([{ role: 'owner', made_by: null }])
    expect(JSON.stringify(rows)).not.toContain(shown(first.printed, 'link').slice(-43))
  })

  test('user reset closes the account at once, and prints a link that sets a new password', async () => {
    const user = await newUser('lost@acme.example', ['acme'])
    await database.run(
      `UPDATE user_account SET password_hash = 'x', totp_enabled_at_ms = 1 WHERE id = ?`,
      user?.id ?? '',
    )
    const sessions = createSessions({ database, clock, hasOwnLogin: true })
    const { session } = await sessions.open(database, { userId: user?.id ?? '' })
    const { printed } = await admin('user', 'reset', 'Lost@Acme.example')
    expect(shown(printed, 'link')).toMatch(/\/password-links\/[\w-]{43}$/)
    expect(await passwordOf('lost@acme.example')).toBeNull()
    expect(await sessions.find(session.id)).toBeNull()
    expect((await users().findByEmail('lost@acme.example'))?.totpEnabled).toBe(false)
  })

  test('user role changes a member’s role; a lender’s last owner keeps it', async () => {
    await admin('tenant', 'create', 'hooli', '--name', 'Hooli')
    await newUser('one@hooli.example', ['hooli'])
    await newUser('two@hooli.example', ['hooli'], 'support')
    const last = 'the last owner of "hooli": make another person its owner first'
    for (const words of [
      ['user', 'role', 'hooli', 'one@hooli.example', 'support'],
      ['user', 'leave', 'hooli', 'one@hooli.example'],
      ['user', 'remove', 'one@hooli.example'],
    ]) {
      const refused = await admin(...words)
      expect(refused.exitCode).toBe(1)
      expect(refused.complaints).toContain(last)
    }
    expect(await users().findByEmail('one@hooli.example')).not.toBeNull()
    expect((await admin('user', 'role', 'hooli', 'two@hooli.example', 'owner')).printed).toContain('owner')
    expect((await admin('user', 'role', 'hooli', 'one@hooli.example', 'support')).exitCode).toBe(0)
    expect((await admin('user', 'remove', 'two@hooli.example', '--even-last-owner')).exitCode).toBe(0)
  })

  test('user list shows who acts for a lender, for a person and for a program', async () => {
    await newUser('lee@globex.example', ['globex'])
    const { printed } = await admin('user', 'list', 'globex')
    expect(printed.split('\n')[0]).toMatch(/^email +name +role +totpEnabled$/)
    const json = (await admin('user', 'list', 'globex', '--json')).printed.split('\n').map((line) => JSON.parse(line))
    expect(json).toContainEqual(expect.objectContaining({ email: 'lee@globex.example', totpEnabled: false }))
  })

  test('leaves one tenant, then is removed: every session is over, nothing of them stays, and they may come again', async () => {
    for (const tenant of ['acme', 'globex']) await newUser(`other@${tenant}.example`, [tenant])
    await newUser('kim@acme.example', ['acme', 'globex'])
    const id = (await users().findByEmail('kim@acme.example'))?.id ?? ''
    await users().selectTenant(id, 'globex')
    const sessions = createSessions({ database, clock, hasOwnLogin: true })
    const { session, refreshToken } = await sessions.open(database, { userId: id })
    await database.run('INSERT INTO user_recovery_code (user_id, digest) VALUES (?, ?)', id, 'digest')
    await users().findByLogin({ issuer: 'https://other.example', subject: 'kim', verifiedEmail: 'kim@acme.example' })
    expect((await sessions.renew(refreshToken))?.session.id).toBe(session.id)

    expect((await admin('user', 'leave', 'globex', 'Kim@Acme.example')).exitCode).toBe(0)
    expect(await sessions.find(session.id)).toMatchObject({ userId: id, tenantIds: ['acme'] })

    const removed = await admin('user', 'remove', 'Kim@Acme.example')
    expect(removed).toMatchObject({ exitCode: 0, printed: 'Kim@Acme.example removed' })
    expect(await sessions.find(session.id)).toBeNull()
    expect(await sessions.renew(refreshToken)).toBeNull()
    for (const table of ['user_session', 'user_recovery_code', 'user_login', 'user_tenant']) {
      expect(await database.all(`SELECT * FROM ${table} WHERE user_id = ?`, id)).toEqual([])
    }
    expect((await newUser('kim@acme.example', ['acme']))?.id).not.toBe(id)
  })

  test.each<[what: string, exitCode: number, words: string[], complaint: string]>([
    ['no account to remove', 1, ['user', 'remove', 'none@acme.example'], 'there is no account'],
    ['no membership to end', 1, ['user', 'leave', 'acme', 'none@acme.example'], 'does not act for this lender'],
    ['no member to change', 1, ['user', 'role', 'acme', 'none@acme.example', 'owner'], 'does not act for this lender'],
    [
      'a role that is none',
      2,
      ['user', 'invite', 'acme', 'a@b.example', '--role', 'operator'],
      'must be owner, developer, support, finance, auditor',
    ],
    ['a member already', 1, ['user', 'invite', 'acme', 'Kim@acme.example'], '"user role" changes the role'],
    ['no address', 2, ['user', 'invite', 'acme', 'no-one'], 'an e-mail address was expected'],
    ['no tenant', 1, ['user', 'invite', 'no-one', 'a@b.example'], 'there is no tenant'],
    ['no account to reset', 1, ['user', 'reset', 'none@acme.example'], 'there is no account'],
  ])('%s: exit code %i and a line that says so', async (_what, code, words, complaint) => {
    const { exitCode, complaints } = await admin(...words)
    expect(exitCode).toBe(code)
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
